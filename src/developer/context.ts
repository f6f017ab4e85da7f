import type { Site } from '../pages/site.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Store } from '../store/store.ts';

/** The dependencies and settings of the developer pages. */
export interface DeveloperContext {
  readonly site: Pick<Site, 'respond' | 'baseAddress' | 'navigation'>;
  readonly store: Pick<Store, 'db' | 'prisma' | 'cursorSecret'>;
  readonly rateLimiter: RateLimiter;
  /** The setting `OPERATOR_PASSWORD`. If undefined, the operator has the password that was set with a link. */
  readonly operatorPassword: string | undefined;
  /** The maximum number of active keys per organization; default: `DEFAULT_MAX_ACTIVE_KEYS`. */
  readonly maxActiveKeys?: number | undefined;
}
