import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inTransaction, type TransactionQuery } from '../connections/transaction.ts';
import {
  assertNoneUnfinished,
  findMismatch,
  findSchemaVersion,
  type Migration,
  readSchemaVersion,
} from './schema-version.ts';

/** The advisory lock that `prisma migrate` uses, so that it never migrates at the same time as this program. */
const PRISMA_ADVISORY_LOCK = 72707369;

/** How often a process that waits for the lock tries to take it. */
const LOCK_RETRY_MS = 50;

const CREATE_MIGRATIONS_TABLE = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                  VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum"            VARCHAR(64) NOT NULL,
    "finished_at"         TIMESTAMPTZ,
    "migration_name"      VARCHAR(255) NOT NULL,
    "logs"                TEXT,
    "rolled_back_at"      TIMESTAMPTZ,
    "started_at"          TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`;

/** Thrown when a migration failed, with the error as its cause. */
export class MigrationError extends Error {
  constructor(name: string, cause: unknown) {
    super(`migration ${name} failed: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Applies the pending migrations of `prisma/migrations`, in order.
 *
 * Each migration is applied and recorded in Prisma's table in one transaction, so that a killed process leaves no
 * partial migration, and `prisma migrate deploy` does not apply it again. One that runs outside of a transaction is recorded
 * when it is complete; until then, it is resumed. Concurrent instances wait for Prisma's advisory lock. Each transaction takes the lock again, because a connection pooler may use another session for the
 * next transaction. If no migrations are pending, the database is only read, because the role may have no other rights
 * and the server may be read-only.
 *
 * @param pool a pool without statement and lock timeouts. If it has one connection, as for the embedded database, every
 *   migration runs in a transaction.
 * @param isIncluded which migrations to apply, by name; all of them by default.
 * @returns the names of the migrations applied now.
 * @throws {SchemaMismatchError} when the database has migrations that this program does not have.
 * @throws {MigrationError} with the error of the statement.
 * @throws {Error} when an applied migration was changed later, or failed in another tool.
 */
export async function migrate(pool: pg.Pool, isIncluded: (name: string) => boolean = () => true): Promise<string[]> {
  const before = await readSchemaVersion(pool);
  if (before.unfinished === undefined && !findMismatch(before)) return [];
  const applied: string[] = [];
  for (;;) {
    const next = await inTransaction(pool, 'BEGIN', async (query) => {
      await takeLock(query);
      return applyNext(query, isIncluded, pool.options.max > 1 ? pool : undefined);
    });
    if (next === undefined) return applied;
    applied.push(next);
  }
}

/**
 * Applies the pending migrations within a transaction of the caller.
 *
 * @returns the names of the migrations applied now.
 * @throws the errors of {@link migrate}.
 */
export async function applyPendingMigrations(
  query: TransactionQuery,
  onMigration: (name: string) => void = () => {},
): Promise<string[]> {
  await takeLock(query);
  const applied: string[] = [];
  for (;;) {
    const next = await applyNext(query, () => true);
    if (next === undefined) return applied;
    applied.push(next);
    onMigration(next);
  }
}

/**
 * Applies the first pending migration, if its mark says so on another connection of `pool`. Reads again which ones are pending, because another process may have applied
 * some.
 */
async function applyNext(
  query: TransactionQuery,
  isIncluded: (name: string) => boolean,
  pool?: pg.Pool,
): Promise<string | undefined> {
  const version = await findSchemaVersion(query);
  assertNoneUnfinished(version);
  const mismatch = findMismatch(version);
  if (mismatch?.reason === 'newer' || mismatch?.reason === 'foreign') throw mismatch;
  if (version.current === undefined) await query(CREATE_MIGRATIONS_TABLE);
  const migration = version.pending.find(({ name }) => isIncluded(name));
  if (migration) await apply(query, migration, pool);
  return migration?.name;
}

/**
 * Takes the lock until the transaction ends. Does not wait within a statement, whose snapshot would delay an index that
 * another process builds concurrently, while that process has the lock.
 */
async function takeLock(query: TransactionQuery): Promise<void> {
  const take = () => query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [PRISMA_ADVISORY_LOCK]);
  while (!(await take())[0]?.taken) await sleep(LOCK_RETRY_MS);
}

async function apply(query: TransactionQuery, migration: Migration, pool: pg.Pool | undefined): Promise<void> {
  try {
    if (!runsOutsideTransaction(migration.sql)) await query(migration.sql);
    else if (pool) await runOutsideTransaction(pool, migration.sql);
    else await query(withoutConcurrently(migration.sql));
    await query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
  } catch (error) {
    throw new MigrationError(migration.name, error);
  }
}

/** The first line of a migration whose statements run outside of a transaction, so that they do not block writes. */
const MARK = '-- outside a transaction\n';

const CREATE_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?"?(\w+)"? /i;

/** How often it is checked whether another session still builds an index. */
const BUILD_CHECK_MS = 200;

/** SQLSTATE of what PostgreSQL does not support, such as building an index of a partitioned table concurrently. */
const NOT_SUPPORTED = '0A000';

/** Whether the statements of a migration run outside of a transaction. */
function runsOutsideTransaction(sql: string): boolean {
  return sql.startsWith(MARK);
}

/** The same migration for a transaction, as in a new or an embedded database. */
function withoutConcurrently(sql: string): string {
  return sql.replaceAll(/\bCONCURRENTLY\b/gi, '');
}

/**
 * Runs the statements of a migration one after another, each in a transaction of its own. A later call resumes after a
 * failure: it skips indexes that are complete, and builds again those that are not. Other statements must be repeatable.
 */
export async function runOutsideTransaction(pool: pg.Pool, sql: string): Promise<void> {
  const withoutComments = sql.replaceAll(/^\s*--.*$/gm, '');
  for (const part of withoutComments.split(/;[ \t]*(?:\n|$)/)) {
    const statement = part.trim();
    const index = CREATE_INDEX.exec(statement)?.[1];
    if (index !== undefined) await buildIndex(pool, index, statement);
    else if (statement !== '') await pool.query(statement);
  }
}

async function buildIndex(pool: pg.Pool, name: string, statement: string): Promise<void> {
  if ((await dropIfIncomplete(pool, name)) === 'complete') return;
  try {
    await pool.query(statement);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NOT_SUPPORTED) {
      await pool.query(withoutConcurrently(statement));
      return;
    }
    // Writes would still maintain it, and check it if it is unique.
    await dropIfIncomplete(pool, name).catch(() => {});
    throw error;
  }
}

/** Drops an index that a failed or killed session left. Waits while a session of a killed process still builds it. */
async function dropIfIncomplete(pool: pg.Pool, name: string): Promise<'complete' | 'missing'> {
  const escaped = pg.escapeIdentifier(name);
  for (;;) {
    const { rows } = await pool.query<{ isValid: boolean; isBuilding: boolean }>(
      `SELECT indisvalid AS "isValid",
         EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid) AS "isBuilding"
       FROM pg_index i WHERE indexrelid = to_regclass($1)`,
      [escaped],
    );
    if (!rows[0]) return 'missing';
    if (rows[0].isValid) return 'complete';
    if (!rows[0].isBuilding) break;
    await sleep(BUILD_CHECK_MS);
  }
  await pool.query(`DROP INDEX CONCURRENTLY IF EXISTS ${escaped}`);
  return 'missing';
}
