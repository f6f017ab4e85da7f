import type { RateLimiter } from '../rate-limit/rate-limiter.ts';

/**
 * Charges one of `perMinute` attempts to a budget of the service's rate limiter, which all instances share.
 *
 * @returns the seconds until the next attempt is allowed; undefined when this one is.
 */
export async function chargeAttempt(
  limiter: RateLimiter,
  budget: string,
  perMinute: number,
): Promise<number | undefined> {
  const charge = await limiter.charge(budget, Math.ceil(limiter.limit / perMinute));
  return charge.admitted ? undefined : Math.max(1, Math.ceil(charge.resetInMs / 1_000));
}

/** `1 second`, `2 seconds`. */
export function formatSeconds(seconds: number): string {
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}
