import { resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_MAX_ACTIVE_KEYS } from './domain/admin/active-keys.ts';
import { DEFAULT_MAX_STREAMS, DEFAULT_MAX_STREAMS_PER_KEY } from './domain/changes/change-watch.ts';
import { hasControlCharacter, parseServerUrl, problemOfUrl } from './store/connections/server-url.ts';

/** The settings of the service, from environment variables. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Absolute path; contains the embedded database and the demo key. */
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  /** Whether the service migrates the database when it starts; otherwise it requires a current schema. */
  readonly migrateOnStart: boolean;
  /** The Redis server that counts rate limits; if undefined, the process counts them in memory. */
  readonly redisUrl: string | undefined;
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
  /** The maximum numbers of streams of a key, and of this instance. */
  readonly maxStreamsPerKey: number;
  readonly maxStreams: number;
  /** After how many days data is deleted that is otherwise kept. */
  readonly retentionDays: RetentionDays;
  /** Whether webhooks may have private addresses, and use http for them. */
  readonly webhookPrivateNetworks: boolean;
  /** Whether traces are sent to an OpenTelemetry collector. */
  readonly traces: boolean;
}

/** After how many days data is deleted; undefined: never. */
export interface RetentionDays {
  readonly audit?: number | undefined;
  readonly keyUsage?: number | undefined;
  readonly removedRecords?: number | undefined;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

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
    .transform((value) => value === 'on')
    .prefault(defaultValue);
}

/** A list of values, separated by commas. */
function commaSeparated() {
  return z.string().transform((value) => value.split(',').map((item) => item.trim()));
}

/** After how many days something happens; not set: never. */
function retention(what: string) {
  return integer(7, 36_500).optional().describe(`after how many days (at least 7) ${what}; not set: never`);
}

function url(...schemes: string[]) {
  const error = `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return z.string().superRefine((value, context) => {
    const problem = problemOfUrl(value);
    if (problem) context.addIssue(problem);
    else if (!schemes.some((scheme) => value.startsWith(`${scheme}://`)) || !URL.canParse(value))
      context.addIssue(error);
    else if (!hasValidEscapes(value)) context.addIssue('must have %25 instead of % in its user name or password');
  });
}

