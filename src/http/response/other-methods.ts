import type { Context, Hono } from 'hono';
import { ServiceError } from '../../domain/core/errors.ts';
import type { RequestEnv } from '../request/request-env.ts';
import { respond } from './response.ts';

/** Returns the header `Allow` of a path that supports these methods. */
export function allowHeader(methods: readonly string[]): string {
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ');
}

const ALLOW = allowHeader(['GET']);

/**
 * Returns the error for a method that a path does not support.
 *
 * @param allow the value of the header `Allow`.
 * @param path the path, with parameters in braces.
 * @param hint what to send instead, beginning with a semicolon.
 */
export function methodNotAllowed(method: string, allow: string, path = 'This path', hint = ''): ServiceError {
  return new ServiceError('method_not_allowed', `${path} does not support ${method}; it supports ${allow}${hint}`);
}

/** The response to methods other than GET and HEAD of a path that supports only these; undefined for GET and HEAD. */
export function otherMethodResponse(c: Context<RequestEnv>): Response | undefined {
  const { method } = c.req;
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'OPTIONS') return respond(c, null, 204, { Allow: ALLOW });
  const { code, message } = methodNotAllowed(method, ALLOW);
  const headers = { 'Content-Type': 'application/json', Allow: ALLOW };
  return respond(c, JSON.stringify({ error: { code, message } }), 405, headers);
}

/**
 * Handles all methods other than GET and HEAD on every GET path that was registered so far: 204 for OPTIONS, otherwise 405.
 * Needs no authentication. Call it before registering paths that support other methods.
 */
export function rejectOtherMethods(routes: Hono<RequestEnv>): void {
  const paths = new Set(routes.routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  for (const path of paths) routes.all(path, (c, next) => otherMethodResponse(c) ?? next());
}
