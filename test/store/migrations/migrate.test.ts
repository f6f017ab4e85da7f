import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../../src/store/migrations/migrate.ts';
import { times } from '../../support/data.ts';
import { createDatabases } from '../../support/servers/databases.ts';

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url);

async function migrationNames(): Promise<string[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

describe.skipIf(!inject('databaseUrl'))('migrations of a new PostgreSQL database', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  afterEach(() => databases.drop());

  const recorded = async (pool: pg.Pool) =>
    (await pool.query('SELECT * FROM _prisma_migrations ORDER BY migration_name')).rows;

  it('are applied in order, and not again on a second run', async () => {
    const pool = await databases.create();
    expect(await migrate(pool)).toEqual(await migrationNames());
    const before = await recorded(pool);
    const { rows: secrets } = await pool.query('SELECT * FROM cursor_secret');
    expect(await migrate(pool)).toEqual([]);
    expect(await recorded(pool)).toEqual(before);
    expect((await pool.query('SELECT * FROM cursor_secret')).rows).toEqual(secrets);
    expect(secrets).toHaveLength(1);
  });

  it('succeed for a role without the right to create tables', async () => {
    const pool = await databases.create(inject('migratedDatabase'));
    const role = `cms_test_role_${randomUUID().replaceAll('-', '')}`;
    await pool.query(`CREATE ROLE ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    const restricted = await databases.connect(pool, { options: `-c role=${role}` });
    try {
      expect(await migrate(restricted)).toEqual([]);
    } finally {
      await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });

  it('are recorded as by Prisma, with the SHA-256 of each file', async () => {
    const pool = await databases.create();
    await migrate(pool);
    const names = await migrationNames();
    const checksums = await Promise.all(
      names.map(async (name) => {
        const file = await readFile(new URL(`${name}/migration.sql`, MIGRATIONS));
        return createHash('sha256').update(file).digest('hex');
      }),
    );
    expect(await recorded(pool)).toEqual(
      names.map((name, n) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        checksum: checksums[n],
        finished_at: expect.any(Date),
        migration_name: name,
        logs: null,
        rolled_back_at: null,
        started_at: expect.any(Date),
        applied_steps_count: 1,
      })),
    );
  });

  it('are refused if an applied migration was changed, without effect', async () => {
    const pool = await databases.create(inject('migratedDatabase'));
    const [name] = await migrationNames();
    await pool.query(`UPDATE _prisma_migrations SET checksum = repeat('0', 64) WHERE migration_name = $1`, [name]);
    const before = await recorded(pool);
    await expect(migrate(pool)).rejects.toThrow(`migration ${name} was changed`);
    expect(await recorded(pool)).toEqual(before);
  });

  it('are rolled back if they fail, and applied on a later run', async () => {
    const pool = await databases.create();
    const [first] = await migrationNames();
    await pool.query('CREATE TABLE organization (id int)');
    await expect(migrate(pool)).rejects.toThrow(`migration ${first} failed`);
    const { rows } = await pool.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    expect(rows).toEqual([{ tablename: 'organization' }]);
    await pool.query('DROP TABLE organization');
    expect(await migrate(pool)).toEqual(await migrationNames());
  });

  it('are refused for a database of a newer version, without effect', async () => {
    const pool = await databases.create(inject('migratedDatabase'));
    const last = (await migrationNames()).at(-1);
    await pool.query(`
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '29990201000000_next', now());
      DELETE FROM _prisma_migrations WHERE migration_name = '${last}'`);
    const before = await recorded(pool);
    await expect(migrate(pool)).rejects.toThrow(
      /^the schema of the database is 29990201000000_next, this program knows \d+_\w+; use the version/,
    );
    expect(await recorded(pool)).toEqual(before);
  });

  it('are each applied once when ten instances start concurrently', async () => {
    const pool = await databases.create();
    const instances = await Promise.all(times(10, () => databases.connect(pool)));
    const applied = await Promise.all(instances.map((instance) => migrate(instance)));
    expect(applied.flat().sort()).toEqual(await migrationNames());
    expect(await recorded(pool)).toHaveLength((await migrationNames()).length);
  });

  it("wait for Prisma's lock and release it", async () => {
    const pool = await databases.create();
    const prisma = await (await databases.connect(pool)).connect();
    await prisma.query('SELECT pg_advisory_lock(72707369)');
    const waiting = migrate(pool);
    const tries = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_xact_lock%' AND state = 'idle in transaction'`;
    await expect.poll(async () => (await prisma.query(tries)).rows[0].n).toBe(1);
    await prisma.query('SELECT pg_advisory_unlock(72707369)');
    expect(await waiting).toEqual(await migrationNames());
    expect((await prisma.query('SELECT pg_try_advisory_lock(72707369) AS free')).rows).toEqual([{ free: true }]);
    prisma.release();
  });
});
