import { resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_MAX_ACTIVE_KEYS } from './domain/admin/api-key-limit.ts';
import type { RedisServers } from './rate-limit/redis-client.ts';
import { hasInvalidPort, PORT_ERROR } from './store/connections/port-number.ts';
import { parseServerUrl } from './store/connections/server-url.ts';

/** The settings of the service, from environment variables. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Absolute path; contains the embedded database and the demo key. */
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  /** Whether the service migrates the database when it starts; otherwise it requires a current schema. */
  readonly migrateOnStart: boolean;
  /** The servers that count rate limits; if undefined, the process counts them in memory. */
  readonly redis: RedisServers | undefined;
  /** The default rate limit in points per minute, for each key and for each client address without a valid key. */
  readonly rateLimitPerMinute: number;
  /** The number of instances that share Redis. While it is unavailable, each allows an equal part of the limit. */
  readonly instances: number;
  /** The number of trusted proxies that append to `X-Forwarded-For`; 0 for none. */
  readonly trustProxy: number;
  /** Hosts that may serve the pages, in addition to loopback names and addresses: `HOST` and `ALLOWED_HOSTS`. */
  readonly allowedHosts: readonly string[];
  /** The port of Prometheus metrics; undefined for none. */
  readonly metricsPort: number | undefined;
  /** Whether the documentation is served. */
  readonly docs: boolean;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
  /** Whether the developer pages are served. */
  readonly developer: boolean;
  /** The operator's password for the developer pages; if undefined, the operator sets one with a link. */
  readonly operatorPassword: string | undefined;
  /**
   * Persisted GraphQL operations, which are accepted in addition to (`allow`) or instead of (`only`) other documents.
   * `files` are the absolute paths of their lists.
   */
  readonly persistedOperations: { readonly mode: 'allow' | 'only'; readonly files: readonly string[] } | undefined;
  /** Whether the GraphQL schema is a subgraph of Apollo Federation. */
  readonly federation: boolean;
  /** The maximum number of active keys per organization. */
  readonly maxActiveKeys: number;
  /** How long the service continues to listen after SIGTERM, while `/readyz` reports that it is draining. */
  readonly shutdownDelayMs: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** The protocol of the OpenTelemetry collector; undefined for no traces. */
  readonly traces: (typeof TRACE_PROTOCOLS)[number] | undefined;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const TRACE_PROTOCOLS = ['http/protobuf', 'http/json'] as const;

/** Invalid settings; the message has one line per setting. */
export class InvalidSettingsError extends Error {}

function integer(from: number, to: number) {
  const error = `must be an integer from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, { error })
    .transform(Number)
    .refine((value) => value >= from && value <= to, { error });
}

/** `on` or `off`, as a boolean. */
function onOrOff(defaultValue: 'on' | 'off') {
  return z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default(defaultValue)
    .transform((value) => value === 'on');
}

/** A list of values, separated by commas. */
function commaSeparated() {
  return z.string().transform((value) => value.split(',').map((item) => item.trim()));
}

/** One or more URLs, separated by commas. */
function urls(...schemes: string[]) {
  const error = `must be URLs that start with ${schemePrefixes(schemes)}, separated by commas`;
  return commaSeparated().superRefine((items, context) => addUrlIssue(items, schemes, error, context));
}

function url(...schemes: string[]) {
  const error = `must be a URL that starts with ${schemePrefixes(schemes)}`;
  return z.string().superRefine((value, context) => addUrlIssue([value], schemes, error, context));
}

function schemePrefixes(schemes: readonly string[]): string {
  return schemes.map((scheme) => `${scheme}://`).join(' or ');
}

function addUrlIssue(items: readonly string[], schemes: readonly string[], error: string, context: z.RefinementCtx) {
  const allHaveSchemes = items.every((value) => schemes.some((scheme) => value.startsWith(`${scheme}://`)));
  if (allHaveSchemes && items.some(hasInvalidPort)) context.addIssue(PORT_ERROR);
  else if (!allHaveSchemes || !items.every((value) => URL.canParse(value))) context.addIssue(error);
}

