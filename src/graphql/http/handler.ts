import { type Context, Hono } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type { Logger } from 'pino';
import type { Authentication } from '../../auth/authentication.ts';
import { Abort, type Context as DomainContext } from '../../domain/core/context.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import { rehearse } from '../../domain/core/rehearsal.ts';
import { isReadTimeout, toServiceError } from '../../http/error-status.ts';
import { preflightError, type ToRest } from '../../http/preflight.ts';
import type { RequestEnv } from '../../http/request-env.ts';
import { respond } from '../../http/response.ts';
import type { PrismaClient } from '../../store/generated/client.ts';
import type { GraphQLContext } from '../data/context.ts';
import { createLoaders } from '../data/loaders.ts';
import { type ExecutedOperation, releaseData } from '../execution/execute.ts';
import { isIntrospectionOnly } from '../execution/introspection.ts';
import type { NormalOperation } from '../operation/normal-form.ts';
import { schemaWith } from '../schema/federation.ts';
import { type FormattedErrors, formatErrors } from './errors.ts';
import { failureOf } from './failure.ts';
import { createGraphiQL, type GraphiQLOptions } from './graphiql/page.ts';
import type { PersistedOperations } from './persisted-operations.ts';
import { createPipeline } from './pipeline.ts';
import { preflightExtension } from './preflight-extension.ts';
import { BatchRejected, readRequest } from './request.ts';
import { contentType, JSON_TYPE, mediaTypeOf, rateLimitOf, send, sendIntrospection } from './response.ts';

const ALLOW = 'GET, HEAD, POST, OPTIONS';

/** Maximum length of an array of operations for which each operation gets an error; a longer array gets a single one. */
const MAX_BATCH_RESULTS = 50;

/** Options of {@link createGraphQLHandler}. */
export interface GraphQLHandlerOptions {
  readonly authentication: Authentication;
  readonly store: { readonly prisma: PrismaClient };
  /** In points per minute. */
  readonly rateLimit: number;
  readonly log: Logger;
  /** Translates operations for preflights. */
  readonly toRest: ToRest;
  /** If absent, GraphiQL is not served. */
  readonly graphiql?: GraphiQLOptions | undefined;
  /** If absent, requests may contain any document and cannot reference one by id. */
  readonly persistedOperations?: PersistedOperations | undefined;
  /** Whether the schema is a subgraph of Apollo Federation. */
  readonly federation?: boolean | undefined;
}

/** Creates the routes of the GraphQL API, which follows the GraphQL over HTTP specification. */
export function createGraphQLHandler(options: GraphQLHandlerOptions): Hono<RequestEnv> {
  const { authentication, store, rateLimit, log, toRest, graphiql, persistedOperations, federation = false } = options;
  const persistedDocuments = persistedOperations?.documents.values();
  const schema = schemaWith({ federation });
  const pipeline = createPipeline({ persistedDocuments, schema });
  const routes = new Hono<RequestEnv>();
  const format = (c: Context<RequestEnv>, thrown: readonly unknown[], more = 0, operation?: NormalOperation) => {
    const formatted = formatErrors(thrown, more, (cause, count) => {
      // Overload and timeouts are not faults of the service.
      const level = isReadTimeout(cause) ? 'info' : toServiceError(cause).code === 'internal_error' ? 'error' : 'warn';
      log[level]({ requestId: c.get('requestId'), err: cause, count }, 'GraphQL request failed');
    });
    c.set('failure', failureOf(formatted.errors, operation));
    return formatted;
  };

  if (graphiql) routes.route('/', createGraphiQL(graphiql, schema));
  routes.use(authentication.authenticate('graphql'));
  routes.options('/', async (c) => {
    await authentication.charge(c, 1);
    return respond(c, null, 204, { Allow: ALLOW });
  });
  routes.on(['GET', 'POST'], '/', async (c) => {
    c.set('operation', 'graphql');
    let isCharged = false;
    const charge = async (cost: number) => {
      isCharged = true;
      await authentication.charge(c, cost);
      await authentication.admitRehearsal(c);
    };
    let context: GraphQLContext | undefined;
    const read = async () => {
      const invalidHeader = preflightError(c);
      if (invalidHeader) throw invalidHeader;
      const domain = c.get('domain');
      rehearse(domain.rehearsal, { method_not_allowed: methodNotAllowed });
      const request = await readRequest(c, domain.rehearsal, persistedOperations);
      context = {
        domain,
        store,
        rateLimit: domain.caller.rateLimit ?? rateLimit,
        loaders: createLoaders(domain),
        writes: 0,
        payloadErrors: [],
        abort: abortOf(domain),
      };
      return { request, context };
    };
    const preflight = async () => {
      await charge(1);
      const { request, context } = await read();
      const result = await pipeline.preflight(c.req.method, request, context);
      const keyLimit = await authentication.rateLimitOf(c);
      return preflightExtension(result, toRest, keyLimit, (errors, more) => format(c, errors, more).errors);
    };
    const run = async () => {
      const { request, context } = await read();
      return pipeline.run(c.req.method, request, context, { require: () => authentication.requireBudget(c), charge });
    };
    try {
      if (c.get('isPreflight')) return send(c, { data: null, extensions: { preflight: await preflight() } }, 200);
      // A request that fails before its cost is known costs one point.
      const result = await run().finally(() => (isCharged ? undefined : charge(1)));
      const formatResult = (errors: readonly unknown[], more?: number) => format(c, errors, more, context?.operation);
      // If payloads list errors, the response has no `errors`, but the request counts as failed.
      if (!result.errors && context && context.payloadErrors.length > 0) formatResult(context.payloadErrors);
      if (!result.errors && context?.operation && isIntrospectionOnly(context.operation))
        return await sendIntrospection(c, result.data);
      const response = sendResult(c, result, formatResult);
      releaseData(result.data);
      return response;
    } catch (error) {
      return sendError(c, error, format(c, [error], 0, context?.operation));
    } finally {
      context?.loaders.clear();
    }
  });
  routes.all('*', async (c) => {
    await authentication.charge(c, 1);
    throw c.req.path === '/graphql'
      ? methodNotAllowed()
      : new ServiceError('not_found', 'There is nothing at this path; did you mean /graphql?');
  });
  routes.onError((error, c) => sendError(c, error, format(c, [error])));
  return routes;
}

