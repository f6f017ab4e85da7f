import type { Context } from 'hono';
import { quantity } from '../domain/values/words.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { Refusal } from './refusal.ts';

/** Refusals are at least this far apart, so that a client which ignores them does not occupy the process with them. */
const REFUSAL_GAP_MS = 10;

/** The maximum time that a refusal waits; while more of them wait, they are sent together. */
const MAX_REFUSAL_WAIT_MS = 1_000;

let nextRefusalAt = 0;

/** Waits until the next refusal is due. */
async function refusalTurn(): Promise<void> {
  const now = performance.now();
  nextRefusalAt = Math.min(Math.max(nextRefusalAt + REFUSAL_GAP_MS, now), now + MAX_REFUSAL_WAIT_MS);
  await new Promise((resolve) => setTimeout(resolve, nextRefusalAt - now));
}

/**
 * Charges an attempt to a budget of `perMinute` attempts, which all instances share; a refused one waits for its turn.
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
  await refusalTurn();
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
