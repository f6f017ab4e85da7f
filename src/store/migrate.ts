import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);

/** The advisory lock that Prisma's own engine takes, so that the two never migrate at once. */
const PRISMA_ADVISORY_LOCK = 72707369;

const CREATE_MIGRATIONS_TABLE = `
  CREATE TABLE "_prisma_migrations" (
    "id"                  VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum"            VARCHAR(64) NOT NULL,
    "finished_at"         TIMESTAMPTZ,
    "migration_name"      VARCHAR(255) NOT NULL,
    "logs"                TEXT,
    "rolled_back_at"      TIMESTAMPTZ,
    "started_at"          TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`;

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/**
 * Applies every migration of `prisma/migrations` that the database does not have yet, in order.
 *
 * Each one is recorded in Prisma's own table in the transaction that applies it, so a process that
 * is killed in between leaves nothing half done, and `prisma migrate deploy` agrees afterwards.
 * Instances that start together wait for one another on Prisma's advisory lock.
 *
 * @param pool gives a connection that waits for statements and locks as long as they take.
 * @returns the names of the migrations applied now.
 * @throws when a migration that the database has was changed since, or failed under another tool.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const migrations = await readMigrations();
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_ADVISORY_LOCK]);
    await createMigrationsTable(client);
    const applied = await appliedChecksums(client);
    const now: string[] = [];
    for (const migration of migrations) {
      const known = applied.get(migration.name);
      if (known === undefined) {
        await apply(client, migration);
        now.push(migration.name);
      } else if (known !== migration.checksum) {
        throw new Error(`migration ${migration.name} was changed after this database applied it; restore its file`);
      }
    }
    await client.query('SELECT pg_advisory_unlock($1)', [PRISMA_ADVISORY_LOCK]);
    broken = false;
    return now;
  } finally {
    client.release(broken);
  }
}

async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** `IF NOT EXISTS` asks for the right to create tables even where there is one, and who runs the service needs none. */
async function createMigrationsTable(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS exists`);
  if (!rows[0]?.exists) await client.query(CREATE_MIGRATIONS_TABLE);
}

async function appliedChecksums(client: pg.PoolClient): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`,
  );
  const unfinished = rows.find((row) => !row.finished);
  if (unfinished) {
    throw new Error(
      `migration ${unfinished.migration_name} is recorded as failed; resolve it with "prisma migrate resolve" and start again`,
    );
  }
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}
