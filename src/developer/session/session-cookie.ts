import type { Context } from 'hono';
import { MAX_SESSION_HOURS } from '../../domain/accounts/sign-in-session.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import type { Site } from '../../pages/site.ts';
import type { DeveloperContext } from '../context.ts';
import { isValidSignature, sign } from '../form.ts';
import { clearPageCookie, getPageCookie, setPageCookie } from './cookie.ts';

const NAME = 'cms_session';

type CookieContext = Pick<DeveloperContext, 'site' | 'store'>;

/** Returns the session token of a request if its signature is valid, so that forged tokens cause no database query. */
export function readSessionToken(c: Context<RequestEnv>, { site, store }: CookieContext): string | undefined {
  const [token = '', signature = ''] = getPageCookie(c, site, NAME)?.split('.') ?? [];
  return isValidSignature(store.cursorSecret, signedContent(token), signature) ? token : undefined;
}

/** Sets the session cookie. */
export function setSessionCookie(c: Context<RequestEnv>, { site, store }: CookieContext, token: string): void {
  setPageCookie(c, site, NAME, sessionCookie(store.cursorSecret, token), MAX_SESSION_HOURS);
}

/** The value of the cookie: the token and its signature. */
export function sessionCookie(cursorSecret: Buffer, token: string): string {
  return `${token}.${sign(cursorSecret, signedContent(token))}`;
}

function signedContent(token: string): string {
  return `session ${token}`;
}

/** Clears the session cookie. */
export function clearSessionCookie(c: Context<RequestEnv>, site: Pick<Site, 'baseAddress'>): void {
  clearPageCookie(c, site, NAME);
}
