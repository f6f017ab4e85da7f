import type { BudgetState } from '../../rate-limit/rate-limiter.ts';
import type { ResponseHeaders } from '../request/request-env.ts';

/** Returns the rate-limit headers of a response. */
export function rateLimitHeaders({ limit, remaining }: Pick<BudgetState, 'limit' | 'remaining'>): ResponseHeaders {
  return { 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': String(remaining) };
}
