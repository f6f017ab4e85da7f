import { expect } from 'vitest';
import { times } from '../data.ts';

/** The duration of the work below on the reference machine of all limits: two cores, with nothing beside the tests. */
const REFERENCE_MS = 60;

/**
 * A limit in milliseconds, extended if this machine is slower at the moment: measurements compare the service to plain work
 * in the same process.
 */
function within(milliseconds: number): number {
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

/** Expects a duration below a limit, see {@link within}. The machine is measured only if the limit was exceeded. */
export function expectWithin(limitMs: number, tookMs: number): void {
  if (tookMs >= limitMs) expect(tookMs).toBeLessThan(within(limitMs));
}

/** Measures work of this process: its duration, or its processor time if that is less, as on a busy machine. */
export function startTimer(): () => number {
  const [started, usage] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(usage);
    return Math.min(performance.now() - started, (user + system) / 1_000);
  };
}
