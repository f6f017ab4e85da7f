import type { BudgetState } from '../../rate-limit/rate-limiter.ts';
import type { ResponseHeaders } from '../request/request-env.ts';

/** Returns the rate-limit headers of a response. */
export function rateLimitHeaders({ limit, remaining, resetInMs }: BudgetState): ResponseHeaders {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetInMs / 1_000)),
  };
}
