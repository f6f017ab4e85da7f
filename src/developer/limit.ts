import type { RateLimiter } from '../rate-limit/rate-limiter.ts';

/**
 * Charges an attempt to a budget of `perMinute` attempts, which all instances share.
 *
 * @returns the seconds until the next attempt is allowed; undefined if this one is.
 */
export async function chargeAttempt(
  limiter: RateLimiter,
  budget: string,
  perMinute: number,
): Promise<number | undefined> {
  const charge = await limiter.charge(budget, 1, perMinute);
  return charge.admitted ? undefined : Math.max(1, Math.ceil(charge.resetInMs / 1_000));
}
