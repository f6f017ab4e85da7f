import type { Sessions } from '../domain/accounts/sign-in-session.ts';
import type { Site } from '../pages/site.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Store } from '../store/store.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';

/** The dependencies and settings of the developer pages. */
export interface DeveloperContext {
  readonly site: Pick<Site, 'respond' | 'baseAddress' | 'navigation'>;
  readonly store: Pick<Store, 'db' | 'prisma' | 'cursorSecret' | 'assertSupported'>;
  readonly rateLimiter: RateLimiter;
  /** Sign-ins, with the setting `OPERATOR_PASSWORD`. */
  readonly sessions: Sessions;
  /** The maximum number of active keys per organization; default: `DEFAULT_MAX_ACTIVE_KEYS`. */
  readonly maxActiveKeys?: number | undefined;
  readonly webhooks: Pick<Deliveries, 'allowsPrivate' | 'sendTest'>;
}
