import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { RequestEnv } from '../../http/request/request-env.ts';
import type { Site } from '../../pages/site.ts';
import { HOME } from '../paths.ts';

type SiteAddress = Pick<Site, 'baseAddress'>;

/**
 * The name and attributes of a cookie. With the `__Host-` prefix, which is used over HTTPS, browsers accept the cookie only
 * from this host and only over HTTPS. SameSite is Lax, so that links in emails work for signed-in users; every change is a
 * POST with a CSRF token.
 */
function cookieOf(c: Context<RequestEnv>, site: SiteAddress, name: string) {
  return site.baseAddress(c).startsWith('https:')
    ? { name: `__Host-${name}`, secure: true, path: '/' }
    : { name, secure: false, path: HOME };
}

/** A cookie of the developer pages; undefined if the request has none. */
export function getPageCookie(c: Context<RequestEnv>, site: SiteAddress, name: string): string | undefined {
  return getCookie(c, cookieOf(c, site, name).name);
}

/** Sets a cookie that expires after `hours`. Scripts cannot read it. */
export function setPageCookie(
  c: Context<RequestEnv>,
  site: SiteAddress,
  baseName: string,
  value: string,
  hours: number,
): void {
  const { name, ...attributes } = cookieOf(c, site, baseName);
  setCookie(c, name, value, { ...attributes, httpOnly: true, sameSite: 'Lax', maxAge: hours * 3_600 });
}

/** Deletes a cookie. */
export function clearPageCookie(c: Context<RequestEnv>, site: SiteAddress, baseName: string): void {
  const { name, ...attributes } = cookieOf(c, site, baseName);
  deleteCookie(c, name, attributes);
}
