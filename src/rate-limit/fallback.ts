import { startTimer } from '../store/connections/blocked-event-loop.ts';

/** How long a request waits while Redis responds to none. */
const REDIS_TIMEOUT_MS = 200;

/** The state of Redis. */
export interface RedisFault {
  /** Whether Redis is unavailable. */
  readonly isActive: boolean;
  /** Reports an error of Redis, with which the fault begins or continues. */
  report(error: unknown): void;
  /** Sets the check that ends the fault. */
  endWhen(isOver: () => Promise<boolean>): void;
}

/**
 * Returns a function that calls `shared`, or `alone` if Redis is unavailable, fails or does not respond in time.
 */
export function createFallback(fault: RedisFault) {
  let respondedAt = 0;
  return async <Result>(shared: () => Promise<Result>, alone: () => Promise<Result>): Promise<Result> => {
    if (fault.isActive) return alone();
    const response = shared().finally(() => {
      respondedAt = performance.now();
    });
    try {
      return await withTimeout(response, () => respondedAt);
    } catch (error) {
      fault.report(error);
      return alone();
    }
  };
}

/** Whether Redis carries out a command in time. */
export function respondsInTime(response: Promise<unknown>): Promise<boolean> {
  return withTimeout(response, () => 0).then(
    () => true,
    () => false,
  );
}

/**
 * Rejects if Redis does not respond in time, because the client's own timeout ends when a command is sent. Many commands at
 * once are sent in parts, so the time begins again with each response.
 */
async function withTimeout<Result>(response: Promise<Result>, respondedAt: () => number): Promise<Result> {
  let stopTimer: (() => void) | undefined;
  let isSettled = false;
  const timeout = new Promise<never>((_resolve, reject) => {
    const check = () => {
      if (isSettled) return;
      if (performance.now() - respondedAt() < REDIS_TIMEOUT_MS) wait();
      else reject(new Error(`Redis did not respond within ${REDIS_TIMEOUT_MS} ms`));
    };
    // A response that arrived while the process was busy is read before `setImmediate`.
    const wait = () => {
      stopTimer = startTimer(REDIS_TIMEOUT_MS, () => setImmediate(check));
    };
    wait();
  });
  return Promise.race([response, timeout]).finally(() => {
    isSettled = true;
    stopTimer?.();
  });
}
