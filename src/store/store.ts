import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { MAX_FAIR_READS } from './connections/fair-reads.ts';
import {
  beginWithSettings,
  type ConnectionUse,
  EMBEDDED_POOL_CONFIG,
  embeddedServer,
  responseTimeoutMs,
  serverPoolConfig,
  serversWithOptions,
  TIMEOUTS_MS,
} from './connections/pool-config.ts';
import { ReadPipeline } from './connections/read-pipeline.ts';
import { createServerPool, FairPool } from './connections/server-pool.ts';
import { createServerSelector, serverName } from './connections/server-selector.ts';
import { parseServerUrl } from './connections/server-url.ts';
import { createDatabase, type Database, type DatabaseOptions } from './database.ts';
import {
  type EmbeddedDatabase,
  type EmbeddedOptions,
  openEmbedded,
  requireEmbeddedDatabase,
} from './embedded/open-embedded.ts';
import { PrismaClient } from './generated/client.ts';
import { prepareSchema, type SchemaOptions } from './migrations/prepare-schema.ts';
import { assertVersionSupported } from './migrations/schema-version.ts';
import { sql } from './sql.ts';
import { createWriteCheck, type WriteCheck } from './write-check.ts';

/** The database: tenants' records by SQL, and what is rarely used by Prisma Client. */
export interface Store {
  readonly db: Database;
  /**
   * The same records on connections that are reserved for authentication, so that it works even while the pool is
   * exhausted. The same as `db` for the embedded database.
   */
  readonly reserved: Database;
  /** On connections of its own, see {@link PRISMA_CONNECTIONS}. Created when it is first used, because it takes 8 MB. */
  readonly prisma: PrismaClient;
  /** The connections of `db`. */
  readonly connections: FairPool;
  /** The pool of `connections`, for commands, which need no fair sharing. */
  readonly pool: pg.Pool;
  /** All pools, including those of reserved connections and of Prisma Client. */
  readonly pools: readonly pg.Pool[];
  /** Encrypts cursors and signs cookies; the same on every instance. */
  readonly appSecret: Buffer;
  readonly embedded: boolean;
  /** Whether another process owns the embedded database, and this one only connects to it. */
  readonly isOwnedElsewhere: boolean;
  /** @throws {OutdatedVersionError} if the schema requires a newer version of the service. */
  assertSupported(): Promise<void>;
  /** Why this process's embedded database is not running; undefined while it is. */
  failure(): string | undefined;
  /** False after a write failed because the disk is full or read-only, until a test write succeeds. */
  canWrite(): Promise<boolean>;
  close(): Promise<void>;
}

export interface StoreOptions extends SchemaOptions {
  /**
   * A PostgreSQL server (14 or newer), or several, see {@link parseServerUrl}; if unset, the embedded database of
   * `dataDirectory` is used.
   */
  readonly databaseUrl?: string | undefined;
  readonly dataDirectory: string;
  /** Whether to connect to a process that already owns the embedded database, instead of failing. */
  readonly join?: boolean;
  /** How long to wait for another process that owns the embedded database; by default 30 s with `join`, otherwise 0. */
  readonly waitMs?: number;
  /** The timeouts of statements on a server: short for requests, long for commands (the default). */
  readonly timeouts?: 'request' | 'command';
  /** Options of the embedded database that differ from the defaults for commands. */
  readonly embedded?: Partial<EmbeddedOptions>;
  /** Called with the name of each applied migration. */
  readonly onMigration?: (name: string) => void;
  /** Called with host and port when another server is selected. */
  readonly onServerChange?: (host: string) => void;
}

/** The connections reserved for authentication: two, so that authentication continues if one of them breaks. */
const RESERVED_CONNECTIONS = 2;

/** The connections of Prisma Client: of reads of the APIs, and one of pages and sign-ins. Embedded, all share one. */
const PRISMA_CONNECTIONS = MAX_FAIR_READS + 1;

/**
 * The times after which Prisma Client's connections give up a request's connection, and a statement without a response.
 * Longer than for other statements, because the driver's timers do not wait once more after a blocked event loop.
 */
const PRISMA_REQUEST_TIMEOUTS = { connectionTimeoutMillis: 2_000, query_timeout: 5_000 };

/** Never reached: connections, statements and locks time out earlier. */
const MAX_PRISMA_WAIT_MS = 60_000;
const MAX_PRISMA_TRANSACTION_MS = 60_000;

