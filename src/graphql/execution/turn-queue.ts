/**
 * How often the event loop runs between two turns of large operations. Node.js accepts one connection each time, so with
 * one turn in each, a client would wait for as many turns as there are connections before its own.
 */
const ITERATIONS_BETWEEN_TURNS = 16;

/** Calls that resolve the waiting turns; the first one is next, or runs. */
const waiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop for a part of a large operation. All operations of the process share the turns: they
 * get them one at a time, in the order of the calls, and between two turns other requests have as much time as the last
 * one took.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) startAfter(ITERATIONS_BETWEEN_TURNS);
  });
}

function startAfter(iterations: number): void {
  if (iterations > 0) setImmediate(startAfter, iterations - 1);
  else startFirst();
}

function startFirst(): void {
  const started = performance.now();
  waiting[0]?.();
  // The work is done when the promise callbacks have run.
  setImmediate(() => {
    waiting.shift();
    if (waiting.length > 0) setTimeout(startAfter, performance.now() - started, ITERATIONS_BETWEEN_TURNS);
  });
}
