import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { createAuthentication } from './auth/authentication.ts';
import { addressBudget, chargeBudget } from './auth/budgets.ts';
import type { FailedRequests } from './auth/failed-requests.ts';
import { createKeyLookup } from './auth/key-lookup.ts';
import type { KeyUsage } from './auth/key-usage.ts';
import { createDeveloper, type DeveloperOptions } from './developer/developer.ts';
import { ChangeWatch, type ChangeWatchOptions } from './domain/changes/change-watch.ts';
import { extensionsOf } from './graphql/data/field-extensions.ts';
import { readCookbook } from './graphql/graphiql/cookbook.ts';
import { schema } from './graphql/schema/schema.ts';
import { explainDocument } from './graphql/translation/explain.ts';
import { toGraphQL } from './graphql/translation/to-graphql.ts';
import { createGraphQLHandler, type GraphQLHandlerOptions } from './graphql/yoga.ts';
import { baseAddress } from './http/request/base-address.ts';
import { clientAddress } from './http/request/client-address.ts';
import type { RequestEnv, ResponseHeaders } from './http/request/request-env.ts';
import { requestIdOf } from './http/request/request-id.ts';
import { createErrorLog } from './http/response/error-log.ts';
import { rejectOtherMethods } from './http/response/other-methods.ts';
import { completeResponse, rateLimitHeaders } from './http/response/response.ts';
import { createStaticResponse, type StaticResponse } from './http/response/static-response.ts';
import { createHealth } from './observability/health.ts';
import type { RequestMeasure } from './observability/metrics.ts';
import { createHostCheck, notFoundPage, redirectTrailingSlash, unauthorizedPage } from './pages/middleware.ts';
import { createReference, type ReferenceOptions } from './pages/reference/reference.ts';
import { createSite } from './pages/site.ts';
import { createStartPage } from './pages/start-page.ts';
import type { RateLimiter } from './rate-limit/rate-limiter.ts';
import { createRestApp } from './rest/app.ts';
import { errorResponse } from './rest/error-response.ts';
import { OPENAPI_DOCUMENTS, openApiDocument, withServer } from './rest/openapi/document.ts';
import { toOperationCall, toRest } from './rest/operation-calls.ts';
import { suggestedPath, unknownPath } from './rest/path-hints.ts';
import { createFairReads } from './store/connections/fair-reads.ts';
import type { Store } from './store/store.ts';
import { Deliveries } from './webhooks/deliveries.ts';

/** The parts of the service that the app uses, and its settings. */
export interface AppOptions {
  readonly store: Pick<Store, 'db' | 'reserved' | 'prisma' | 'appSecret' | 'canWrite' | 'assertSupported'>;
  readonly rateLimiter: RateLimiter;
  readonly keyUsage: KeyUsage;
  readonly failedRequests: Pick<FailedRequests, 'record'>;
  /** The number of trusted proxies, see {@link clientAddress}. */
  readonly trustProxy: number;
  /** Hosts that may serve the pages, in addition to loopback names and addresses. */
  readonly allowedHosts?: readonly string[];
  readonly log: Logger;
  /** Called with each error of a request that the unavailable store caused. */
  readonly onStoreUnavailable: (error: unknown) => void;
  /** Called after every request, for metrics. */
  readonly observe?: (request: RequestMeasure) => void;
  /** Records every request as a span, if tracing is enabled. */
  readonly trace?: MiddlewareHandler<RequestEnv>;
  /** Aborted when the service begins to shut down. */
  readonly stopping?: AbortSignal;
  /** Limits of those who wait for changes. */
  readonly changes?: Pick<ChangeWatchOptions, 'maxStreams' | 'maxStreamsPerKey' | 'intervalMs' | 'onCount'>;
  /** Delivers the changes of webhooks; omit to deliver none. */
  readonly webhooks?: Pick<Deliveries, 'update' | 'sendTest' | 'allowsPrivate'>;
  /** Options of the documentation; omit to disable it. */
  readonly docs?: { readonly demoKey: string | undefined };
  /** Options of GraphiQL; omit to disable it. */
  readonly graphiql?: { readonly demoKey: string | undefined };
  /** Options of the developer pages; omit to disable them. */
  readonly developer?: Pick<DeveloperOptions, 'operatorPassword' | 'maxActiveKeys' | 'unavailableSince'>;
  /** Persisted GraphQL operations; omit to run any document. */
  readonly persistedOperations?: GraphQLHandlerOptions['persistedOperations'];
  /** Whether the GraphQL schema is a subgraph of Apollo Federation. */
  readonly federation?: boolean;
}

