/**
 * The number of iterations of the event loop between two turns of large operations. Node.js accepts one connection per
 * iteration. If there was a turn in every iteration, a new client would wait for as many turns as there are connections
 * before its own.
 */
const ITERATIONS_BETWEEN_TURNS = 16;

/** Functions that start the waiting turns. The first one is the turn that runs now, or the next one. */
const waiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop for a part of a large operation. The large operations of the process get turns one
 * at a time, in the order of the calls. Between two turns, other requests get as much time as the last turn took.
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
