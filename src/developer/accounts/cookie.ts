import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { RequestEnv } from '../../http/request/request-env.ts';
import type { Site } from '../../pages/site.ts';
import { HOME } from '../paths.ts';

type SiteAddress = Pick<Site, 'baseAddress'>;

/**
 * The attributes of cookies. With the `__Host-` prefix, which is used over HTTPS, browsers accept the cookie only from
 * this host and only over HTTPS. SameSite is Lax, so that links in emails work for signed-in users; every change is a
 * POST with a CSRF token.
 */
function cookieAttributes(c: Context<RequestEnv>, site: SiteAddress) {
  return site.baseAddress(c).startsWith('https:')
    ? ({ prefix: 'host', secure: true, path: '/' } as const)
    : ({ prefix: undefined, secure: false, path: HOME } as const);
}

/** A cookie of the developer pages; undefined if the request has none. */
export function getPageCookie(c: Context<RequestEnv>, site: SiteAddress, name: string): string | undefined {
  const { prefix } = cookieAttributes(c, site);
  return prefix ? getCookie(c, name, prefix) : getCookie(c, name);
}

/** Sets a cookie that expires after `hours`. Scripts cannot read it. */
export function setPageCookie(
  c: Context<RequestEnv>,
  site: SiteAddress,
  name: string,
  value: string,
  hours: number,
): void {
  const { prefix, ...attributes } = cookieAttributes(c, site);
  const options = { ...attributes, httpOnly: true, sameSite: 'Lax', maxAge: hours * 3_600 } as const;
  setCookie(c, name, value, prefix ? { ...options, prefix } : options);
}

/** Deletes a cookie. */
export function clearPageCookie(c: Context<RequestEnv>, site: SiteAddress, name: string): void {
  const { prefix, ...attributes } = cookieAttributes(c, site);
  deleteCookie(c, name, prefix ? { ...attributes, prefix } : attributes);
}
