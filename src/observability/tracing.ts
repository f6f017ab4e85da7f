import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  context,
  DiagLogLevel,
  diag,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import {
  ATTR_DB_QUERY_TEXT,
  ATTR_DB_RESPONSE_STATUS_CODE,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVICE_NAME,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions';
import type { MiddlewareHandler } from 'hono';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { RequestEnv } from '../http/request/request-env.ts';

const NAME = 'community-membership-service';

/** The timeout for sending the last spans at shutdown. */
const SHUTDOWN_TIMEOUT_MS = 1_000;

/** Records requests and their SQL statements as spans, and exports them to a collector. */
export interface Tracing {
  /** Records a server span per request, named like its log line; a W3C `traceparent` is its parent. */
  readonly request: MiddlewareHandler<RequestEnv>;
  /** Records a client span for each statement that a request runs on this pool, with its text but without values. */
  statements(pool: pg.Pool): void;
  /** Exports the remaining spans, for at most a second. */
  close(): Promise<void>;
}

/**
 * Starts tracing. OpenTelemetry's libraries read their standard environment variables themselves. The instrumentation of
 * `pg` is not used, because it requires a module loader that is set before the process starts.
 */
export function startTracing(log: Logger): Tracing {
  const warn = (message: string) => log.warn({ opentelemetry: message }, 'OpenTelemetry');
  const ignore = () => {};
  diag.setLogger({ error: warn, warn: warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: NAME }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return {
    request: traceRequest,
    statements: traceStatements,
    async close() {
      const timeout = sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown().catch(() => {}), timeout]);
    },
  };
}

const traceRequest: MiddlewareHandler<RequestEnv> = (c, next) => {
  const parent = propagation.extract(context.active(), c.req.header());
  const span = trace.getTracer(NAME).startSpan(c.req.method, { kind: SpanKind.SERVER }, parent);
  return context.with(trace.setSpan(parent, span), async () => {
    await next();
    const { status } = c.res;
    span.updateName(c.get('requestName'));
    setAttributes(span, {
      [ATTR_HTTP_REQUEST_METHOD]: c.req.method,
      [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
      'cms.request_id': c.get('requestId'),
      'cms.key_id': c.get('domainContext')?.caller.keyId,
      'cms.cost': c.get('charge')?.cost,
    });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
};

function setAttributes(span: Span, attributes: Record<string, AttributeValue | undefined>): void {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) span.setAttribute(name, value);
}

type ConnectCallback = (...args: unknown[]) => void;

function traceStatements(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: ConnectCallback) => Promise<pg.PoolClient>;
  // Bind callbacks to their own context, because they run in the context of the request that releases a connection.
  pool.connect = ((callback?: ConnectCallback) =>
    connect(callback && context.bind(context.active(), callback))) as typeof pool.connect;
  const traced = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (!traced.has(client)) traceClient(client);
    traced.add(client);
  });
}

/** The driver's `query`: takes text or an object with `text`, and either calls a callback or returns a promise. */
type Query = (statement: string | { readonly text: string }, ...others: unknown[]) => unknown;

function traceClient(client: pg.PoolClient): void {
  const query = client.query.bind(client) as unknown as Query;
  const traced: Query = (statement, ...others) => {
    // Background statements of the service belong to no request.
    if (!trace.getActiveSpan()) return query(statement, ...others);
    const span = startStatement(typeof statement === 'string' ? statement : statement.text);
    const callback = others.at(-1);
    if (typeof callback === 'function') {
      const onResult = (error: unknown, ...results: unknown[]) => {
        endStatement(span, error);
        callback(error, ...results);
      };
      return query(statement, ...others.slice(0, -1), onResult);
    }
    const result = query(statement, ...others) as Promise<unknown>;
    result.then(
      () => endStatement(span),
      (error: unknown) => endStatement(span, error),
    );
    return result;
  };
  client.query = traced as typeof client.query;
}

function startStatement(text: string): Span {
  const [verb = ''] = text.trim().split(/\W/, 1);
  return trace.getTracer(NAME).startSpan(verb.toUpperCase(), {
    kind: SpanKind.CLIENT,
    attributes: { [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL, [ATTR_DB_QUERY_TEXT]: text },
  });
}

/** Ends a span. Of an error, only the name and SQLSTATE are recorded, because messages may quote values. */
function endStatement(span: Span, error?: unknown): void {
  if (error instanceof Error) {
    const { code } = error as NodeJS.ErrnoException;
    setAttributes(span, { [ATTR_ERROR_TYPE]: error.name, [ATTR_DB_RESPONSE_STATUS_CODE]: code });
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
