import type { MiddlewareHandler } from 'hono';

/** Middleware that redirects the address of a page with a trailing slash to the address without it. */
export function redirectTrailingSlash(): MiddlewareHandler {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    if (!pathname.endsWith('/') || !['GET', 'HEAD'].includes(c.req.method)) return next();
    return c.redirect(withoutTrailingSlashes(pathname) + search, 308);
  };
}

/**
 * Returns a path without the slashes at its end. Not by a regular expression, which takes quadratic time if there are
 * many slashes within the path.
 */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path.endsWith('/', end)) end -= 1;
  return path.slice(0, end);
}
