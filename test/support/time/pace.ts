import { expect } from 'vitest';
import { times } from '../data.ts';

/** How long the work below takes on a machine that limits were set for: two cores, nothing beside the tests. */
const REFERENCE_MS = 60;

/**
 * A limit in milliseconds, stretched where this machine is slower at this moment: what is measured is how
 * the service compares to plain work in the same process.
 */
export function within(milliseconds: number): number {
  const rows = times(1_000, (n) => ({
    id: n,
    name: `Row ${n}`,
    moment: '2026-01-01T00:00:00.000Z',
    flag: n % 2 === 0,
  }));
  const started = performance.now();
  for (const _ of times(100, String)) JSON.parse(JSON.stringify(rows));
  return milliseconds * Math.max(1, (performance.now() - started) / REFERENCE_MS);
}

/** Expects that something took less than a limit, see {@link within}. The machine is only measured if it took longer. */
export function expectWithin(limitMs: number, tookMs: number): void {
  if (tookMs >= limitMs) expect(tookMs).toBeLessThan(within(limitMs));
}

/** Measures work of this process: the time it took, or its processor time where that is less, as on a busy machine. */
export function startTimer(): () => number {
  const [started, usage] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(usage);
    return Math.min(performance.now() - started, (user + system) / 1_000);
  };
}
