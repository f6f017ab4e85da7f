/** A timer that fires later than this after its time was delayed by a blocked event loop. */
const LATE_MS = 50;

/**
 * Whether a wait took so much longer than its timeout that the event loop must have been blocked. Node.js runs timers before
 * it reads sockets, so a response that arrived meanwhile has not been seen yet.
 */
export function wasBlocked(startedAt: number, timeoutMs: number): boolean {
  return performance.now() - startedAt > timeoutMs + LATE_MS;
}

/**
 * Calls `onTimeout` after a time. If the timer fires late because the event loop was blocked, it waits once more, so that a
 * server that responded in time is not reported as unavailable.
 *
 * @returns a function that stops the timer.
 */
export function startTimer(timeoutMs: number, onTimeout: () => void): () => void {
  const startedAt = performance.now();
  let timer = setTimeout(() => {
    if (wasBlocked(startedAt, timeoutMs)) timer = setTimeout(onTimeout, timeoutMs);
    else onTimeout();
  }, timeoutMs);
  return () => clearTimeout(timer);
}