/** A PostgreSQL URL, which may have several hosts. */
function serverUrl() {
  return z.string().superRefine((value, context) => {
    try {
      parseServerUrl(value);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
  });
}

const traceProtocol = z.enum(TRACE_PROTOCOLS, { error: `must be one of ${TRACE_PROTOCOLS.join(', ')}` });
const schema = z.object({
  PORT: integer(0, 65_535).default(4000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: serverUrl().optional(),
  MIGRATE_ON_START: onOrOff('on'),
  REDIS_URL: urls('redis', 'rediss').optional(),
  REDIS_SENTINEL: z.string().optional(),
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000_000).default(120),
  INSTANCES: integer(1, 1_000).default(1),
  TRUST_PROXY: integer(0, 100).default(0),
  ALLOWED_HOSTS: hosts().default([]),
  METRICS_PORT: integer(0, 65_535).optional(),
  DOCS: onOrOff('on'),
  GRAPHIQL: onOrOff('on'),
  DEVELOPER: onOrOff('on'),
  OPERATOR_PASSWORD: z.string().min(12, { error: 'must have at least 12 characters' }).optional(),
  MAX_ACTIVE_KEYS: integer(1, 10_000).default(DEFAULT_MAX_ACTIVE_KEYS),
  PERSISTED_OPERATIONS: z.enum(['off', 'allow', 'only'], { error: 'must be off, allow or only' }).default('off'),
  PERSISTED_OPERATIONS_FILE: paths().optional(),
  GRAPHQL_FEDERATION: onOrOff('off'),
  SHUTDOWN_DELAY_MS: integer(0, 600_000).default(2_000),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: traceProtocol.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: traceProtocol.optional(),
});

/**
 * Returns the protocol of traces; undefined to disable them. Follows OpenTelemetry's specification of environment variables,
 * except that nothing is exported by default. Its libraries read the other variables (service name, headers, sampler, …).
 */
function traceProtocolOf(data: z.output<typeof schema>): Settings['traces'] {
  const endpoint = data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? data.OTEL_EXPORTER_OTLP_ENDPOINT;
  const exporter = data.OTEL_TRACES_EXPORTER ?? (endpoint ? 'otlp' : 'none');
  if (exporter === 'none') return undefined;
  return data.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? data.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
}

/** File paths, separated by commas. */
function paths() {
  return commaSeparated()
    .refine((items) => items.every((path) => path !== ''), { error: 'must be file paths, separated by commas' })
    .transform((items) => items.map((path) => resolve(path)));
}

/** Host names and addresses, separated by commas. */
function hosts() {
  return commaSeparated().refine((items) => items.every((host) => HOST_NAME.test(host)), {
    error: 'must be host names or addresses without ports, separated by commas',
  });
}

/** A name, which may start with `*.`, or an address; IPv6 in brackets, as in a `Host` header. */
const HOST_NAME = /^((\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/i;

function redisServers(data: z.output<typeof schema>): RedisServers | undefined {
  const { REDIS_URL: urls, REDIS_SENTINEL: name, REDIS_SENTINEL_PASSWORD: password } = data;
  if (urls) return { urls, sentinel: name === undefined ? undefined : { name, password } };
  if (name === undefined) return undefined;
  throw new InvalidSettingsError(
    `REDIS_URL must list the Sentinels, because REDIS_SENTINEL is ${JSON.stringify(name)}`,
  );
}

function persistedOperations(data: z.output<typeof schema>): Settings['persistedOperations'] {
  const { PERSISTED_OPERATIONS: mode, PERSISTED_OPERATIONS_FILE: files } = data;
  if (mode === 'off') return undefined;
  if (files) return { mode, files };
  throw new InvalidSettingsError(`PERSISTED_OPERATIONS_FILE must be set, because PERSISTED_OPERATIONS is ${mode}`);
}

/** Removes OpenTelemetry's variables if tracing is disabled, so that values for other services are not validated. */
function withoutDisabledTracing(variables: Record<string, string | undefined>): Record<string, string | undefined> {
  const isDisabled = variables.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || variables.OTEL_TRACES_EXPORTER === 'none';
  return isDisabled
    ? Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith('OTEL_')))
    : variables;
}

/**
 * Reads the settings from environment variables. Empty variables count as unset.
 *
 * @throws {InvalidSettingsError} with each invalid variable, the allowed values, and its value unless it may be secret.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(withoutDisabledTracing(variables));
  if (!result.success) {
    const lines = result.error.issues.map(({ path: [name], message }) => {
      const isSecret = /_URL$|_ENDPOINT$|_PASSWORD$/.test(String(name));
      return `${String(name)} ${message}${isSecret ? '' : `; it is ${JSON.stringify(variables[name as string])}`}`;
    });
    throw new InvalidSettingsError(lines.join('\n'));
  }
  const { data } = result;
  return {
    port: data.PORT,
    host: data.HOST,
    dataDirectory: resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    migrateOnStart: data.MIGRATE_ON_START,
    redis: redisServers(data),
    rateLimitPerMinute: data.RATE_LIMIT_PER_MINUTE,
    instances: data.INSTANCES,
    trustProxy: data.TRUST_PROXY,
    // The pages are also served under HOST.
    allowedHosts: [data.HOST.includes(':') ? `[${data.HOST}]` : data.HOST, ...data.ALLOWED_HOSTS],
    metricsPort: data.METRICS_PORT,
    docs: data.DOCS,
    graphiql: data.GRAPHIQL,
    developer: data.DEVELOPER,
    operatorPassword: data.OPERATOR_PASSWORD,
    maxActiveKeys: data.MAX_ACTIVE_KEYS,
    persistedOperations: persistedOperations(data),
    federation: data.GRAPHQL_FEDERATION,
    shutdownDelayMs: data.SHUTDOWN_DELAY_MS,
    logLevel: data.LOG_LEVEL,
    traces: traceProtocolOf(data),
  };
}