function sendError(c: Context<RequestEnv>, error: unknown, formatted: FormattedErrors): Response {
  if (error instanceof BatchRejected && error.operations > 0 && error.operations <= MAX_BATCH_RESULTS) {
    return rejectBatch(c, error, formatted);
  }
  const status = statusOf(c, formatted);
  const wait = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
  return send(c, { errors: formatted.errors }, status, {
    ...(status === 405 ? { Allow: ALLOW } : {}),
    ...(wait === undefined ? {} : { 'Retry-After': String(wait) }),
  });
}

function methodNotAllowed(): ServiceError {
  return new ServiceError('method_not_allowed', `Allowed methods: ${ALLOW}`);
}

/**
 * Returns a signal for an operation. Aborting it also aborts the reads of the request, but not vice versa: if the client
 * disconnects, the operation continues.
 */
function abortOf({ abort: requestAbort }: DomainContext): Abort {
  const abort = new Abort();
  if (requestAbort) abort.addListener(() => requestAbort.abort(abort.reason as Error));
  return abort;
}

function sendResult(
  c: Context<RequestEnv>,
  { data, errors, moreErrors }: ExecutedOperation,
  format: (errors: readonly unknown[], more: number | undefined) => FormattedErrors,
): Response {
  if (!errors) return send(c, { data: data ?? null }, 200);
  const formatted = format(errors, moreErrors);
  if (data !== undefined) return send(c, { errors: formatted.errors, data }, 200);
  return send(c, { errors: formatted.errors }, statusOf(c, formatted));
}

/**
 * Rejects an array of operations with an array of results, one for each operation: Apollo's BatchHttpLink reports errors only
 * in this form. The link of Apollo Client 3, which accepts any media type, also requires a 2xx status.
 */
function rejectBatch(
  c: Context<RequestEnv>,
  { operations }: BatchRejected,
  { errors, status }: FormattedErrors,
): Response {
  const result = { errors, extensions: { rateLimit: rateLimitOf(c) } };
  const body = JSON.stringify(Array(operations).fill(result));
  return respond(c, body, mediaTypeOf(c) === JSON_TYPE ? 200 : status, contentType(c));
}

function statusOf(c: Context, { status, areRequestErrors }: FormattedErrors): number {
  return areRequestErrors && usesLegacyStatus(c) ? 200 : status;
}

/** GraphQL over HTTP: if the client asks for `application/json` by name and gets it, an invalid document has status 200. */
function usesLegacyStatus(c: Context): boolean {
  return (
    mediaTypeOf(c) === JSON_TYPE &&
    parseAccept(c.req.header('accept') ?? '').some(({ type, q }) => type.toLowerCase() === JSON_TYPE && q > 0)
  );
}
