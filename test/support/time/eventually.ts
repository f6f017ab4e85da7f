import { vi } from 'vitest';

/** Long enough for a busy machine; only a test that fails waits as long. */
const PATIENCE_MS = 60_000;

/** Repeats a check until it does not throw. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 30 });
}
