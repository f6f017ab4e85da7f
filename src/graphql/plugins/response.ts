import type { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { parseAccept } from 'hono/utils/accept';
import { ServiceError } from '../../domain/core/errors.ts';
import type { RequestEnv, ResponseHeaders } from '../../http/request/request-env.ts';
import { encode, encodingHeaders, encodingOf } from '../../http/response/encoding.ts';
import { etagOf, matchesETag } from '../../http/response/etag.ts';
import { eventStream } from '../../http/response/event-stream.ts';
import { respond } from '../../http/response/response.ts';
import { stringify } from '../data/response-body.ts';
import type { NormalOperation } from '../document/normal-form.ts';
import { isIntrospectionOnly } from '../operation/cost.ts';
import { type FormatAndLog, type FormattedErrors, failureOf } from '../operation/errors.ts';
import type { ExecutedOperation } from '../operation/execute.ts';
import { type ChangeStream, COMPLETE, eventText } from '../subscription/change-stream.ts';
import { EVENT_STREAM } from '../subscription/subscribe.ts';
import { BatchRejected, type RequestState, stateOf } from './request.ts';

/** The methods of `/graphql`. */
export const ALLOW = 'GET, HEAD, POST, OPTIONS';

/** The media type of a response unless the client accepts {@link GRAPHQL_TYPE}. */
const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

/**
 * Responds with the result of a request as JSON, in the media type that the client prefers, and to subscriptions with
 * Server-Sent Events, in the format of the "distinct connections mode" of graphql-sse. Yoga's own events have no ids, the
 * interval of its comments is fixed, and it keeps the whole request in memory.
 */
export function useResponse(formatAndLog: FormatAndLog): Plugin {
  return {
    onResultProcess({ request, result, setResultProcessor }) {
      const state = stateOf(request);
      const { c } = state;
      const { events } = result as { readonly events?: ChangeStream };
      if (events) setResultProcessor(() => respondWithEvents(c, events, formatAndLog), EVENT_STREAM);
      else setResultProcessor(() => respondWith(state, result as ExecutedOperation, formatAndLog), mediaTypeOf(c));
    },
  };
}

function respondWithEvents(c: Context<RequestEnv>, events: ChangeStream, formatAndLog: FormatAndLog): Response {
  const body = eventStream(events, c.env?.outgoing, errorLog(formatAndLog, c.get('requestId')));
  // nginx would otherwise hold events back.
  return respond(c, body, 200, { 'Content-Type': EVENT_STREAM, 'X-Accel-Buffering': 'no' });
}

/** Logs an error that ends a stream. Apart, so that the function does not refer to the request. */
function errorLog(formatAndLog: FormatAndLog, requestId: string): (error: unknown) => void {
  return (error) => void formatAndLog([error], requestId);
}

function respondWith(
  { c, context }: RequestState,
  result: ExecutedOperation,
  formatAndLog: FormatAndLog,
): Response | Promise<Response> {
  const { data, errors, moreErrors, extensions } = result;
  const { operation, payloadErrors } = context;
  const requestId = c.get('requestId');
  if (!errors) {
    // If payloads list errors, the response has no `errors`, but the request counts as failed.
    if (payloadErrors.length > 0) {
      recordFailure(c, formatAndLog(payloadErrors, requestId), operation, payloadErrors[0]);
    }
    if (operation && data && isIntrospectionOnly(operation) && !acceptsOnlyEvents(c)) {
      return sendIntrospection(c, data, () => stringify(withRateLimit(c, { data })), contentType(c));
    }
    return send(c, { data: data ?? null, extensions });
  }
  const formatted = formatAndLog(errors, requestId, moreErrors);
  recordFailure(c, formatted, operation, errors[0]);
  if (data !== undefined) return send(c, { errors: formatted.errors, data });
  return sendErrors(c, errors[0]?.originalError ?? errors[0], formatted);
}

/** A shorter response fits into one packet without compression. */
const MIN_COMPRESSED_BYTES = 1_024;

const VARY = 'Accept, Accept-Encoding, X-Api-Key';

/** Only the client itself may cache the response, and must revalidate it: the key is checked each time. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' };

/**
 * Responds with the data of an operation that selects only introspection fields, compressed if it is not short. With
 * GET, the response has an ETag, the hash of the data, and is a 304 if the client already has this data. The ETag is
 * weak, because `extensions.rateLimit` differs in each response.
 *
 * @param bodyOf returns the body of the response.
 * @param contentType the header of this name.
 */
async function sendIntrospection(
  c: Context<RequestEnv>,
  data: unknown,
  bodyOf: () => string,
  contentType: ResponseHeaders,
): Promise<Response> {
  // HEAD is answered like GET.
  const etag = c.req.method === 'POST' ? undefined : etagOf(stringify({ data }));
  const headers = {
    ...contentType,
    Vary: VARY,
    ...(etag === undefined ? {} : { ...REVALIDATE, ETag: `W/${etag}` }),
  };
  if (etag !== undefined && matchesETag(c.req.header('if-none-match') ?? '', etag, 'weak'))
    return respond(c, null, 304, headers);
  const body = Buffer.from(bodyOf());
  const encoding = body.length < MIN_COMPRESSED_BYTES ? 'identity' : encodingOf(c.req.header('accept-encoding') ?? '');
  return respond(c, await encode(body, encoding), 200, { ...headers, ...encodingHeaders(encoding) });
}

/** The body of a response. */
interface Result {
  readonly data?: unknown;
  readonly errors?: FormattedErrors['errors'];
  readonly extensions?: object | undefined;
}

/** Responds with a result as JSON, or as an event, with the rate limit in its `extensions`. */
function send(c: Context<RequestEnv>, result: Result): Response {
  if (acceptsOnlyEvents(c)) {
    return respond(c, `${eventText(withRateLimit(c, result))}${COMPLETE}`, 200, { 'Content-Type': EVENT_STREAM });
  }
  return respond(c, stringify(withRateLimit(c, result)), 200, contentType(c));
}

/** Responds to a request of which nothing was executed. @param error its first error. */
export function sendErrors(c: Context<RequestEnv>, error: unknown, formatted: FormattedErrors): Response {
  const status = formatted.areRequestErrors && usesLegacyStatus(c) ? 200 : formatted.status;
  const wait = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
  const result = withRateLimit(c, { errors: formatted.errors });
  return respond(c, stringify(error instanceof BatchRejected ? error.bodyOf(result) : result), status, {
    ...contentType(c),
    ...(status === 405 ? { Allow: ALLOW } : {}),
    ...(wait === undefined ? {} : { 'Retry-After': String(wait) }),
  });
}

/** GraphQL over HTTP: if the client asks for `application/json` by name and gets it, an invalid document has status 200. */
function usesLegacyStatus(c: Context): boolean {
  return (
    mediaTypeOf(c) === JSON_TYPE &&
    parseAccept(c.req.header('accept') ?? '').some(({ type, q }) => type.toLowerCase() === JSON_TYPE && q > 0)
  );
}

/** Records that a request failed, for the list of failed requests of its key. @param error the first error. */
export function recordFailure(
  c: Context<RequestEnv>,
  formatted: FormattedErrors,
  operation?: NormalOperation,
  error?: GraphQLError,
): void {
  c.set('failure', failureOf(formatted.errors, operation, error));
}

function withRateLimit(c: Context<RequestEnv>, result: Result): Result {
  const extensions = Object.assign({}, result.extensions, { rateLimit: rateLimitOf(c) });
  return Object.assign({}, result, { extensions });
}

/** `extensions.rateLimit` of a response; undefined if the request failed before its rate-limit budget was read. */
function rateLimitOf(c: Context<RequestEnv>): object | undefined {
  const charge = c.get('charge');
  if (!charge) return undefined;
  const { cost, limit, remaining, resetInMs } = charge;
  return { cost, limit, remaining, resetAt: new Date(Date.now() + resetInMs).toISOString() };
}

/** The `Content-Type` of a response, with the media type that the client prefers. */
function contentType(c: Context<RequestEnv>): ResponseHeaders {
  return { 'Content-Type': `${mediaTypeOf(c)}; charset=utf-8` };
}

/** The media type of a response that the client prefers. */
function mediaTypeOf(c: Context): string {
  return accepts(c, { header: 'Accept', supports: [GRAPHQL_TYPE, JSON_TYPE], default: JSON_TYPE });
}

/** Whether the client accepts only events, as graphql-sse does for every operation. */
function acceptsOnlyEvents(c: Context): boolean {
  return c.req.header('accept')?.trim().toLowerCase() === EVENT_STREAM;
}
