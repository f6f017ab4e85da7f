import type { GraphQLSchema } from 'graphql';
import { type Context, Hono } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type { Logger } from 'pino';
import type { Authentication } from '../../auth/authentication.ts';
import { Abort, type Context as DomainContext } from '../../domain/core/context.ts';
import { ServiceError } from '../../domain/core/errors.ts';
import { rehearse } from '../../domain/core/rehearsal.ts';
import { preflightError, type ToRest } from '../../http/request/preflight.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import { isReadTimeout } from '../../http/response/error-status.ts';
import { respond } from '../../http/response/response.ts';
import type { PrismaClient } from '../../store/generated/client.ts';
import type { GraphQLContext } from '../data/context.ts';
import { createLoaders } from '../data/loaders.ts';
import type { ExecutedOperation } from '../operation/execute.ts';
import { isIntrospectionOnly } from '../operation/introspection.ts';
import type { NormalOperation } from '../operation/normal-form.ts';
import { ResponseSize } from '../operation/response-limits.ts';
import { schemaWith } from '../schema/federation.ts';
import { type FormattedErrors, formatErrors, isFault } from './errors.ts';
import { failureOf } from './failure.ts';
import { createGraphiQL, type GraphiQLOptions } from './graphiql/page.ts';
import type { PersistedOperations } from './persisted-operations.ts';
import { Pipeline } from './pipeline.ts';
import { preflightExtension } from './preflight-extension.ts';
import { BatchRejected, type GraphQLRequest, readRequest } from './request.ts';
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
  const { authentication, graphiql, federation = false } = options;
  const schema = schemaWith({ federation });
  const handler = new RequestHandler(options, schema);
  const routes = new Hono<RequestEnv>();
  if (graphiql) routes.route('/', createGraphiQL(graphiql, schema));
  // The first point is charged before the body is read, so that no request is free.
  routes.use(authentication.authenticate('graphql'), async (c, next) => {
    await authentication.charge(c, 1);
    await next();
  });
  routes.options('/', (c) => respond(c, null, 204, { Allow: ALLOW }));
  routes.on(['GET', 'POST'], '/', (c) => handler.handle(c));
  routes.all('*', (c) => {
    throw c.req.path === '/graphql'
      ? methodNotAllowed()
      : new ServiceError('not_found', 'There is nothing at this path; did you mean /graphql?');
  });
  routes.onError((error, c) => sendError(c, error, handler.report(c, [error])));
  return routes;
}

/** Handles the requests that contain an operation. */
class RequestHandler {
  private readonly pipeline: Pipeline;

  constructor(
    private readonly options: GraphQLHandlerOptions,
    schema: GraphQLSchema,
  ) {
    const persistedDocuments = options.persistedOperations?.documents.values();
    this.pipeline = new Pipeline({ persistedDocuments, schema, defaultRateLimit: options.rateLimit });
  }

  async handle(c: Context<RequestEnv>): Promise<Response> {
    c.set('operation', 'graphql');
    const context = this.createContext(c.get('domain'));
    try {
      return await (c.get('isPreflight') ? this.preflight(c, context) : this.run(c, context));
    } catch (error) {
      return sendError(c, error, this.report(c, [error], 0, context.operation));
    } finally {
      context.loaders.clear();
    }
  }

  /**
   * Formats the errors of a request, logs their causes, and records the failure of the request.
   *
   * @param more the number of errors that are not in `thrown`.
   */
  report(c: Context<RequestEnv>, thrown: readonly unknown[], more = 0, operation?: NormalOperation): FormattedErrors {
    const formatted = formatErrors(thrown, more);
    this.logCauses(c.get('requestId'), formatted.causes);
    c.set('failure', failureOf(formatted.errors, operation));
    return formatted;
  }

  /** Logs the first cause that is a fault of the service, otherwise the first one, with the number of causes. */
  private logCauses(requestId: string, causes: readonly unknown[]): void {
    if (causes.length === 0) return;
    const err = causes.find(isFault) ?? causes[0];
    // Overload and timeouts are not faults of the service.
    const level = isReadTimeout(err) ? 'info' : isFault(err) ? 'error' : 'warn';
    this.options.log[level]({ requestId, err, count: causes.length }, 'GraphQL request failed');
  }

  private createContext(domain: DomainContext): GraphQLContext {
    return {
      domain,
      store: this.options.store,
      rateLimit: domain.caller.rateLimit ?? this.options.rateLimit,
      loaders: createLoaders(domain),
      writes: 0,
      payloadErrors: [],
      abort: abortOf(domain),
      size: new ResponseSize(),
    };
  }

  private async preflight(c: Context<RequestEnv>, context: GraphQLContext): Promise<Response> {
    const { authentication, toRest } = this.options;
    await authentication.admitRehearsal(c);
    const result = await this.pipeline.preflight(c.req.method, await this.read(c), context);
    const keyLimit = await authentication.rateLimitOf(c);
    const format = (errors: readonly unknown[], more: number) => this.report(c, errors, more).errors;
    const preflight = preflightExtension(result, toRest, keyLimit, format);
    return send(c, { data: null, extensions: { preflight } }, 200);
  }

  private async run(c: Context<RequestEnv>, context: GraphQLContext): Promise<Response> {
    const result = await this.execute(c, context);
    const { operation, payloadErrors } = context;
    if (!result.errors) {
      // If payloads list errors, the response has no `errors`, but the request counts as failed.
      if (payloadErrors.length > 0) this.report(c, payloadErrors, 0, operation);
      if (operation && isIntrospectionOnly(operation)) return sendIntrospection(c, result.data);
    }
    return sendResult(c, result, (errors, more) => this.report(c, errors, more, operation));
  }

  private async execute(c: Context<RequestEnv>, context: GraphQLContext): Promise<ExecutedOperation> {
    const { authentication } = this.options;
    await authentication.admitRehearsal(c);
    const charge = (points: number) => authentication.charge(c, points);
    return this.pipeline.run(c.req.method, await this.read(c), context, charge);
  }

  private async read(c: Context<RequestEnv>): Promise<GraphQLRequest> {
    const invalidHeader = preflightError(c);
    if (invalidHeader) throw invalidHeader;
    const { rehearsal } = c.get('domain');
    rehearse(rehearsal, { method_not_allowed: methodNotAllowed });
    return readRequest(c, rehearsal, this.options.persistedOperations);
  }
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