/** Defaults for commands, whose statements may be long. */
const EMBEDDED_DEFAULTS: EmbeddedOptions = {
  statementLimitMs: () => 60_000,
  idleInTransactionMs: 10_000,
  onFailure: () => {},
  onIdleInTransaction: () => {},
};

/** How long to wait for running statements before closing the embedded database. */
const CLOSE_TIMEOUT_MS = 1_000;

/** Long enough to create indexes on large tables. */
const EMBEDDED_MIGRATION_LIMIT_MS = 600_000;

/**
 * Opens the store and, by default, migrates the schema.
 *
 * @throws {SchemaMismatchError} when the schema version is not allowed by `options.schema`.
 * @throws {DirectoryInUseError} see {@link openEmbedded}; the errors of {@link migrate}; connection errors.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.schema === 'require' && !options.migrations && !options.databaseUrl)
    await requireEmbeddedDatabase(options.dataDirectory);
  const writeCheck = createWriteCheck();
  let hasMigrationLimit = true;
  const embedded = options.databaseUrl
    ? undefined
    : await openEmbeddedDatabase(options, writeCheck, () => hasMigrationLimit);
  const connections = createConnections(options, embedded, writeCheck);
  const { pool, pools, fairPool } = connections;
  let prisma: PrismaClient | undefined;
  const close = async () => {
    await prisma?.$disconnect();
    await connections.pipeline?.close();
    await closeConnections(pools, embedded);
  };
  try {
    await connections.selectServer();
    await prepareSchemaOn(connections.createMigrationPool(), options, embedded?.isNew ?? false);
    // While a backup is restored, the limit for migrations remains, because an older schema will be migrated.
    hasMigrationLimit = options.migrations !== undefined;
    const db = createDatabase(fairPool, connections.databaseOptions);
    const reserved = embedded ? db : createDatabase(connections.reserved, connections.databaseOptions);
    if (embedded && !embedded.isOwnedElsewhere) await createSecrets(db);
    const { appSecret, isReadOnly } = await readAppSecret(db);
    if (isReadOnly) writeCheck.reportFailure();
    return {
      db,
      reserved,
      get prisma() {
        prisma ??= new PrismaClient({
          adapter: new PrismaPg(connections.prismaPool),
          transactionOptions: { maxWait: MAX_PRISMA_WAIT_MS, timeout: MAX_PRISMA_TRANSACTION_MS },
        });
        return prisma;
      },
      connections: fairPool,
      pool,
      pools,
      appSecret,
      embedded: embedded !== undefined,
      isOwnedElsewhere: embedded?.isOwnedElsewhere ?? false,
      failure: () => embedded?.failure(),
      canWrite: () => writeCheck.canWrite(db),
      async assertSupported() {
        const [row] = await reserved.rows<{ minimum_version: string }>(
          sql`SELECT minimum_version FROM schema_requirement`,
        );
        assertVersionSupported(row?.minimum_version);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the embedded database. Its statement limit is that of migrations as long as `hasMigrationLimit` says so. */
function openEmbeddedDatabase(
  options: StoreOptions,
  writeCheck: WriteCheck,
  hasMigrationLimit: () => boolean,
): Promise<EmbeddedDatabase> {
  const embeddedOptions = { ...EMBEDDED_DEFAULTS, ...options.embedded };
  return openEmbedded(options.dataDirectory, {
    ...embeddedOptions,
    onFailure: (reason) => {
      // The cause may be a full disk, which allows only reads after a restart.
      writeCheck.reportFailure();
      embeddedOptions.onFailure(reason);
    },
    statementLimitMs: () => (hasMigrationLimit() ? EMBEDDED_MIGRATION_LIMIT_MS : embeddedOptions.statementLimitMs()),
    join: options.join ?? false,
    waitMs: options.waitMs ?? (options.join ? 30_000 : 0),
  });
}

/** The connections of a store. */
interface Connections {
  readonly pool: pg.Pool;
  readonly fairPool: FairPool;
  /** The same as `fairPool` for an embedded database. */
  readonly reserved: FairPool;
  /** The same as `pool` for an embedded database. */
  readonly prismaPool: pg.Pool;
  /** All, without duplicates. */
  readonly pools: readonly pg.Pool[];
  /** Undefined for sessions that clients share, and for commands. */
  readonly pipeline: ReadPipeline | undefined;
  readonly databaseOptions: DatabaseOptions;
  /** Creates a pool whose timeouts allow for locks of other instances and long migrations. */
  createMigrationPool(): pg.Pool;
  /** Selects a server before the first connection. */
  selectServer(): Promise<unknown>;
}

