import type { Site } from '../pages/site.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Store } from '../store/store.ts';

/** What the developer page is made of. */
export interface Parts {
  readonly site: Pick<Site, 'respond' | 'baseAddress'>;
  readonly store: Pick<Store, 'db' | 'prisma' | 'cursorSecret'>;
  readonly rateLimiter: RateLimiter;
  /** Without one nobody signs in as operator. */
  readonly operatorPassword: string | undefined;
  /** How many keys of an organization may be active; as many as usual unless told. */
  readonly maxActiveKeys?: number;
}

/** Where the pages are. */
export const HOME = '/developer';
export const SIGN_IN = `${HOME}/sign-in`;
export const SIGN_OUT = `${HOME}/sign-out`;

/** The page of an organization, or one below it. */
export function pathOf(organizationId: string, ...below: string[]): string {
  return [HOME, 'organizations', organizationId, ...below].join('/');
}
