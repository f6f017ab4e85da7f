import { userInfo } from 'node:os';
import pg from 'pg';
import type { ServerAddress } from './server-url.ts';

// Like libpq; the driver only reads the variable USER, which is not set in every environment.
pg.defaults.user ??= userNameOrNone();

/**
 * UTC, because another time zone of the server would shift timestamps. No JIT, because compilation ignores
 * `statement_timeout` and can take seconds, and does not make short statements faster.
 */
const SESSION_OPTIONS = '-c TimeZone=UTC -c jit=off';

/**
 * A request waits less than 2 s in total for a connection and a statement; then the store counts as unavailable.
 */
export const TIMEOUTS_MS = {
  request: { connectionTimeoutMillis: 700, lock_timeout: 600, statement_timeout: 1_100 },
  command: { connectionTimeoutMillis: 10_000, lock_timeout: 30_000 },
  migration: { connectionTimeoutMillis: 2_000 },
} satisfies Record<string, pg.PoolConfig>;

/** What connections are used for, which determines their timeouts. */
export type ConnectionUse = keyof typeof TIMEOUTS_MS;

const IDLE_IN_TRANSACTION_MS = 10_000;

/** How much longer than its timeouts a server may take to respond to a statement; then its connection is closed. */
const RESPONSE_MARGIN_MS = 100;

/** The connections of a pool, unless it is for a special purpose. */
const MAX_CONNECTIONS = 10;

/** How long an unused connection is kept. The first statements on a new one take several times as long. */
const IDLE_CONNECTION_MS = 60_000;

/** The time after which a statement without a response is given up; 0 for no limit. */
export function responseTimeoutMs(use: ConnectionUse): number {
  const { statement_timeout }: pg.PoolConfig = TIMEOUTS_MS[use];
  return statement_timeout ? statement_timeout + RESPONSE_MARGIN_MS : 0;
}

/** The pool configuration for a server, without its address. */
export function serverPoolConfig({ pgbouncer }: ServerAddress, use: ConnectionUse): pg.PoolConfig {
  const { connectionTimeoutMillis, ...timeouts }: pg.PoolConfig = TIMEOUTS_MS[use];
  return {
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    ...(pgbouncer
      ? { onConnect: setTimeZone }
      : {
          ...timeouts,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
          ...(use === 'migration' ? { onConnect: disableTimeouts } : {}),
        }),
  };
}

/** The servers to connect to. Of a setting that also occurs in the URL's options, PostgreSQL uses the last value. */
export function serversWithOptions({ servers, pgbouncer }: ServerAddress): readonly pg.ClientConfig[] {
  if (pgbouncer) return servers;
  return servers.map((server) => ({ ...server, options: `${server.options ?? ''} ${SESSION_OPTIONS}`.trim() }));
}

/** PgBouncer rejects other session parameters, and tracks this one per client. */
const setTimeZone = (client: pg.ClientBase) => client.query("SET TimeZone = 'UTC'");

/** A role can have timeouts that are too short for a migration. */
const disableTimeouts = (client: pg.ClientBase) => client.query('SET statement_timeout = 0; SET lock_timeout = 0');

/** Returns a BEGIN statement with the settings that sessions without PgBouncer have, limited to the transaction. */
export function beginWithSettings(use: ConnectionUse): string {
  const { lock_timeout = 0, statement_timeout = 0 }: pg.PoolConfig = TIMEOUTS_MS[use];
  return `BEGIN; SET LOCAL jit = off; SET LOCAL lock_timeout = ${lock_timeout};
    SET LOCAL statement_timeout = ${statement_timeout};
    SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
}

/** The embedded database as a server, whatever the variables `PG…` of the environment say. */
export function embeddedServer(socketFolder: string): pg.ClientConfig {
  return { host: socketFolder, port: 5432, ssl: false, database: 'postgres', user: 'postgres' };
}

/**
 * The pool configuration for the embedded database: a single connection, because the database has one session, and a
 * long timeout, because a long wait for it is not an error.
 */
export const EMBEDDED_POOL_CONFIG: pg.PoolConfig = { max: 1, connectionTimeoutMillis: 60_000 };

/** The name of the user that runs this process; a container may run a user without a name. */
function userNameOrNone(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
