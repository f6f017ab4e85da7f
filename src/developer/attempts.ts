import type { Context } from 'hono';
import { quantity } from '../domain/values/words.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { Refusal } from './refusal.ts';

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
  if (charge.admitted) return undefined;
  return Math.max(1, Math.ceil(charge.resetInMs / 1_000));
}

/** Refuses an attempt with a {@link Refusal} if `retryAfter`, the result of {@link chargeAttempt}, is defined. */
export function requireAttempt(
  c: Context<RequestEnv>,
  retryAfter: number | undefined,
  title = 'Too many attempts',
): void {
  if (retryAfter === undefined) return;
  c.header('Retry-After', String(retryAfter));
  throw new Refusal(429, title, `Nothing was changed. Try again in ${quantity(retryAfter, 'second')}.`);
}
