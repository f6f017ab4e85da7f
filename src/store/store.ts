import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { FairPool } from './connections/fair-pool.ts';
import { FairPrismaPg } from './connections/fair-prisma.ts';
import { parseServerUrl, type ServerAddress } from './connections/server-url.ts';
import { createServers, type Servers } from './connections/servers.ts';
import { createWriteCheck } from './connections/write-check.ts';
import { createDatabase, type Database, type DatabaseOptions } from './database.ts';
import { type EmbeddedOptions, openEmbedded, requireEmbeddedDatabase } from './embedded/open-embedded.ts';
import { PrismaClient } from './generated/client.ts';
import { migrate } from './migrations/migrate.ts';
import {
  mismatchOf,
  readSchemaVersion,
  requireAllFinished,
  type SchemaMismatchError,
} from './migrations/schema-version.ts';
import { sql } from './sql.ts';

/** The records of all organizations: one pool, reached by SQL and by Prisma Client. */
export interface Store {
  readonly db: Database;
  /**
   * The same records on connections of their own, which no other work takes: who calls is known even while
   * reads and writes wait for one another.
   */
  readonly reserved: Database;
  readonly prisma: PrismaClient;
  readonly pool: FairPool;
  /** All pools, the one of the reserved connections too. */
  readonly pools: readonly pg.Pool[];
  /** Signs cursors; the same on every instance. */
  readonly cursorSecret: Buffer;
  readonly embedded: boolean;
  /** Whether another process holds the embedded database, and this one goes through it. */
  readonly shared: boolean;
  /** Why the embedded database that this process holds does not run now; undefined while it does. */
  failure(): string | undefined;
  /** False from a write that failed for want of room, or of the right to write, until one succeeds. */
  canWrite(): Promise<boolean>;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** A PostgreSQL server (14 and newer), or several, see {@link parseServerUrl}; without it the embedded database of `dataDirectory` is used. */
  readonly databaseUrl?: string | undefined;
  readonly dataDirectory: string;
  /** Go through a process that already holds the embedded database, instead of being refused. */
  readonly join?: boolean;
  /** How long to wait for another process that holds the embedded database; 30 s with `join`, else not at all. */
  readonly waitMs?: number;
  /** How long statements may wait on a server: as a request may, which is short, or as a command may (the default). */
  readonly waits?: 'request' | 'command';
  /** How this process runs the embedded database, where it differs from the defaults for a command. */
  readonly embedded?: Partial<EmbeddedOptions>;
  /** Whether the schema is brought up to date (the default), made where there is none, or has to be up to date. */
  readonly schema?: 'migrate' | 'create' | 'require';
  /** Told that the database has a newer schema, all of this program's migrations and more; without it that is refused. */
  readonly onNewerSchema?: (mismatch: SchemaMismatchError) => void;
  /** Told each migration that was applied. */
  readonly onMigration?: (name: string) => void;
  /** Told the host and port when another one of several servers is connected to. */
  readonly onServerChange?: (host: string) => void;
}

/**
 * Opens the store; by default it brings the schema up to date.
 *
 * @throws {SchemaMismatchError} when the schema is another one than `options.schema` allows.
 * @throws {DirectoryInUseError} see {@link openEmbedded}; the errors of {@link migrate}; connection errors.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.schema === 'require' && !options.databaseUrl) await requireEmbeddedDatabase(options.dataDirectory);
  const running: EmbeddedOptions = { ...EMBEDDED_COMMAND, ...options.embedded };
  const writes = createWriteCheck();
  const onEvent: EmbeddedOptions['onEvent'] = (event) => {
    // A full disk is a reason why it fails, and after it has started again room for reads only.
    if (event.type === 'failed') writes.reportFailure();
    running.onEvent(event);
  };
  const embedded = options.databaseUrl
    ? undefined
    : await openEmbedded(options.dataDirectory, {
        ...running,
        onEvent,
        statementLimitMs: EMBEDDED_MIGRATION_LIMIT_MS,
        join: options.join ?? false,
        waitMs: options.waitMs ?? (options.join ? 30_000 : 0),
      });
  const waits = options.waits ?? 'command';
  const address = options.databaseUrl ? parseServerUrl(options.databaseUrl) : undefined;
  const servers =
    address &&
    createServers({
      urls: address.urls,
      timeoutMs: WAITS_MS[waits].connectionTimeoutMillis,
      onChange: options.onServerChange,
    });
  const connectionFor = (waits: keyof typeof WAITS_MS) =>
    embedded ? embeddedConnection(embedded.socketFolder) : serverConnection(address as ServerAddress, waits);
  const connection = connectionFor(waits);
  const pool = createPool(connection, servers);
  const reservedPool = embedded ? pool : createPool({ ...connection, max: RESERVED_CONNECTIONS }, servers);
  const pools = [...new Set([pool, reservedPool])];
  for (const each of pools) writes.observe(each);
  const close = async (prisma?: PrismaClient) => {
    await prisma?.$disconnect();
    const ended = Promise.all(pools.map((each) => each.end()));
    // A statement that hangs ends only with the embedded database.
    if (embedded) await Promise.race([ended, sleep(LAST_STATEMENTS_MS, undefined, { ref: false })]);
    else await ended;
    await embedded?.close();
    await ended;
  };
  try {
    for (const name of await prepareSchema(connectionFor('migration'), servers, options)) options.onMigration?.(name);
    embedded?.setStatementLimit(running.statementLimitMs);
    const sessions: DatabaseOptions = {
      ownSessions: !embedded,
      beginPooled: address?.pgbouncer ? beginPooled(waits) : undefined,
    };
    const db = createDatabase(pool, sessions);
    const reserved = embedded ? db : createDatabase(reservedPool, sessions);
    const [row] = await db.rows<{ secret: Buffer; read_only: boolean }>(sql`
      SELECT secret, current_setting('transaction_read_only')::boolean AS read_only FROM cursor_secret`);
    if (!row) throw new Error('the table cursor_secret is empty; restore its row from a backup');
    if (row.read_only) writes.reportFailure();
    const prisma = new PrismaClient({ adapter: new FairPrismaPg(pool) });
    return {
      ...{ db, reserved, prisma, pool, pools },
      cursorSecret: row.secret,
      embedded: embedded !== undefined,
      shared: embedded?.throughOther ?? false,
      failure: () => embedded?.failure(),
      canWrite: () => writes.canWrite(db),
      close: () => close(prisma),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** With a connection of its own, which may wait for other instances and for as long as an index takes. */
