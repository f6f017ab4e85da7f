import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type Migration, mismatchOf, readSchemaVersion, requireAllFinished } from './schema-version.ts';

/** The advisory lock that Prisma's own engine takes, so that the two never migrate at once. */
const PRISMA_ADVISORY_LOCK = 72707369;

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

/** Thrown when a migration was not applied; its cause is the first error. */
export class MigrationError extends Error {
  constructor(name: string, cause: unknown) {
    super(`migration ${name} failed: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Applies every migration of `prisma/migrations` that the database does not have yet, in order.
 *
 * Each one is recorded in Prisma's own table in the transaction that applies it, so a process that
 * is killed in between leaves nothing half done, and `prisma migrate deploy` agrees afterwards.
 * Instances that start together wait for one another on Prisma's advisory lock. Each transaction takes it anew: a
 * connection pooler may give the next one another session, which would not hold it. Where there is nothing to apply,
 * the database is only read: the service's role may have no further right, and the server may be read-only.
 *
 * @param pool gives a connection that waits for statements and locks as long as they take.
 * @returns the names of the migrations applied now.
 * @throws {SchemaMismatchError} when the database has migrations that this program does not have.
 * @throws {MigrationError} with the error of the statement.
 * @throws when a migration that the database has was changed since, or failed under another tool.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const before = await readSchemaVersion(pool);
  if (before.unfinished === undefined && !mismatchOf(before)) return [];
  const client = await pool.connect();
  let broken = true;
  try {
    const applied: string[] = [];
    for (let next = await applyNext(client); next; next = await applyNext(client)) applied.push(next);
    broken = false;
    return applied;
  } finally {
    client.release(broken);
  }
}

/** Applies the first migration that the database does not have yet; another process may have applied some meanwhile. */
function applyNext(client: pg.PoolClient): Promise<string | undefined> {
  return inTransaction(client, async () => {
    const version = await readSchemaVersion(client);
    requireAllFinished(version);
    const mismatch = mismatchOf(version);
    if (mismatch?.reason === 'newer') throw mismatch;
    if (version.current === undefined) await client.query(CREATE_MIGRATIONS_TABLE);
    const [migration] = version.pending;
    if (migration) await apply(client, migration);
    return migration?.name;
  });
}

/** Runs `work` while no other process migrates. @throws what it throws, after everything was rolled back. */
async function inTransaction<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [PRISMA_ADVISORY_LOCK]);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // Where even this fails the connection is gone, and with it the transaction; the first error says why.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
  } catch (error) {
    throw new MigrationError(migration.name, error);
  }
}
