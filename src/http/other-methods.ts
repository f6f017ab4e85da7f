import type { Hono, MiddlewareHandler } from 'hono';
import type { RequestEnv } from './request-env.ts';
import { respond } from './response.ts';

const ALLOW = 'GET, HEAD, OPTIONS';

const METHOD_NOT_ALLOWED = JSON.stringify({
  error: { code: 'method_not_allowed', message: `This path supports ${ALLOW}` },
});

const respondToMethod: MiddlewareHandler<RequestEnv> = async (c, next) => {
  const { method } = c.req;
  // The GET route has passed the request on, as for an unknown file.
  if (method === 'GET' || method === 'HEAD') return next();
  if (method === 'OPTIONS') return respond(c, null, 204, { Allow: ALLOW });
  return respond(c, METHOD_NOT_ALLOWED, 405, { 'Content-Type': 'application/json', Allow: ALLOW });
};

/**
 * Adds responses to methods other than GET and HEAD to all paths that the routes have so far and that only support these:
 * 204 to OPTIONS, otherwise 405, without authentication.
 */
export function respondToOtherMethods(routes: Hono<RequestEnv>): void {
  const paths = new Set(routes.routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  for (const path of paths) routes.all(path, respondToMethod);
}
