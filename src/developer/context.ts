import type { Site } from '../pages/site.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Store } from '../store/store.ts';

/** The dependencies and settings of the developer pages. */
export interface DeveloperContext {
  readonly site: Pick<Site, 'respond' | 'baseAddress' | 'navigation'>;
  readonly store: Pick<Store, 'db' | 'cursorSecret'>;
  readonly rateLimiter: RateLimiter;
  /** The setting; if it is undefined, the operator has the password that was set by a link. */
  readonly operatorPassword: string | undefined;
  /** The maximum number of active keys per organization; defaults to the domain's. */
  readonly maxActiveKeys?: number | undefined;
}
