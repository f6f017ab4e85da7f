import { resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_MAX_ACTIVE_KEYS } from './domain/admin/api-key-limit.ts';
import type { RedisServers } from './rate-limit/redis-client.ts';
import { hasWrongPort, PORT_ERROR } from './store/connections/port-number.ts';
import { parseServerUrl } from './store/connections/server-url.ts';

/** The settings of the service, from the environment. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Absolute; the embedded database and the demo key are kept there. */
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  /** Whether the start brings the schema of the database up to date; else it requires that it is. */
  readonly migrateOnStart: boolean;
  /** How long a statement of the embedded database may take before the database counts as hanging. */
  readonly embeddedStatementTimeoutMs: number;
  /** How long a transaction of the embedded database may be idle while others wait for it. */
  readonly embeddedIdleInTransactionTimeoutMs: number;
  readonly redis: RedisServers | undefined;
  /** Requests a minute, for each key and for each address without one. */
  readonly rateLimitPerMinute: number;
  /** How many instances share a Redis; while it is away each grants its part of the limit. */
  readonly instances: number;
  /** How many processes take the connections of this instance; more than one needs a PostgreSQL server. */
  readonly workers: number;
  /** How many proxies in front are trusted to append to `X-Forwarded-For`; 0 for none. */
  readonly trustProxy: number;
  /** Hosts under which the pages are served, beside loopback names and addresses: `HOST` and those given. */
  readonly allowedHosts: readonly string[];
  /** Where Prometheus reads metrics; undefined: nowhere. */
  readonly metricsPort: number | undefined;
  /** Whether the documentation's page is served. */
  readonly docs: boolean;
  /** Whether GraphiQL's page is served. */
  readonly graphiql: boolean;
  /** Whether the developer page is served. */
  readonly developer: boolean;
  /** With which the operator signs in to the developer page; undefined: nobody does. */
  readonly operatorPassword: string | undefined;
  /** Which GraphQL documents run beside, or instead of, any; and the absolute paths of their lists. */
  readonly persistedOperations: { readonly mode: 'allow' | 'only'; readonly files: readonly string[] } | undefined;
  /** How many keys of an organization may be active. */
  readonly maxActiveKeys: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** How traces are sent to an OpenTelemetry collector; undefined: none are made. */
  readonly traces: (typeof TRACE_PROTOCOLS)[number] | undefined;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const TRACE_PROTOCOLS = ['http/protobuf', 'http/json'] as const;

/** Thrown when the environment is wrong: one line a wrong setting. */
export class InvalidSettingsError extends Error {}

function integer(from: number, to: number) {
  const error = `must be an integer from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, { error })
    .transform(Number)
    .refine((value) => value >= from && value <= to, { error });
}

/** One address, or several with commas between them. */
function urls(...schemes: string[]) {
  const error = `must be addresses that begin with ${beginnings(schemes)}, with commas between them`;
  return z
    .string()
    .transform((value) => value.split(',').map((each) => each.trim()))
    .superRefine((all, context) => addUrlIssue(all, schemes, error, context));
}

function url(...schemes: string[]) {
  const error = `must be an address that begins with ${beginnings(schemes)}`;
  return z.string().superRefine((value, context) => addUrlIssue([value], schemes, error, context));
}

function beginnings(schemes: readonly string[]): string {
  return schemes.map((scheme) => `${scheme}://`).join(' or ');
}

function addUrlIssue(all: readonly string[], schemes: readonly string[], error: string, context: z.RefinementCtx) {
  const haveSchemes = all.every((value) => schemes.some((scheme) => value.startsWith(`${scheme}://`)));
  if (haveSchemes && all.some(hasWrongPort)) context.addIssue(PORT_ERROR);
  else if (!haveSchemes || !all.every((value) => URL.canParse(value))) context.addIssue(error);
}

