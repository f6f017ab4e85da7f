import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { LRUCache } from 'lru-cache';
import type { RequestEnv, ResponseHeaders } from '../../http/request/request-env.ts';
import { encode, encodingHeaders, encodingOf, matchesETag } from '../../http/response/encoding.ts';
import { respond } from '../../http/response/response.ts';
import type { BudgetState } from '../../rate-limit/rate-limiter.ts';
import { stringify } from '../raw-json/raw-records.ts';
import type { FormattedErrors } from './errors.ts';

/** The media type of a response unless the client accepts {@link GRAPHQL_TYPE}. */
export const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

/** A shorter response fits into one packet without compression. */
const MIN_COMPRESSED_BYTES = 1_024;

const VARY = 'Accept, Accept-Encoding, X-Api-Key';

/** Only the client itself may cache the response, and must revalidate it: the key is checked each time. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' };

/** The media type of a response that the client prefers. */
export function mediaTypeOf(c: Context): string {
  return mediaTypes.memo(c.req.header('accept') ?? '', { context: c });
}

/** Response media types by `Accept` header, cached because clients send few different headers. */
const mediaTypes = new LRUCache<string, string, Context>({
  max: 100,
  memoMethod: (_accepted, _stale, { context }) =>
    accepts(context, { header: 'Accept', supports: [GRAPHQL_TYPE, JSON_TYPE], default: JSON_TYPE }),
});

/** `extensions.rateLimit` of a response; undefined if the request failed before its rate-limit budget was read. */
export function rateLimitOf(c: Context<RequestEnv>): object | undefined {
  const charge = c.get('charge');
  return charge && { cost: charge.cost, ...formatBudget(charge) };
}

/** The state of a rate-limit budget in `extensions`. */
export function formatBudget({ limit, remaining, resetInMs }: BudgetState): object {
  return { limit, remaining, resetAt: new Date(Date.now() + resetInMs).toISOString() };
}

/** The result of an operation. */
interface Result {
  readonly data?: unknown;
  readonly errors?: FormattedErrors['errors'];
  readonly extensions?: object;
}

/** Responds with a result as JSON, with the rate limit in its `extensions`. */
export function send(c: Context<RequestEnv>, result: Result, status: number, headers: ResponseHeaders = {}): Response {
  return respond(c, serialize(c, result), status, { ...contentType(c), ...headers });
}

/**
 * Responds with the data of an operation that selects only introspection fields, compressed if it is not short. With
 * GET, the response has an ETag, the hash of the data, and is a 304 if the client already has this data. The ETag is
 * weak, because `extensions.rateLimit` differs in each response.
 */
export async function sendIntrospection(c: Context<RequestEnv>, data: unknown): Promise<Response> {
  // HEAD is answered like GET.
  const etag = c.req.method === 'POST' ? undefined : etagOf(data);
  const headers = {
    ...contentType(c),
    Vary: VARY,
    ...(etag === undefined ? {} : { ...REVALIDATE, ETag: `W/${etag}` }),
  };
  if (etag !== undefined && matchesETag(c.req.header('if-none-match'), etag)) return respond(c, null, 304, headers);
  const body = Buffer.from(serialize(c, { data }));
  const encoding = body.length < MIN_COMPRESSED_BYTES ? 'identity' : encodingOf(c.req.header('accept-encoding') ?? '');
  return respond(c, await encode(body, encoding), 200, { ...headers, ...encodingHeaders(encoding) });
}

function etagOf(data: unknown): string {
  const hash = createHash('sha256').update(stringify({ data })).digest('base64url').slice(0, 22);
  return `"${hash}"`;
}

function serialize(c: Context<RequestEnv>, result: Result): string {
  const extensions = Object.assign({}, result.extensions, { rateLimit: rateLimitOf(c) });
  return stringify(Object.assign({}, result, { extensions }));
}

/** The `Content-Type` of a response, with the media type that the client prefers. */
export function contentType(c: Context<RequestEnv>): ResponseHeaders {
  return { 'Content-Type': `${mediaTypeOf(c)}; charset=utf-8` };
}
