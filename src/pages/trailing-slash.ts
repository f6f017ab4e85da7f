import type { MiddlewareHandler } from 'hono';

/** Longer paths are not redirected; those of the pages are far shorter. */
const MAX_CHARACTERS = 1_000;

/** The slashes at the end. Matching takes quadratic time if there are as many slashes within a path. */
const TRAILING_SLASHES = /\/+$/;

/** Middleware that redirects the address of a page with a trailing slash to the address without it. */
export function redirectTrailingSlash(): MiddlewareHandler {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    if (pathname.length > MAX_CHARACTERS || !['GET', 'HEAD'].includes(c.req.method)) return next();
    const path = pathname.replace(TRAILING_SLASHES, '');
    return path === pathname ? next() : c.redirect(path + search, 308);
  };
}