/** The service as a fetch handler. It never rejects: errors become responses. */
export interface App {
  fetch(request: Request, connection?: RequestEnv['Bindings']): Response | Promise<Response>;
  /**
   * Returns the rate-limit headers for a request that does not reach `fetch`, such as malformed HTTP. They show the budget of
   * the client address, which is not charged. Without this method, such responses have no rate-limit headers.
   */
  rateLimitHeaders?(socketAddress: string | undefined, forwardedFor?: string): Promise<ResponseHeaders>;
}

/** Creates the app with the REST and GraphQL APIs and the pages. */
export function createApp(options: AppOptions): App {
  const { store, rateLimiter, keyUsage, trustProxy, docs, graphiql, developer, trace, stopping } = options;
  const logError = createErrorLog(options.log, options.onStoreUnavailable);
  const { webhooks } = options;
  const changeWatch = new ChangeWatch({
    ...options.changes,
    db: store.reserved,
    stopping,
    onWebhooks: webhooks && ((state) => webhooks.update(state)),
    onError: (error) => logError(error, 'changes'),
  });
  const keyLookup = createKeyLookup({
    reserved: store.reserved,
    onUse: keyUsage.recordUse,
    onWebhooks: () => changeWatch.watchWebhooks(),
  });
  const authentication = createAuthentication({ store, keyLookup, keyUsage, rateLimiter, changeWatch });
  const site = createSite({
    docs: docs !== undefined,
    graphiql: graphiql !== undefined,
    developer: developer !== undefined,
    trustProxy,
  });
  // By default, Hono would silently fall back to a slower router for a path that this one does not support.
  const app = new Hono<RequestEnv>({ router: new RegExpRouter() });

  if (trace) app.use(trace);
  app.use(identifyAndRecord(options));
  app.use(unauthorizedPage(site));
  const hostCheck = createHostCheck(options.allowedHosts ?? []);
  for (const path of ['/', '/docs/*', '/developer/*']) app.use(path, async (c, next) => hostCheck(c) ?? (await next()));
  app.route('/', createHealth({ store, isDraining: () => stopping?.aborted ?? false }));
  app.route('/', site.routes);
  const { demoKey } = docs ?? graphiql ?? {};
  app.get(
    '/',
    createStartPage({ site, openApi: openApiDocument, graphql: { schema, explain: explainDocument }, demoKey }),
  );
  if (docs) {
    app.use('/docs/*', redirectTrailingSlash());
    const charge = (c: Context<RequestEnv>) => chargeBudget(rateLimiter, c, addressBudget(c.get('clientAddress')), 1);
    app.route('/docs', createDocs({ site, charge, demoKey: docs.demoKey }, graphiql !== undefined));
  }
  for (const [path, textOf] of Object.entries(OPENAPI_DOCUMENTS)) {
    const documentAt = new LRUCache<string, StaticResponse>({
      max: MAX_CACHED_ADDRESSES,
      memoMethod: (origin) =>
        createStaticResponse(withServer(textOf(), origin), { 'Content-Type': 'application/json' }),
    });
    app.get(path, (c) => documentAt.memo(baseAddress(c.req.url, c.req.raw.headers, trustProxy))(c));
  }
  // Before the paths that support other methods.
  rejectOtherMethods(app);
  if (developer) {
    app.use('/developer/*', redirectTrailingSlash());
    const deliveries = webhooks ?? new Deliveries({ store, allowsPrivate: false, onPause() {}, onError() {} });
    const pages = { ...developer, site, store, rateLimiter, logError, webhooks: deliveries };
    app.route('/developer', createDeveloper(pages));
  }
  app.route('/v1', createRestApp(authentication));
  app.route(
    '/graphql',
    createGraphQLHandler({
      authentication,
      prismaFor: createFairReads(() => store.prisma),
      rateLimit: rateLimiter.limit,
      logError,
      toRest,
      graphiql: graphiql && { ...graphiql, hostCheck, site },
      persistedOperations: options.persistedOperations,
      federation: options.federation,
    }),
  );
  app.get('*', notFoundPage(site, suggestedPath));
  app.all('*', authentication.authenticate('rest'), authentication.chargeRequest, (c) => {
    throw unknownPath(c.req.path, c.req.method);
  });
  app.onError((error, c) => {
    logError(error, c.get('requestId'));
    return errorResponse(c, error);
  });
  return {
    fetch: (request, connection) => app.fetch(request, connection),
    rateLimitHeaders: async (socketAddress, forwardedFor) =>
      rateLimitHeaders(
        await rateLimiter.peek(addressBudget(clientAddress(socketAddress, forwardedFor, trustProxy)).name),
      ),
  };
}

