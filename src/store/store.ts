import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { createDatabase, type Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { PrismaClient } from './generated/client.ts';
import { migrate } from './migrate.ts';
import { sql } from './sql.ts';

/** The records of all organizations: one pool, reached by SQL and by Prisma Client. */
export interface Store {
  readonly db: Database;
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /** Signs cursors; the same on every instance. */
  readonly cursorSecret: Buffer;
  readonly embedded: boolean;
  /** Whether another process holds the embedded database, and this one goes through it. */
  readonly shared: boolean;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** A PostgreSQL server (14 and newer); without it the embedded database of `dataDirectory` is used. */
  readonly databaseUrl?: string | undefined;
  readonly dataDirectory: string;
  /** Go through a process that already holds the embedded database, instead of being refused. */
  readonly join?: boolean;
  /** How long to wait for another process that holds the embedded database; 30 s with `join`, else not at all. */
  readonly waitMs?: number;
  /** Told each migration that was applied. */
  readonly onMigration?: (name: string) => void;
}

/**
 * Opens the store and brings its schema up to date.
 *
 * @throws {DirectoryInUse} see {@link openEmbedded}; the errors of {@link migrate}; connection errors.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const embedded = options.databaseUrl
    ? undefined
    : await openEmbedded(options.dataDirectory, {
        join: options.join ?? false,
        waitMs: options.waitMs ?? (options.join ? 30_000 : 0),
      });
  const pool = new pg.Pool(
    embedded ? embeddedConnection(embedded.socketFolder) : serverConnection(options.databaseUrl as string),
  );
  // A connection that breaks while idle is replaced by the pool; without a listener it ends the process.
  pool.on('error', () => {});
  // The same for one that is taken out: the statement it runs, or the next one, says what happened.
  pool.on('connect', (client) => client.on('error', () => {}));
  const close = async (prisma?: PrismaClient) => {
    await prisma?.$disconnect();
    await pool.end();
    await embedded?.close();
  };
  try {
    for (const name of await migrate(pool)) options.onMigration?.(name);
    const db = createDatabase(pool, { ownSessions: !embedded });
    const [row] = await db.rows<{ secret: Buffer }>(sql`SELECT secret FROM cursor_secret`);
    if (!row) throw new Error('the table cursor_secret is empty; restore its row from a backup');
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
    return {
      db,
      prisma,
      pool,
      cursorSecret: row.secret,
      embedded: embedded !== undefined,
      shared: embedded?.throughOther ?? false,
      close: () => close(prisma),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** UTC always: a server with another time zone would shift timestamps. */
const SESSION = '-c TimeZone=UTC';

function serverConnection(databaseUrl: string): pg.PoolConfig {
  return {
    connectionString: databaseUrl,
    max: 10,
    pipeline: true,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 5_000,
    query_timeout: 6_000,
    idle_in_transaction_session_timeout: 10_000,
    options: SESSION,
    keepAlive: true,
  };
}

/** One session underneath: a second connection would only wait, and waiting is no sign of trouble there. */
function embeddedConnection(socketFolder: string): pg.PoolConfig {
  return { host: socketFolder, database: 'postgres', user: 'postgres', max: 1, connectionTimeoutMillis: 60_000 };
}