function hasValidEscapes(value: string): boolean {
  try {
    const { username, password } = new URL(value);
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
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

/**
 * All settings: the table in docs/operations.md and the text of `--help` are derived from it. The default of a setting is
 * written as the value of its variable.
 */
const schema = z.object({
  PORT: integer(0, 65_535).prefault('4000').describe('port to listen on'),
  HOST: z.string().prefault('127.0.0.1').describe('address to listen on'),
  DATA_DIR: z.string().prefault('.data').describe('directory of the embedded database and the demo key'),
  DATABASE_URL: serverUrl()
    .optional()
    .describe(
      '`postgresql://…`: PostgreSQL 14 or newer, with [two extensions](#production-setup), instead of the embedded ' +
        'database. The demo data is not added automatically. Several hosts: see ' +
        '[PostgreSQL with a standby](scaling.md#postgresql-with-a-standby).',
    ),
  MIGRATE_ON_START: onOrOff('on').describe(
    '`off`: the service does not migrate the database, and does not start if migrations are pending. ' +
      'See [upgrade](#upgrade).',
  ),
  REDIS_URL: url('redis', 'rediss')
    .optional()
    .describe(
      '`redis://…`, or `rediss://…` with TLS: one rate-limit budget per key for all instances. See [Redis](scaling.md#redis).',
    ),
  INSTANCES: integer(1, 1_000)
    .prefault('1')
    .describe('the number of instances that share Redis; while it is unavailable, each allows its share of the limit'),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000_000)
    .prefault('120')
    .describe('points per minute, for each key, and for each client address without a valid key'),
  TRUST_PROXY: integer(0, 100)
    .prefault('0')
    .describe('how many proxies in front of the service append to `X-Forwarded-For`'),
  ALLOWED_HOSTS: hosts()
    .optional()
    .describe(
      'comma-separated host names, without ports, under which pages are served: `records.example.org`, ' +
        '`*.example.org`. `localhost`, its subdomains, loopback addresses and `HOST` are always allowed. For any other ' +
        'host, a page returns 421, which prevents DNS rebinding. The APIs accept every host.',
    ),
  DOCS: onOrOff('on').describe('`off`: the references of both APIs are not served'),
  GRAPHIQL: onOrOff('on').describe('`off`: GraphiQL is not served'),
  DEVELOPER: onOrOff('on').describe('`off`: the developer pages are not served'),
  MAX_ACTIVE_KEYS: integer(1, 10_000)
    .prefault(String(DEFAULT_MAX_ACTIVE_KEYS))
    .describe('how many API keys of an organization may be active (neither revoked nor expired)'),
  MAX_STREAMS_PER_KEY: integer(1, 10_000)
    .prefault(String(DEFAULT_MAX_STREAMS_PER_KEY))
    .describe('how many [streams](sync.md#stream-them) of a key an instance keeps open'),
  MAX_STREAMS: integer(1, 100_000)
    .prefault(String(DEFAULT_MAX_STREAMS))
    .describe('how many streams an instance keeps open; an organization gets at most half of them'),
  WEBHOOK_PRIVATE_NETWORKS: onOrOff('off').describe(
    '`on`: [webhooks](sync.md#receive-webhooks) may have private addresses, and plain http for these. Administrators of ' +
      'organizations can then send requests into the network of the service.',
  ),
  OPERATOR_PASSWORD: z
    .string()
    .min(12, { error: 'must have at least 12 characters' })
    .optional()
    .describe(
      'the operator’s password for the developer pages, at least 12 characters; if unset, the operator ' +
        '[sets one with a link](#developer-pages)',
    ),
  PERSISTED_OPERATIONS: z
    .enum(['off', 'allow', 'only'], { error: 'must be off, allow or only' })
    .prefault('off')
    .describe(
      '`allow`: GraphQL operations of a list can be run by id; `only`: all other operations are rejected. ' +
        'See [persisted operations](graphql.md#persisted-operations).',
    ),
  PERSISTED_OPERATIONS_FILE: paths()
    .optional()
    .describe('the file with the list for `PERSISTED_OPERATIONS`, or several comma-separated files'),
  GRAPHQL_FEDERATION: onOrOff('off').describe(
    '`on`: the GraphQL schema is a subgraph of Apollo Federation 2. See [federation](graphql.md#federation).',
  ),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .describe('port of the Prometheus metrics, which are served at the address of `HOST` without authentication'),
  AUDIT_RETENTION_DAYS: retention('entries of the [audit](#audit) are deleted, except the changes to keys'),
  KEY_USAGE_RETENTION_DAYS: retention('the numbers of points and requests per day of API keys are deleted'),
  REMOVED_RECORDS_RETENTION_DAYS: retention(
    'removed records are deleted from the change feed: a client that has not read it since must ' +
      '[start again](sync.md#when-a-cursor-is-refused)',
  ),
  SHUTDOWN_DELAY_MS: integer(0, 600_000)
    .prefault('2000')
    .describe(
      'how long the service continues to listen after SIGTERM; longer than the interval of the load balancer’s checks. ' +
        'See [stop](#stop).',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .prefault('info')
    .describe(LOG_LEVELS.map((level) => `\`${level}\``).join(', ')),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https')
    .optional()
    .describe(
      'OpenTelemetry collector that receives traces over HTTP, such as `http://127.0.0.1:4318`. See [traces](#traces).',
    ),
});

/** A setting, as it is documented. */
export interface SettingDescription {
  /** The name of its environment variable. */
  readonly name: string;
  /** The value of the variable if it is not set; undefined if there is none. */
  readonly default: string | undefined;
  /** In Markdown. */
  readonly description: string;
}

/** Returns the descriptions of all settings. */
export function describeSettings(): SettingDescription[] {
  return Object.entries(schema.shape).map(([name, setting]) => ({
    name,
    default: setting instanceof z.ZodPrefault ? (setting.def.defaultValue as string) : undefined,
    description: setting.description ?? '',
  }));
}

/** Parameters of `DATABASE_URL` that become variables if a shell reads the URL without quotes, because `&` ends the value. */
const LOST_PARAMETERS =
  /^(ssl(mode|cert|key|rootcert|negotiation)|target_session_attrs|connect_timeout|application_name|pgbouncer|uselibpqcompat)$/;

/** The variables of the driver that complete `DATABASE_URL`. */
const DRIVER_VARIABLES = ['PGHOST', 'PGPORT', 'PGUSER', 'PGPASSWORD', 'PGDATABASE'];

/** @throws {InvalidSettingsError} for values that were probably changed on their way into the environment. */
function assertIntact(variables: Variables): void {
  const problems = [...Object.keys(schema.shape), ...DRIVER_VARIABLES].flatMap((name) => {
    const value = variables[name] ?? '';
    if (!hasControlCharacter(value)) return [];
    if (/^[^\r\n]*\r?\n$/.test(value))
      return `${name} must not end with a line break; a file with the value has one at its end`;
    if (/^[^\r\n]*\r$/.test(value))
      return `${name} must not end with a carriage return; the file that sets it has Windows line breaks`;
    return `${name} must not contain line breaks, tabs or other control characters`;
  });
  const lost = Object.keys(variables).find((name) => LOST_PARAMETERS.test(name));
  if (lost !== undefined && variables.DATABASE_URL === undefined) {
    problems.push(
      `DATABASE_URL must be set if ${lost} is, which is one of its parameters; write the URL in single quotes, because & ends a command of the shell`,
    );
  }
  if (problems.length > 0) throw new InvalidSettingsError(problems.join('\n'));
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Settings that other programs set too, or that say nothing about the database. */
const NOT_OF_A_SERVICE = ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'LOG_LEVEL', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

/** Returns the name of a setting of a service, if there is one but no setting for its database; otherwise undefined. */
export function serviceSettingWithoutDatabase(variables: Variables): string | undefined {
  if (variables.DATABASE_URL || variables.DATA_DIR) return undefined;
  return Object.keys(schema.shape).find((name) => variables[name] && !NOT_OF_A_SERVICE.includes(name));
}

/**
 * Whether traces are sent. Follows OpenTelemetry's specification of environment variables, except that nothing is exported
 * by default. Its libraries read the other variables (service name, headers, sampler, …).
 */
function sendsTraces(variables: Variables): boolean {
  if (isTracingDisabled(variables)) return false;
  const endpoint = variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? variables.OTEL_EXPORTER_OTLP_ENDPOINT;
  return (variables.OTEL_TRACES_EXPORTER ?? (endpoint ? 'otlp' : 'none')) === 'otlp';
}

function isTracingDisabled({ OTEL_SDK_DISABLED: isDisabled, OTEL_TRACES_EXPORTER: exporter }: Variables): boolean {
  return isDisabled?.toLowerCase() === 'true' || exporter === 'none';
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

function persistedOperations(data: z.output<typeof schema>): Settings['persistedOperations'] {
  const { PERSISTED_OPERATIONS: mode, PERSISTED_OPERATIONS_FILE: files } = data;
  if (mode === 'off') return undefined;
  if (files) return { mode, files };
  throw new InvalidSettingsError(`PERSISTED_OPERATIONS_FILE must be set, because PERSISTED_OPERATIONS is ${mode}`);
}

/** Removes OpenTelemetry's variables if tracing is disabled, so that values for other services are not validated. */
function withoutDisabledTracing(variables: Variables): Variables {
  return isTracingDisabled(variables)
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
  assertIntact(variables);
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
    redisUrl: data.REDIS_URL,
    rateLimitPerMinute: data.RATE_LIMIT_PER_MINUTE,
    instances: data.INSTANCES,
    trustProxy: data.TRUST_PROXY,
    // The pages are also served under HOST.
    allowedHosts: [data.HOST.includes(':') ? `[${data.HOST}]` : data.HOST, ...(data.ALLOWED_HOSTS ?? [])],
    metricsPort: data.METRICS_PORT,
    docs: data.DOCS,
    graphiql: data.GRAPHIQL,
    developer: data.DEVELOPER,
    operatorPassword: data.OPERATOR_PASSWORD,
    maxActiveKeys: data.MAX_ACTIVE_KEYS,
    maxStreamsPerKey: data.MAX_STREAMS_PER_KEY,
    maxStreams: data.MAX_STREAMS,
    persistedOperations: persistedOperations(data),
    federation: data.GRAPHQL_FEDERATION,
    shutdownDelayMs: data.SHUTDOWN_DELAY_MS,
    logLevel: data.LOG_LEVEL,
    retentionDays: {
      audit: data.AUDIT_RETENTION_DAYS,
      keyUsage: data.KEY_USAGE_RETENTION_DAYS,
      removedRecords: data.REMOVED_RECORDS_RETENTION_DAYS,
    },
    webhookPrivateNetworks: data.WEBHOOK_PRIVATE_NETWORKS,
    traces: sendsTraces(variables),
  };
}