/** The number of addresses of the service for which the description of the REST API is cached. */
const MAX_CACHED_ADDRESSES = 10;

/** The API references, and the GraphQL equivalents of the samples of REST. */
function createDocs(
  options: Pick<ReferenceOptions, 'site' | 'charge' | 'demoKey'>,
  graphiql: boolean,
): Hono<RequestEnv> {
  return createReference({
    ...options,
    openApi: openApiDocument,
    graphqlEquivalent: async ({ operation, parameters, body }) => {
      const call = await toOperationCall({ operationId: operation.id, parameters, body });
      return call && toGraphQL(call);
    },
    graphql: { schema, recipes: readCookbook, graphiql, costOf: (field) => extensionsOf(field).size?.cost ?? 0 },
  });
}

/** Sets the id, the client address and the common headers of a request, and records it when its response is complete. */
function identifyAndRecord(options: AppOptions): MiddlewareHandler<RequestEnv> {
  const recordRequest = createRequestRecorder(options);
  return async (c, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(c.req.header('x-request-id'));
    c.set('requestId', requestId);
    // Read before `next`: a socket that closes loses its remote address.
    const socketAddress = c.env?.incoming?.socket?.remoteAddress;
    c.set('clientAddress', clientAddress(socketAddress, c.req.header('x-forwarded-for'), options.trustProxy));
    c.set('headers', {
      'X-Request-Id': requestId,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    await next();
    completeResponse(c);
    recordRequest(c, performance.now() - startedAt);
  };
}

/** Returns a function that logs a completed request, reports it to the metrics, and records its failure for its key. */
function createRequestRecorder({ log, failedRequests, observe }: AppOptions) {
  return (c: Context<RequestEnv>, milliseconds: number) => {
    const { status } = c.res;
    const requestId = c.get('requestId');
    const failure = c.get('failure');
    const operation = c.get('requestName') ?? `${c.req.method} ${routePath(c)}`;
    c.set('requestName', operation);
    const cost = c.get('charge')?.cost ?? 0;
    const durationMs = Math.round(milliseconds * 100) / 100;
    const keyId = c.get('domainContext')?.caller.keyId;
    const clientAddress = c.get('clientAddress');
    // Pages, their files and health checks are many: a page has many files, and load balancers check every few seconds.
    const isRoutine = c.get('api') === undefined && status < 400 && ['GET', 'HEAD'].includes(c.req.method);
    log[isRoutine ? 'debug' : 'info']({ requestId, clientAddress, keyId, operation, status, cost, durationMs });
    const failedKeyId = keyId ?? c.get('inactiveKeyId');
    if (failure && failedKeyId) {
      failedRequests.record(failedKeyId, { api: c.get('api'), status, requestId, cost, ...failure });
    }
    observe?.({ api: c.get('api') ?? 'none', operation, status, cost, seconds: milliseconds / 1_000 });
  };
}
