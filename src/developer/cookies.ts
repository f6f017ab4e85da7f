import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { MAX_SESSION_HOURS } from '../domain/accounts/sign-in-session.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import type { Site } from '../pages/site.ts';
import type { Store } from '../store/store.ts';
import { isValidSignature, sign } from './form-data.ts';
import { HOME } from './paths.ts';

const SESSION_COOKIE = 'cms_session';

interface CookieContext {
  readonly site: Pick<Site, 'baseAddress'>;
  readonly store: Pick<Store, 'appSecret'>;
}

/** Returns the session token of a request if its signature is valid, so that forged tokens cause no database query. */
export function readSessionToken(c: Context<RequestEnv>, context: CookieContext): string | undefined {
  const [token = '', signature = ''] = getPageCookie(c, context, SESSION_COOKIE)?.split('.') ?? [];
  return isValidSignature(context.store.appSecret, signedContent(token), signature) ? token : undefined;
}

/** Sets the session cookie. */
export function setSessionCookie(c: Context<RequestEnv>, context: CookieContext, token: string): void {
  setPageCookie(c, context, SESSION_COOKIE, sessionCookie(context.store.appSecret, token), MAX_SESSION_HOURS);
}

/** The value of the cookie: the token and its signature. */
export function sessionCookie(appSecret: Buffer, token: string): string {
  return `${token}.${sign(appSecret, signedContent(token))}`;
}

function signedContent(token: string): string {
  return `session ${token}`;
}

/** Clears the session cookie. */
export function clearSessionCookie(c: Context<RequestEnv>, context: CookieContext): void {
  const { name, ...attributes } = cookieOf(c, context, SESSION_COOKIE);
  deleteCookie(c, name, attributes);
}

/** A cookie of the developer pages; undefined if the request has none. */
export function getPageCookie(c: Context<RequestEnv>, context: CookieContext, name: string): string | undefined {
  return getCookie(c, cookieOf(c, context, name).name);
}

/** Sets a cookie that expires after `hours`. Scripts cannot read it. */
export function setPageCookie(
  c: Context<RequestEnv>,
  context: CookieContext,
  baseName: string,
  value: string,
  hours: number,
): void {
  const { name, ...attributes } = cookieOf(c, context, baseName);
  setCookie(c, name, value, { ...attributes, httpOnly: true, sameSite: 'Lax', maxAge: hours * 3_600 });
}

/**
 * The name and attributes of a cookie. With the `__Host-` prefix, which is used over HTTPS, browsers accept the cookie only
 * from this host and only over HTTPS. SameSite is Lax, so that links in emails work for signed-in users; every change is a
 * POST with a CSRF token.
 */
function cookieOf(c: Context<RequestEnv>, { site }: CookieContext, name: string) {
  return site.baseAddress(c).startsWith('https:')
    ? { name: `__Host-${name}`, secure: true, path: '/' }
    : { name, secure: false, path: HOME };
}
