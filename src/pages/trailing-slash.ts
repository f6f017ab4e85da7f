import type { MiddlewareHandler } from 'hono';

/** Middleware that redirects the address of a page with a trailing slash to the address without it. */
export function redirectTrailingSlash(): MiddlewareHandler {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const path = pathname.replace(/\/+$/, '');
    if (path === pathname || !['GET', 'HEAD'].includes(c.req.method)) return next();
    return c.redirect(path + search, 308);
  };
}
