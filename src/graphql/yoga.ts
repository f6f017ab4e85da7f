import { createYoga } from 'graphql-yoga';
import { Hono } from 'hono';
import type { Authentication } from '../auth/authentication.ts';
import { ServiceError } from '../domain/core/errors.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import type { ErrorLog } from '../http/response/error-log.ts';
import { methodNotAllowed } from '../http/response/other-methods.ts';
import { respond } from '../http/response/response.ts';
import { HeavyOperations } from '../rate-limit/heavy-operations.ts';
import { type ContextOptions, createContext } from './data/context.ts';
import { createGraphiQL, type GraphiQLOptions } from './graphiql/page.ts';
import { RequestChecker } from './operation/check-request.ts';
import { type FormatAndLog, formatErrors } from './operation/errors.ts';
import { useOperation } from './plugins/operation.ts';
import { type PersistedOperations, usePersistedOperations } from './plugins/persisted-operations.ts';
import { requestStates, useRequest } from './plugins/request.ts';
import { ALLOW, recordFailure, sendErrors, useResponse } from './plugins/response.ts';
import { schemaWith } from './schema/federation.ts';
import type { ToRest } from './translation/rest-requests.ts';

/** Options of {@link createGraphQLHandler}. */
export interface GraphQLHandlerOptions extends ContextOptions {
  readonly authentication: Authentication;
  readonly logError: ErrorLog;
  /** Translates operations for requests with `Explain: true`. */
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
  const { authentication, graphiql, persistedOperations } = options;
  const schema = schemaWith(options);
  const executor = { schema, heavyOperations: new HeavyOperations() };
  const checker = new RequestChecker({
    ...executor,
    persistedDocuments: persistedOperations?.documents.values(),
    defaultRateLimit: options.rateLimit,
  });
  const formatAndLog: FormatAndLog = (thrown, requestId, more) => {
    const formatted = formatErrors(thrown, more);
    if (formatted.cause !== undefined) options.logError(formatted.cause, requestId);
    return formatted;
  };
  const yoga = createYoga({
    schema,
    graphqlEndpoint: '/graphql',
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    // Bodies and documents have limits and a cache of their own, and all errors are formatted with the codes of REST.
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    maskedErrors: false,
    logging: false,
    extraParamNames: ['documentId'],
    plugins: [
      useRequest(),
      usePersistedOperations(persistedOperations),
      useOperation({
        ...executor,
        checker,
        authentication,
        toRest: options.toRest,
        prismaFor: options.prismaFor,
        rateLimit: options.rateLimit,
        formatAndLog,
      }),
      useResponse(formatAndLog),
    ],
  });

  const routes = new Hono<RequestEnv>();
  if (graphiql) routes.route('/', createGraphiQL(graphiql, schema));
  // Before authentication, so that refused requests have it too.
  routes.on(['GET', 'POST'], '/', (c, next) => {
    c.set('requestName', 'graphql');
    return next();
  });
  routes.use(authentication.authenticate('graphql'), authentication.chargeRequest);
  routes.options('/', (c) => respond(c, null, 204, { Allow: ALLOW }));
  routes.on(['GET', 'POST'], '/', async (c) => {
    const context = createContext(c.get('domainContext'), options);
    // Yoga supports GET and POST; Hono answers HEAD like GET, without the body.
    const request = c.req.method === 'HEAD' ? new Request(c.req.raw, { method: 'GET' }) : c.req.raw;
    requestStates.set(request, { c, context, length: 0 });
    try {
      return await yoga.handleRequest(request, {});
    } finally {
      context.loaders.clear();
      requestStates.delete(request);
    }
  });
  routes.all('*', (c) => {
    // The single connection of graphql-sse begins with a PUT, of /graphql or of a path of its own.
    const hint =
      c.req.method === 'PUT'
        ? 'send each operation by POST /graphql, a subscription with Accept: text/event-stream (graphql-sse: singleConnection: false)'
        : undefined;
    throw c.req.path === '/graphql'
      ? methodNotAllowed(c.req.method, ALLOW, '/graphql', hint && `; ${hint}`)
      : new ServiceError(
          'not_found',
          `There is nothing at this path; ${hint ?? 'operations, and introspection of the schema, are sent to /graphql'}`,
        );
  });
  routes.onError((error, c) => {
    const formatted = formatAndLog([error], c.get('requestId'));
    recordFailure(c, formatted);
    return sendErrors(c, error, formatted);
  });
  return routes;
}
