import type { Context } from 'hono';
import { ServiceError } from '../domain/core/errors.ts';
import { quantity } from '../domain/values/words.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import { rateLimitHeaders } from '../http/response/response.ts';
import type { BudgetState, RateLimiter } from '../rate-limit/rate-limiter.ts';

/** A budget of the rate limiter. */
export interface Budget {
  readonly name: string;
  /** In points per minute; undefined for the default. */
  readonly limit?: number | undefined;
  /** Whether errors give the limit in points instead of requests. */
  readonly inPoints?: boolean;
}

/** Returns the budget of requests without a valid key. @param address see `clientAddress`. */
export function addressBudget(address: string): Budget {
  return { name: `address:${address}` };
}

/** Returns the name of the budget of a key. */
export function keyBudgetName(keyId: string): string {
  return `key:${keyId}`;
}

/** Returns the budget of the key of an authenticated request. */
export function keyBudget(c: Context<RequestEnv>): Budget {
  const { keyId, rateLimit } = c.get('domainContext').caller;
  return { name: keyBudgetName(keyId), limit: rateLimit, inPoints: c.get('api') === 'graphql' };
}

/**
 * Charges points of a request to a budget, and sets the rate-limit headers.
 *
 * @throws {ServiceError} `rate_limited`; none of these points is charged then, but those charged before remain.
 */
export async function chargeBudget(
  rateLimiter: RateLimiter,
  c: Context<RequestEnv>,
  budget: Budget,
  cost: number,
): Promise<void> {
  const charge = await rateLimiter.charge(budget.name, cost, budget.limit);
  setCharge(c, budget, charge, charge.allowed ? cost : 0);
  if (!charge.allowed) throw rateLimited(c, charge, cost, budget);
}

/** Sets what a request is charged, in addition to earlier charges to the same budget, and its rate-limit headers. */
export function setCharge(c: Context<RequestEnv>, budget: Budget, state: BudgetState, cost = 0): void {
  const { limit, remaining, resetInMs } = state;
  c.set('charge', { budget: budget.name, limit, remaining, resetInMs, cost: costSoFar(c, budget) + cost });
  Object.assign(c.get('headers'), rateLimitHeaders(state));
}

/** What a request has been charged to a budget. */
function costSoFar(c: Context<RequestEnv>, { name }: Budget): number {
  const previous = c.get('charge');
  return previous?.budget === name ? previous.cost : 0;
}

/** The error of a request that exceeds a budget; adds the time to wait to the headers of its response. */
function rateLimited(c: Context<RequestEnv>, state: BudgetState, cost: number, budget: Budget): ServiceError {
  const waitSeconds = Math.max(1, Math.ceil(state.resetInMs / 1_000));
  c.get('headers')['Retry-After'] = String(waitSeconds);
  return new ServiceError('rate_limited', limitMessage(state, cost, budget, waitSeconds));
}

/** The message of an error `rate_limited` of a REST request, or of a request without a valid key. */
export function requestLimitMessage(limit: number, waitSeconds: number): string {
  return `The limit of ${limit} requests/minute is used up; ${tryAgain(waitSeconds)}`;
}

function limitMessage(
  { limit, remaining }: BudgetState,
  cost: number,
  { inPoints }: Budget,
  waitSeconds: number,
): string {
  if (remaining === 0 && !inPoints) return requestLimitMessage(limit, waitSeconds);
  if (remaining === 0) return `The limit of ${limit} points/minute is used up; ${tryAgain(waitSeconds)}`;
  const what = inPoints ? 'operation' : 'request';
  const left = `${remaining} of the limit of ${limit} points/minute ${remaining === 1 ? 'is' : 'are'} left`;
  return `This ${what} costs ${quantity(cost, 'more point')}, and ${left}; ${tryAgain(waitSeconds)}`;
}

function tryAgain(waitSeconds: number): string {
  return `try again in ${quantity(waitSeconds, 'second')}`;
}
