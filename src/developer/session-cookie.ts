import type { Context } from 'hono';
import { MAX_SESSION_HOURS } from '../domain/admin/sign-in-session.ts';
import type { RequestEnv } from '../http/request-env.ts';
import type { Site } from '../pages/site.ts';
import { clearPageCookie, getPageCookie, setPageCookie } from './cookie.ts';
import { isProof, proofOf } from './form.ts';
import type { Parts } from './parts.ts';

const NAME = 'cms_session';

type CookieParts = Pick<Parts, 'site' | 'store'>;

/**
 * The token that a browser sent, if this service gave it: what others make up is not looked up, because that costs a
 * statement and needs no account.
 */
export function sentToken(c: Context<RequestEnv>, { site, store }: CookieParts): string | undefined {
  const [token = '', proof = ''] = getPageCookie(c, site, NAME)?.split('.') ?? [];
  return isProof(store.cursorSecret, toProve(token), proof) ? token : undefined;
}

/** Gives a browser its token. */
export function giveToken(c: Context<RequestEnv>, { site, store }: CookieParts, token: string): void {
  setPageCookie(c, site, NAME, sessionCookie(store.cursorSecret, token), MAX_SESSION_HOURS);
}

/** The value of the cookie: the token, and the proof that the service gave it. */
export function sessionCookie(cursorSecret: Buffer, token: string): string {
  return `${token}.${proofOf(cursorSecret, toProve(token))}`;
}

function toProve(token: string): string {
  return `session ${token}`;
}

/** Takes it away. */
export function takeToken(c: Context<RequestEnv>, site: Pick<Site, 'baseAddress'>): void {
  clearPageCookie(c, site, NAME);
}
