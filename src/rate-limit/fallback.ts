import { startTimer } from '../store/connections/blocked-event-loop.ts';

/** How long a request waits for Redis while Redis responds to no request. */
const REDIS_TIMEOUT_MS = 200;

/** The interval at which a request is sent to Redis while it is unavailable. */
const RETRY_INTERVAL_MS = 1_000;

/**
 * Returns a function that calls `shared`, or `alone` if `shared` fails or Redis does not respond in time. While Redis is
 * unavailable, only one call per interval waits for it.
 */
export function createFallback(onError: (error: unknown) => void, onSuccess: () => void) {
  let isAvailable = true;
  let retryAt = 0;
  let respondedAt = 0;
  return async <Result>(shared: () => Promise<Result>, alone: () => Promise<Result>): Promise<Result> => {
    const now = performance.now();
    if (!isAvailable && now < retryAt) return alone();
    retryAt = now + RETRY_INTERVAL_MS;
    const response = shared().finally(() => {
      respondedAt = performance.now();
    });
    try {
      const result = await withTimeout(response, () => respondedAt);
      isAvailable = true;
      onSuccess();
      return result;
    } catch (error) {
      isAvailable = false;
      onError(error);
      return alone();
    }
  };
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