async function prepareSchema(
  connection: pg.PoolConfig,
  servers: Servers | undefined,
  { schema = 'migrate', onNewerSchema }: StoreOptions,
): Promise<string[]> {
  const pool = createPool({ ...connection, max: 1 }, servers);
  try {
    const version = await readSchemaVersion(pool);
    const mismatch = mismatchOf(version);
    if (mismatch?.reason === 'newer' && version.pending.length === 0 && onNewerSchema) {
      onNewerSchema(mismatch);
      return [];
    }
    if (schema === 'migrate' || (schema === 'create' && mismatch?.reason === 'empty')) return await migrate(pool);
    requireAllFinished(version);
    if (mismatch) throw mismatch;
    return [];
  } finally {
    await pool.end();
  }
}

function createPool(connection: pg.PoolConfig, servers?: Servers): FairPool {
  const pool = new FairPool(connection, servers);
  // A connection that breaks while idle is replaced by the pool; without a listener it ends the process.
  pool.on('error', () => {});
  // The same for one that is taken out: the statement it runs, or the next one, says what happened.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * UTC always: a server with another time zone would shift timestamps.
 *
 * No JIT: while PostgreSQL compiles a statement it does not look at `statement_timeout`, so that one that seems
 * expensive may hold its connection for seconds. Our statements are short and gain nothing from being compiled.
 */
const SESSION = '-c TimeZone=UTC -c jit=off';

/** The connections that only look up keys: two, so that one that breaks is no pause. */
const RESERVED_CONNECTIONS = 2;

/**
 * A request waits for a connection and then for one statement, together less than 2 s; after that the store counts
 * as unavailable. The client gives up last: only what the server cannot say itself, as when it is frozen.
 */
const WAITS_MS = {
  request: { connectionTimeoutMillis: 700, lock_timeout: 600, statement_timeout: 1_100, query_timeout: 1_200 },
  command: { connectionTimeoutMillis: 10_000, lock_timeout: 30_000 },
  migration: { connectionTimeoutMillis: 2_000 },
} satisfies Record<string, pg.PoolConfig>;

const IDLE_IN_TRANSACTION_MS = 10_000;

function serverConnection({ pgbouncer }: ServerAddress, waits: keyof typeof WAITS_MS): pg.PoolConfig {
  const { connectionTimeoutMillis, query_timeout, ...timeouts }: pg.PoolConfig = WAITS_MS[waits];
  return {
    max: 10,
    pipeline: true,
    connectionTimeoutMillis,
    query_timeout,
    keepAlive: true,
    ...(pgbouncer
      ? { onConnect: setTimeZone }
      : { ...timeouts, idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS, options: SESSION }),
  };
}

/** PgBouncer refuses other parameters of a session, and keeps this one for a client whatever server it is given. */
const setTimeZone = (client: pg.ClientBase) => client.query("SET TimeZone = 'UTC'");

/** What a session of the server's own would be told once. */
function beginPooled(waits: keyof typeof WAITS_MS): string {
  const { lock_timeout = 0, statement_timeout = 0 }: pg.PoolConfig = WAITS_MS[waits];
  return `BEGIN; SET LOCAL jit = off; SET LOCAL lock_timeout = ${lock_timeout};
    SET LOCAL statement_timeout = ${statement_timeout};
    SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
}

/**
 * A command's statement may be long, and a failure ends it: it is run again by its operator. The service's settings
 * are its own.
 */
const EMBEDDED_COMMAND: EmbeddedOptions = {
  statementLimitMs: 60_000,
  idleInTransactionMs: 10_000,
  maxRestarts: 0,
  onEvent: () => {},
};

/** How long statements of the embedded database may take that still run when it is closed. */
const LAST_STATEMENTS_MS = 1_000;

/** To make an index of many records takes as long as it takes. */
const EMBEDDED_MIGRATION_LIMIT_MS = 600_000;

/** One session underneath: a second connection would only wait, and waiting is no sign of trouble there. */
function embeddedConnection(socketFolder: string): pg.PoolConfig {
  return { host: socketFolder, database: 'postgres', user: 'postgres', max: 1, connectionTimeoutMillis: 60_000 };
}
