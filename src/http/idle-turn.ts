import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/**
 * Resolves after a turn of the event loop in which nothing arrived on sockets, or after `maxMs`. A single turn is not enough
 * for all that arrived: Node.js accepts only one connection per turn.
 */
export async function untilIdleTurn(maxMs: number): Promise<void> {
  const deadline = performance.now() + maxMs;
  while (performance.now() < deadline) {
    const { events } = performance.nodeTiming.uvMetricsInfo;
    await setImmediate();
    if (performance.nodeTiming.uvMetricsInfo.events === events) return;
  }
}
