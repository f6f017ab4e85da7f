import type { Context } from 'hono';
import type { BudgetState } from '../../rate-limit/rate-limiter.ts';
import type { RequestEnv, ResponseHeaders } from '../request/request-env.ts';
import { UNAVAILABLE_RETRY_SECONDS } from './error-status.ts';

/** How to authenticate, as every 401 must say (RFC 9110, section 15.5.2). The scheme says that the key is a header. */
export const CHALLENGE = 'ApiKey realm="Community Membership Service", header="X-Api-Key"';

/** Up to this length, a body is a string, which is sent in one write with the headers; longer ones are cheaper as bytes. */
const MAX_STRING_BODY_CHARACTERS = 4_096;

/**
 * Creates a response with the headers collected so far and `headers`, which take precedence. A response with status 503
 * also has `Retry-After`, and one with status 401 of an API `WWW-Authenticate`.
 *
 * Headers are collected in a plain object, because the `Headers` of the Fetch standard would take more time than the rest
 * of the response. `Object.assign` gives all of these objects the same hidden class; in Node.js 20, each object
 * literal that adds properties after a spread creates a new hidden class.
 */
export function respond(
  c: Context<RequestEnv>,
  body: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  status: number,
  headers: ResponseHeaders = {},
): Response {
  c.set('hasHeaders', true);
  const content = typeof body === 'string' && body.length > MAX_STRING_BODY_CHARACTERS ? Buffer.from(body) : body;
  const added =
    status === 503
      ? { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) }
      : status === 401 && c.get('api')
        ? { 'WWW-Authenticate': CHALLENGE }
        : undefined;
  return new Response(content, { status, headers: Object.assign({}, c.get('headers'), added, headers) });
}

/** Adds the collected headers to a response that was not created by {@link respond}, such as a page. */
export function completeResponse(c: Context<RequestEnv>): void {
  if (c.get('hasHeaders')) return;
  const { headers } = c.res;
  for (const [name, value] of Object.entries(c.get('headers'))) {
    if (!headers.has(name)) headers.set(name, value);
  }
}

/** Returns the rate-limit headers of a response. */
export function rateLimitHeaders({ limit, remaining, resetInMs }: BudgetState): ResponseHeaders {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetInMs / 1_000)),
  };
}
