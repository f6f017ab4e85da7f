import { vi } from 'vitest';

/** Long enough for a busy machine; only failing tests wait as long. */
const TIMEOUT_MS = 60_000;

/** Repeats a check until it does not throw. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: TIMEOUT_MS, interval: 30 });
}
