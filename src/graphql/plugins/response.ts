import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { parseAccept } from 'hono/utils/accept';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../domain/core/errors.ts';
import type { RequestEnv, ResponseHeaders } from '../../http/request/request-env.ts';
import { encode, encodingHeaders, encodingOf } from '../../http/response/encoding.ts';
import { etagOf, matchesETag } from '../../http/response/etag.ts';
import { respond } from '../../http/response/response.ts';
import type { BudgetState } from '../../rate-limit/rate-limiter.ts';
import type { ExecutedOperation } from '../operation/execute.ts';
import { isIntrospectionOnly } from '../operation/introspection.ts';
import type { NormalOperation } from '../operation/normal-form.ts';
import { stringify } from '../raw-json/raw-json.ts';
import { ALLOW, type FormattedErrors } from './errors.ts';
import { BatchRejected } from './request.ts';
import { type RequestState, stateOf } from './request-state.ts';

/** Maximum length of an array of operations for which each operation gets an error; a longer array gets a single one. */
const MAX_BATCH_RESULTS = 50;

/** The media type of a response unless the client accepts {@link GRAPHQL_TYPE}. */
const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

/** A shorter response fits into one packet without compression. */
const MIN_COMPRESSED_BYTES = 1_024;

const VARY = 'Accept, Accept-Encoding, X-Api-Key';

/** Only the client itself may cache the response, and must revalidate it: the key is checked each time. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' };

/** The media type of a response that the client prefers. */
function mediaTypeOf(c: Context): string {
  return mediaTypes.memo(c.req.header('accept') ?? '', { context: c });
}

/** Response media types by `Accept` header, cached because clients send few different headers. */
const mediaTypes = new LRUCache<string, string, Context>({
  max: 100,
  memoMethod: (_accepted, _stale, { context }) =>
    accepts(context, { header: 'Accept', supports: [GRAPHQL_TYPE, JSON_TYPE], default: JSON_TYPE }),
});

/** `extensions.rateLimit` of a response; undefined if the request failed before its rate-limit budget was read. */
function rateLimitOf(c: Context<RequestEnv>): object | undefined {
  const charge = c.get('charge');
  return charge && { cost: charge.cost, ...formatBudget(charge) };
}

/** The state of a rate-limit budget in `extensions`. */
export function formatBudget({ limit, remaining, resetInMs }: BudgetState): object {
  return { limit, remaining, resetAt: new Date(Date.now() + resetInMs).toISOString() };
}

/** The body of a response. */
interface Result {
  readonly data?: unknown;
  readonly errors?: FormattedErrors['errors'];
  readonly extensions?: object | undefined;
}

/** Responds with a result as JSON, with the rate limit in its `extensions`. */
function send(c: Context<RequestEnv>, result: Result, status: number, headers: ResponseHeaders = {}): Response {
  return respond(c, serialize(c, result), status, { ...contentType(c), ...headers });
}

/**
 * Responds with the data of an operation that selects only introspection fields, compressed if it is not short. With
 * GET, the response has an ETag, the hash of the data, and is a 304 if the client already has this data. The ETag is
 * weak, because `extensions.rateLimit` differs in each response.
 */
async function sendIntrospection(c: Context<RequestEnv>, data: unknown): Promise<Response> {
  // HEAD is answered like GET.
  const etag = c.req.method === 'POST' ? undefined : etagOf(stringify({ data }));
  const headers = {
    ...contentType(c),
    Vary: VARY,
    ...(etag === undefined ? {} : { ...REVALIDATE, ETag: `W/${etag}` }),
  };
  if (etag !== undefined && matchesETag(c.req.header('if-none-match') ?? '', etag, 'weak'))
    return respond(c, null, 304, headers);
  const body = Buffer.from(serialize(c, { data }));
  const encoding = body.length < MIN_COMPRESSED_BYTES ? 'identity' : encodingOf(c.req.header('accept-encoding') ?? '');
  return respond(c, await encode(body, encoding), 200, { ...headers, ...encodingHeaders(encoding) });
}

function serialize(c: Context<RequestEnv>, result: Result): string {
  const extensions = Object.assign({}, result.extensions, { rateLimit: rateLimitOf(c) });
  return stringify(Object.assign({}, result, { extensions }));
}

/** The `Content-Type` of a response, with the media type that the client prefers. */
function contentType(c: Context<RequestEnv>): ResponseHeaders {
  return { 'Content-Type': `${mediaTypeOf(c)}; charset=utf-8` };
}

/**
 * Formats the errors of a request, logs their causes, and records the failure of the request.
 *
 * @param more the number of errors that are not in `thrown`.
 */
export type Report = (
  c: Context<RequestEnv>,
  thrown: readonly unknown[],
  more?: number,
  operation?: NormalOperation,
) => FormattedErrors;

/** Responds with the result of a request as JSON, in the media type that the client prefers. */
export function useResponse(report: Report): Plugin {
  return {
    onResultProcess({ request, result, setResultProcessor }) {
      const state = stateOf(request);
      setResultProcessor(() => respondWith(state, result as ExecutionResult, report) as Response, mediaTypeOf(state.c));
    },
  };
}

function respondWith({ c, context }: RequestState, result: ExecutedOperation, report: Report) {
  const { data, errors, moreErrors, extensions } = result;
  const { operation, payloadErrors } = context;
  if (!errors) {
    // If payloads list errors, the response has no `errors`, but the request counts as failed.
    if (payloadErrors.length > 0) report(c, payloadErrors, 0, operation);
    if (operation && data && isIntrospectionOnly(operation)) return sendIntrospection(c, data);
    return send(c, { data: data ?? null, extensions }, 200);
  }
  const formatted = report(c, errors, moreErrors, operation);
  if (data !== undefined) return send(c, { errors: formatted.errors, data }, 200);
  return sendErrors(c, errors[0]?.originalError ?? errors[0], formatted);
}

/** Responds to a request of which nothing was executed. @param error its first error. */
export function sendErrors(c: Context<RequestEnv>, error: unknown, formatted: FormattedErrors): Response {
  if (error instanceof BatchRejected && error.operations > 0 && error.operations <= MAX_BATCH_RESULTS) {
    return rejectBatch(c, error, formatted);
  }
  const status = formatted.areRequestErrors && usesLegacyStatus(c) ? 200 : formatted.status;
  const wait = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
  return send(c, { errors: formatted.errors }, status, {
    ...(status === 405 ? { Allow: ALLOW } : {}),
    ...(wait === undefined ? {} : { 'Retry-After': String(wait) }),
  });
}

/**
 * Rejects an array of operations with an array of results, one for each operation: the BatchHttpLink of Apollo Client 4
 * reports the errors only in this form. That of version 3 reports only the status.
 */
function rejectBatch(
  c: Context<RequestEnv>,
  { operations }: BatchRejected,
  { errors, status }: FormattedErrors,
): Response {
  const result = { errors, extensions: { rateLimit: rateLimitOf(c) } };
  const body = JSON.stringify(Array(operations).fill(result));
  return respond(c, body, status, contentType(c));
}

/** GraphQL over HTTP: if the client asks for `application/json` by name and gets it, an invalid document has status 200. */
function usesLegacyStatus(c: Context): boolean {
  return (
    mediaTypeOf(c) === JSON_TYPE &&
    parseAccept(c.req.header('accept') ?? '').some(({ type, q }) => type.toLowerCase() === JSON_TYPE && q > 0)
  );
}