function createConnections(
  options: StoreOptions,
  embedded: EmbeddedDatabase | undefined,
  writeCheck: WriteCheck,
): Connections {
  const timeouts = options.timeouts ?? 'command';
  const address = options.databaseUrl ? parseServerUrl(options.databaseUrl) : undefined;
  const selector = createServerSelector({
    servers: address ? serversWithOptions(address) : [embeddedServer((embedded as EmbeddedDatabase).socketFolder)],
    timeoutMs: TIMEOUTS_MS[timeouts].connectionTimeoutMillis,
  });
  selector.onChange((server) => options.onServerChange?.(serverName(server)));
  const poolConfigFor = (use: ConnectionUse) => (address ? serverPoolConfig(address, use) : EMBEDDED_POOL_CONFIG);
  const createPool = (config: pg.PoolConfig) => createServerPool({ ...poolConfigFor(timeouts), ...config }, selector);
  const pool = createPool({});
  const fairPool = new FairPool({ pool, selector, isShared: true });
  const isShared = embedded !== undefined || address?.pgbouncer === true;
  const pipeline =
    isShared || timeouts === 'command' ? undefined : new ReadPipeline({ config: poolConfigFor(timeouts), selector });
  const reservedPool = embedded ? pool : createPool({ max: RESERVED_CONNECTIONS });
  const prismaTimeouts = timeouts === 'request' ? PRISMA_REQUEST_TIMEOUTS : {};
  const prismaPool = embedded ? pool : createPool({ max: PRISMA_CONNECTIONS, ...prismaTimeouts });
  return {
    pool,
    fairPool,
    reserved: embedded ? fairPool : new FairPool({ pool: reservedPool, selector, isShared: false }),
    prismaPool,
    pools: [...new Set([pool, reservedPool, prismaPool])],
    pipeline,
    databaseOptions: {
      isPrepared: !isShared,
      pipeline,
      beginStatement: address?.pgbouncer ? beginWithSettings(timeouts) : undefined,
      responseTimeoutMs: embedded ? 0 : responseTimeoutMs(timeouts),
      onError: writeCheck.observe,
    },
    createMigrationPool: () => createServerPool({ ...poolConfigFor('migration'), max: address ? 2 : 1 }, selector),
    selectServer: () => selector.select(),
  };
}

/** Closes the pools and the embedded database. */
async function closeConnections(pools: readonly pg.Pool[], embedded: EmbeddedDatabase | undefined): Promise<void> {
  const poolsEnded = Promise.all(pools.map((open) => open.end()));
  // Does not wait for a statement that hangs, because it ends only when the embedded database is closed.
  if (embedded) await Promise.race([poolsEnded, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  else await poolsEnded;
  await embedded?.close();
  await poolsEnded;
}

/** Prepares the schema through a pool, closes the pool, and reports the applied migrations. */
async function prepareSchemaOn(pool: pg.Pool, options: StoreOptions, isNew: boolean): Promise<void> {
  let applied: string[];
  try {
    // The schema of a backup may be older than that of a new embedded database.
    if (isNew && options.migrations) await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    applied = await prepareSchema(pool, options);
  } finally {
    await pool.end();
  }
  for (const name of applied) options.onMigration?.(name);
}

/** Creates what a new embedded database does not have yet, because it differs between installations. */
async function createSecrets(db: Database): Promise<void> {
  await db.rows(sql`
    INSERT INTO cursor_secret (secret) SELECT ${randomBytes(32)}::bytea WHERE NOT EXISTS (SELECT FROM cursor_secret)`);
  await db.rows(sql`
    INSERT INTO change_feed (epoch) SELECT ${randomUUID()}::text WHERE NOT EXISTS (SELECT FROM change_feed)`);
}

async function readAppSecret(db: Database): Promise<{ appSecret: Buffer; isReadOnly: boolean }> {
  const [row] = await db.rows<{ secret: Buffer; read_only: boolean }>(sql`
    SELECT secret, current_setting('transaction_read_only')::boolean AS read_only FROM cursor_secret`);
  if (!row) throw new Error('the table cursor_secret is empty; restore its row from a backup');
  return { appSecret: row.secret, isReadOnly: row.read_only };
}