/** An address of PostgreSQL, which may have several hosts. */
function serverUrl() {
  return z.string().superRefine((value, context) => {
    try {
      parseServerUrl(value);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
  });
}

const environment = z.object({
  PORT: integer(0, 65_535).default(4000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: serverUrl().optional(),
  MIGRATE_ON_START: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  EMBEDDED_STATEMENT_TIMEOUT_MS: integer(100, 3_600_000).default(15_000),
  EMBEDDED_IDLE_IN_TRANSACTION_TIMEOUT_MS: integer(100, 3_600_000).default(10_000),
  REDIS_URL: urls('redis', 'rediss').optional(),
  REDIS_SENTINEL: z.string().optional(),
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000_000).default(120),
  INSTANCES: integer(1, 1_000).default(1),
  WORKERS: integer(1, 64).default(1),
  TRUST_PROXY: integer(0, 100).default(0),
  ALLOWED_HOSTS: hosts().default([]),
  METRICS_PORT: integer(0, 65_535).optional(),
  DOCS: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  GRAPHIQL: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  DEVELOPER: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  OPERATOR_PASSWORD: z.string().min(12, { error: 'must have at least 12 characters' }).optional(),
  MAX_ACTIVE_KEYS: integer(1, 10_000).default(DEFAULT_MAX_ACTIVE_KEYS),
  PERSISTED_OPERATIONS: z.enum(['off', 'allow', 'only'], { error: 'must be off, allow or only' }).default('off'),
  PERSISTED_OPERATIONS_FILE: paths().optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: traceProtocol().optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: traceProtocol().optional(),
});

function traceProtocol() {
  return z.enum(TRACE_PROTOCOLS, { error: `must be one of ${TRACE_PROTOCOLS.join(', ')}` });
}

/**
 * By OpenTelemetry's specification of environment variables, but that nothing is sent unless one of them
 * says so. Its libraries read the others (service name, headers, sampler, …) themselves.
 */
function tracesOf(data: z.output<typeof environment>): Settings['traces'] {
  const endpoint = data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? data.OTEL_EXPORTER_OTLP_ENDPOINT;
  const exporter = data.OTEL_TRACES_EXPORTER ?? (endpoint ? 'otlp' : 'none');
  if (exporter === 'none') return undefined;
  return data.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? data.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
}

/** Paths of files with commas between them. */
function paths() {
  return z
    .string()
    .transform((value) => value.split(',').map((path) => path.trim()))
    .refine((all) => all.every((path) => path !== ''), { error: 'must be paths of files, with commas between them' })
    .transform((all) => all.map((path) => resolve(path)));
}

/** Names and addresses of hosts with commas between them. */
function hosts() {
  return z
    .string()
    .transform((value) => value.split(',').map((host) => host.trim()))
    .refine((all) => all.every((host) => HOST_NAME.test(host)), {
      error: 'must be names or addresses of hosts, without ports, with commas between them',
    });
}

/** A name, which may begin with `*.`, or an address; of IPv6 in brackets, as in a `Host` header. */
const HOST_NAME = /^((\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/i;

function redisOf(data: z.output<typeof environment>): RedisServers | undefined {
  const { REDIS_URL: urls, REDIS_SENTINEL: name, REDIS_SENTINEL_PASSWORD: password } = data;
  if (urls) return { urls, sentinel: name === undefined ? undefined : { name, password } };
  if (name === undefined) return undefined;
  throw new InvalidSettingsError(`REDIS_URL must list the Sentinels; REDIS_SENTINEL is ${JSON.stringify(name)}`);
}

function persistedOperationsOf(data: z.output<typeof environment>): Settings['persistedOperations'] {
  const { PERSISTED_OPERATIONS: mode, PERSISTED_OPERATIONS_FILE: files } = data;
  if (mode === 'off') return undefined;
  if (files) return { mode, files };
  throw new InvalidSettingsError(
    `PERSISTED_OPERATIONS_FILE must name the list of operations; PERSISTED_OPERATIONS is ${mode}`,
  );
}

/** What is switched off may be set to anything: such variables are often set for all services at once. */
function withoutUnused(set: Record<string, string | undefined>): Record<string, string | undefined> {
  const off = set.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || set.OTEL_TRACES_EXPORTER === 'none';
  return off ? Object.fromEntries(Object.entries(set).filter(([name]) => !name.startsWith('OTEL_'))) : set;
}

/**
 * Reads and checks the settings. An empty variable counts as not set.
 *
 * @throws {InvalidSettingsError} naming each wrong one, what it is and what would be right.
 */
export function readSettings(variables: NodeJS.ProcessEnv): Settings {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = environment.safeParse(withoutUnused(set));
  if (!result.success) {
    const lines = result.error.issues.map(({ path: [name], message }) => {
      const secret = /_URL$|_ENDPOINT$|_PASSWORD$/.test(String(name));
      return `${String(name)} ${message}${secret ? '' : `; it is ${JSON.stringify(set[name as string])}`}`;
    });
    throw new InvalidSettingsError(lines.join('\n'));
  }
  const { data } = result;
  if (data.WORKERS > 1 && !data.DATABASE_URL) {
    throw new InvalidSettingsError(
      `DATABASE_URL must name a PostgreSQL server where WORKERS is above 1; WORKERS is ${data.WORKERS}, and the embedded database has one process`,
    );
  }
  return {
    port: data.PORT,
    host: data.HOST,
    dataDirectory: resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    migrateOnStart: data.MIGRATE_ON_START === 'on',
    embeddedStatementTimeoutMs: data.EMBEDDED_STATEMENT_TIMEOUT_MS,
    embeddedIdleInTransactionTimeoutMs: data.EMBEDDED_IDLE_IN_TRANSACTION_TIMEOUT_MS,
    redis: redisOf(data),
    rateLimitPerMinute: data.RATE_LIMIT_PER_MINUTE,
    instances: data.INSTANCES,
    workers: data.WORKERS,
    trustProxy: data.TRUST_PROXY,
    // Whoever sets HOST to a name or address opens the pages there.
    allowedHosts: [data.HOST.includes(':') ? `[${data.HOST}]` : data.HOST, ...data.ALLOWED_HOSTS],
    metricsPort: data.METRICS_PORT,
    docs: data.DOCS === 'on',
    graphiql: data.GRAPHIQL === 'on',
    developer: data.DEVELOPER === 'on',
    operatorPassword: data.OPERATOR_PASSWORD,
    maxActiveKeys: data.MAX_ACTIVE_KEYS,
    persistedOperations: persistedOperationsOf(data),
    logLevel: data.LOG_LEVEL,
    traces: tracesOf(data),
  };
}
