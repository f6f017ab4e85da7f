import { setImmediate } from 'node:timers/promises';

/** A turn of the event loop that is shorter than this had nothing to handle. */
const IDLE_TURN_MS = 0.05;

/**
 * Resolves after a turn of the event loop that had nothing to handle, or after `maxMs`. A single turn is not enough for all
 * that arrived: Node.js accepts only one connection per turn.
 */
export async function untilIdleTurn(maxMs: number): Promise<void> {
  const deadline = performance.now() + maxMs;
  for (let started = performance.now(); started < deadline; started = performance.now()) {
    await setImmediate();
    if (performance.now() - started < IDLE_TURN_MS) return;
  }
}
