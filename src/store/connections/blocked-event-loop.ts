/** If a timer fires this much after its due time, the event loop was blocked. */
const BLOCKED_MS = 50;

/** The time in which sockets are read after the event loop was blocked. */
const READ_MS = 100;

/**
 * Whether a wait took so much longer than its timeout that the event loop must have been blocked. Node.js runs timers before
 * it reads sockets, so a response that arrived meanwhile has not been seen yet.
 */
export function wasBlocked(startedAt: number, timeoutMs: number): boolean {
  return performance.now() - startedAt > timeoutMs + BLOCKED_MS;
}

/**
 * Calls `onTimeout` after a time. If the event loop was blocked, it first waits until sockets have been read, so that a server
 * that responded in time is not reported as unavailable.
 *
 * @returns a function that stops the timer.
 */
export function startTimer(timeoutMs: number, onTimeout: () => void): () => void {
  const startedAt = performance.now();
  let timer = setTimeout(() => {
    if (wasBlocked(startedAt, timeoutMs)) timer = setTimeout(onTimeout, READ_MS);
    else onTimeout();
  }, timeoutMs);
  return () => clearTimeout(timer);
}

/** How often the event loop is checked, and for how long a late check counts. */
const WATCH_MS = 200;
const RECENT_MS = 5_000;

let watch: NodeJS.Timeout | undefined;
let lateAt = Number.NEGATIVE_INFINITY;

/** Begins to watch the event loop, for {@link wasLateRecently}. */
export function watchEventLoop(): void {
  if (watch) return;
  let checkedAt = performance.now();
  watch = setInterval(() => {
    if (wasBlocked(checkedAt, WATCH_MS)) lateAt = performance.now();
    checkedAt = performance.now();
  }, WATCH_MS);
  watch.unref();
}

/** Whether the event loop was late a moment ago: a server that seemed not to respond in time may have done so. */
export function wasLateRecently(): boolean {
  return performance.now() - lateAt < RECENT_MS;
}
