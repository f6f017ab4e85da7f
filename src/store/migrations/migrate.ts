import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { inTransaction, type TransactionQuery } from '../transaction.ts';
import {
  assertNoneUnfinished,
  findMismatch,
  findSchemaVersion,
  type Migration,
  readSchemaVersion,
} from './schema-version.ts';

/** The advisory lock that `prisma migrate` uses, so that it never migrates at the same time as this program. */
const PRISMA_ADVISORY_LOCK = 72707369;

const LOCK = 'SELECT pg_advisory_xact_lock($1)';

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
 * partial migration, and `prisma migrate deploy` does not apply it again. Concurrent instances wait for Prisma's
 * advisory lock. Each transaction takes the lock again, because a connection pooler may use another session for the
 * next transaction. If no migrations are pending, the database is only read, because the role may have no other rights
 * and the server may be read-only.
 *
 * @param pool a pool without statement and lock timeouts.
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
      await query(LOCK, [PRISMA_ADVISORY_LOCK]);
      return applyNext(query, isIncluded);
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
  await query(LOCK, [PRISMA_ADVISORY_LOCK]);
  const applied: string[] = [];
  for (;;) {
    const next = await applyNext(query, () => true);
    if (next === undefined) return applied;
    applied.push(next);
    onMigration(next);
  }
}

/**
 * Applies the first pending migration. Reads again which ones are pending, because another process may have applied
 * some.
 */
async function applyNext(query: TransactionQuery, isIncluded: (name: string) => boolean): Promise<string | undefined> {
  const version = await findSchemaVersion(query);
  assertNoneUnfinished(version);
  const mismatch = findMismatch(version);
  if (mismatch?.reason === 'newer' || mismatch?.reason === 'foreign') throw mismatch;
  if (version.current === undefined) await query(CREATE_MIGRATIONS_TABLE);
  const migration = version.pending.find(({ name }) => isIncluded(name));
  if (migration) await apply(query, migration);
  return migration?.name;
}

async function apply(query: TransactionQuery, migration: Migration): Promise<void> {
  try {
    await query(migration.sql);
    await query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
  } catch (error) {
    throw new MigrationError(migration.name, error);
  }
}
