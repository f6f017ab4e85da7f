/** How long a request waits for Redis before this instance counts in memory. */
const REDIS_TIMEOUT_MS = 200;

/** The number of parts in which the timeout is measured, see {@link withTimeout}. */
const TIMEOUT_PARTS = 4;

/**
 * The interval at which further requests are sent to Redis while an earlier one has no response, and at which errors are
 * reported.
 */
const RETRY_INTERVAL_MS = 1_000;

/**
 * Returns a function that calls the shared limiter, or `fallback` if the shared one fails or does not respond in time.
 *
 * @param onError called with the errors of the shared limiter, at most once per interval.
 */
export function withFallback<Limiter>(shared: Limiter, fallback: Limiter, onError: (error: unknown) => void) {
  let lateResponses = 0;
  let retryAt = 0;
  let reportAt = 0;
  const report = (error: unknown) => {
    const now = performance.now();
    if (now < reportAt) return;
    reportAt = now + RETRY_INTERVAL_MS;
    onError(error);
  };
  return async <Result>(call: (limiter: Limiter) => Promise<Result>): Promise<Result> => {
    // While a response is late, only one request per interval waits for Redis.
    if (lateResponses > 0 && performance.now() < retryAt) return call(fallback);
    retryAt = performance.now() + RETRY_INTERVAL_MS;
    const response = call(shared);
    try {
      return await withTimeout(response);
    } catch (error) {
      lateResponses++;
      const onSettled = () => lateResponses--;
      response.then(onSettled, onSettled);
      report(error);
      return call(fallback);
    }
  };
}

/**
 * Rejects if Redis does not respond in time, because the timeout of the client covers only sending a command.
 *
 * The time is measured in several parts, each in a separate turn of the event loop. If the process itself was busy for
 * the whole time, the response of Redis may have arrived; it is then read before the timeout applies, so that the
 * request is not counted in memory.
 */
function withTimeout<Result>(response: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isSettled = false;
    const wait = (parts: number) => {
      timer = setTimeout(() => setImmediate(after, parts), REDIS_TIMEOUT_MS / TIMEOUT_PARTS);
    };
    const after = (parts: number) => {
      if (isSettled) return;
      if (parts === 1) reject(new Error(`Redis did not respond within ${REDIS_TIMEOUT_MS} ms`));
      else wait(parts - 1);
    };
    wait(TIMEOUT_PARTS);
    response.then(resolve, reject).finally(() => {
      isSettled = true;
      clearTimeout(timer);
    });
  });
}
