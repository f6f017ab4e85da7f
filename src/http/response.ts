import type { Context } from 'hono';
import { UNAVAILABLE_RETRY_SECONDS } from './error-status.ts';
import type { RequestEnv, ResponseHeaders } from './request-env.ts';

/** Up to this many characters, a body is written together with the headers; a longer one is cheaper as bytes. */
const SHORT_BODY_CHARACTERS = 4_096;

/**
 * Makes a response with the headers collected so far and `headers`; a 503 gets Retry-After.
 *
 * The headers are one plain object until they are written, because the `Headers` of the Fetch standard cost more than
 * everything else in a response.
 */
export function respond(
  c: Context<RequestEnv>,
  body: string | Buffer<ArrayBuffer> | null,
  status: number,
  headers: ResponseHeaders = {},
): Response {
  c.set('isAnswered', true);
  const content = typeof body === 'string' && body.length > SHORT_BODY_CHARACTERS ? Buffer.from(body) : body;
  const retry = status === 503 ? { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) } : {};
  return new Response(content, { status, headers: { ...c.get('headers'), ...retry, ...headers } });
}

/** Adds the headers that every response has to one that Hono made by itself, such as a page. */
export function completeResponse(c: Context<RequestEnv>): void {
  if (c.get('isAnswered')) return;
  const { headers } = c.res;
  for (const [name, value] of Object.entries(c.get('headers'))) {
    if (!headers.has(name)) headers.set(name, value);
  }
}
