import type { Context, Hono } from 'hono';
import type { RequestEnv } from '../request/request-env.ts';
import { respond } from './response.ts';

const ALLOW = 'GET, HEAD, OPTIONS';

const METHOD_NOT_ALLOWED = JSON.stringify({
  error: { code: 'method_not_allowed', message: `This path supports ${ALLOW}` },
});

/** The response to methods other than GET and HEAD of a path that supports only these; undefined for GET and HEAD. */
export function otherMethodResponse(c: Context<RequestEnv>): Response | undefined {
  const { method } = c.req;
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'OPTIONS') return respond(c, null, 204, { Allow: ALLOW });
  return respond(c, METHOD_NOT_ALLOWED, 405, { 'Content-Type': 'application/json', Allow: ALLOW });
}

/**
 * Handles all methods other than GET and HEAD on every GET path that was registered so far: 204 for OPTIONS, otherwise 405.
 * Needs no authentication. Call it before registering paths that support other methods.
 */
export function rejectOtherMethods(routes: Hono<RequestEnv>): void {
  const paths = new Set(routes.routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  for (const path of paths) routes.all(path, (c, next) => otherMethodResponse(c) ?? next());
}
