import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { TABLES } from '../../../src/backup/tables.ts';
import { migrate } from '../../../src/store/migrations/migrate.ts';
import { runCli } from '../../support/processes/cli.ts';
import { createVersion, startCommand } from '../../support/processes/other-version.ts';
import { startService } from '../../support/processes/running.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import { temporaryStores } from '../../support/stores/directories.ts';

/** A backup that version 1.0.0 has written: the demo organization, and one whose members were imported. */
const BACKUP = fileURLToPath(new URL('../../backup/fixtures/version-1.0.0.gz', import.meta.url));

const INITIAL = '20261127120000_initial';

/** Columns that a migration may compute again. */
const DERIVED = /^search_/;

const INDEX = '29990101000000_index';
const NEXT: Record<string, string> = {
  [INDEX]: `-- outside a transaction
-- Finds members by their city.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "member_city_idx" ON "member" ("organization_id", "city");
CREATE UNIQUE INDEX CONCURRENTLY "member_unique_idx" ON "member" ("organization_id", "position");
`,
};

describe.skipIf(!inject('databaseUrl'))('an upgrade', () => {
  const databases = createDatabases(inject('databaseUrl') ?? '');
  const { folder } = temporaryStores();
  let next: Awaited<ReturnType<typeof createVersion>>;
  let required: Awaited<ReturnType<typeof createVersion>>;

  beforeAll(async () => {
    next = await createVersion(await folder(), { version: '98.0.0', migrations: NEXT });
    const later = {
      '29990101000001_required': `CREATE TABLE table_of_99 (id text); UPDATE schema_requirement SET minimum_version = '99.0.0'`,
    };
    required = await createVersion(await folder(), { version: '99.0.0', migrations: { ...NEXT, ...later } });
  });
  afterAll(() => databases.drop());

  /** A database with the records of the backup in the current schema, and the key of an organization. */
  async function populated() {
    const pool = await databases.create();
    const environment = { DATABASE_URL: databases.urlOf(pool), DATA_DIR: await folder() };
    expect((await runCli(environment, 'restore', BACKUP)).err).not.toContain('error');
    const [organization] = (await runCli(environment, 'organization', 'list', '--json')).json;
    const create = [
      'key',
      'create',
      '--organization',
      organization.id,
      '--name',
      'Test',
      '--scopes',
      'all',
      '--expires',
      'never',
    ];
    const { key } = (await runCli(environment, ...create, '--json')).json;
    return { pool, environment, headers: { 'X-Api-Key': key as string, 'Content-Type': 'application/json' } };
  }

  const isBuilding = async (pool: pg.Pool) =>
    (await pool.query('SELECT pid FROM pg_stat_progress_create_index WHERE datname = current_database()')).rows[0]?.pid;

  const indexes = async (pool: pg.Pool) =>
    (
      await pool.query(`SELECT relname, indisvalid FROM pg_index JOIN pg_class c ON c.oid = indexrelid
      WHERE relname IN ('member_city_idx', 'member_unique_idx') ORDER BY 1`)
    ).rows;

  const COMPLETE = [
    { relname: 'member_city_idx', indisvalid: true },
    { relname: 'member_unique_idx', indisvalid: true },
  ];

  it('of the schema and the records of version 1.0.0 keeps every value, and the service answers every list', async () => {
    const old = await createVersion(await folder(), { version: '1.0.0', until: INITIAL });
    const pool = await databases.create();
    const environment = { DATABASE_URL: databases.urlOf(pool), DATA_DIR: await folder() };
    const restored = await startCommand(old.cli, environment, 'restore', BACKUP).ended;
    expect(restored.code, restored.err).toBe(0);
    const columns = new Map<string, string[]>();
    for (const table of TABLES) {
      const { rows } = await pool.query(
        'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
        ['public', table],
      );
      if (rows.length > 0)
        columns.set(
          table,
          rows.map(({ name }) => name).filter((name) => !DERIVED.test(name)),
        );
    }
    const contents = async () => {
      const read = async ([table, names]: [string, string[]]) => {
        const row = `to_jsonb(t) - ARRAY(SELECT jsonb_object_keys(to_jsonb(t)) EXCEPT SELECT unnest($1::text[]))`;
        return [
          table,
          (await pool.query(`SELECT (${row})::text AS row FROM "${table}" t ORDER BY 1`, [names])).rows,
        ] as const;
      };
      const tables: Record<string, unknown> = {};
      for (const entry of columns) {
        const [table, rows] = await read(entry);
        tables[table] = rows;
      }
      return tables;
    };
    const before = await contents();
    const folders = await readdir(new URL('../../../prisma/migrations/', import.meta.url));
    expect(await migrate(pool)).toEqual(folders.filter((name) => /^\d/.test(name) && name > INITIAL).sort());
    expect(await contents()).toEqual(before);

    const { headers } = await keyOf(environment);
    const service = await startService(environment);
    onTestFinished(() => void service.stop());
    for (const path of ['members', 'tags', 'departments', 'events', 'services', 'forms', 'prayer-requests']) {
      const response = await fetch(`${service.address}/v1/${path}?limit=100`, { headers });
      const { data } = (await response.json()) as { data?: unknown[] };
      expect([path, response.status, data?.length]).toEqual([path, 200, expect.toSatisfy((count) => count > 5)]);
    }
    await service.stop();
  });

  /** A key of the demo organization. */
  async function keyOf(environment: Record<string, string>) {
    const organization = 'org_01j00000000000000000000001';
    const create = [
      'key',
      'create',
      '--organization',
      organization,
      '--name',
      'Test',
      '--scopes',
      'all',
      '--expires',
      'never',
    ];
    const { key } = (await runCli(environment, ...create, '--json')).json;
    return { headers: { 'X-Api-Key': key as string, 'Content-Type': 'application/json' } };
  }

  it('builds an index while an instance of the previous version writes, and resumes after it was killed', async () => {
    const { pool, environment } = await populated();
    const { headers } = await keyOf(environment);
    const service = await startService(environment);
    onTestFinished(() => void service.stop());
    const blocker = await (await databases.connect(pool)).connect();
    await blocker.query('BEGIN; UPDATE member SET city = city WHERE false');

    const killed = startCommand(next.cli, environment, 'migrate');
    await expect.poll(() => isBuilding(pool)).toBeDefined();
    const post = (email: string) =>
      fetch(`${service.address}/v1/members`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ first_name: 'Ada', last_name: 'Lovelace', email_address: email }),
      });
    const body = await (await post('ada@example.org')).json();
    expect(body).toMatchObject({ data: { id: expect.stringMatching(/^mem_/) } });
    killed.kill();
    await killed.ended;
    // The session of the killed process still builds the index.
    const second = startCommand(next.cli, environment, 'migrate');
    const waits = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT indisvalid%'`;
    await expect.poll(async () => (await pool.query(waits)).rows[0].count).toBeGreaterThan(0);
    await blocker.query('COMMIT');
    blocker.release();
    const { code, out } = await second.ended;
    expect([code, out]).toEqual([0, `applied: ${INDEX}\n`]);
    expect(await indexes(pool)).toEqual(COMPLETE);

    // As after a session that ended while it built the index.
    await pool.query(`DELETE FROM _prisma_migrations WHERE migration_name = '${INDEX}'`);
    await pool.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'member_city_idx'::regclass`);
    expect((await startCommand(next.cli, environment, 'migrate').ended).code).toBe(0);
    expect(await indexes(pool)).toEqual(COMPLETE);
    expect((await post('grace@example.org')).status).toBe(201);
    await service.stop();
  });

  it('leaves no incomplete index if it fails, and is completed when the cause is gone', async () => {
    const { pool, environment } = await populated();
    const clash = await createVersion(await folder(), {
      version: '98.0.0',
      migrations: {
        [INDEX]: `-- outside a transaction\nCREATE UNIQUE INDEX CONCURRENTLY member_unique_idx ON member (organization_id, city);\n`,
      },
    });
    const failed = await startCommand(clash.cli, environment, 'migrate').ended;
    expect([failed.code, failed.err]).toEqual([
      1,
      expect.stringContaining(`migration ${INDEX} failed: could not create unique index`),
    ]);
    expect(await indexes(pool)).toEqual([]);
    const completed = await startCommand(next.cli, environment, 'migrate').ended;
    expect([completed.code, await indexes(pool)]).toEqual([0, COMPLETE]);
  });

  it('lets the previous version work on a compatible schema, and refuses its writes on one that requires the new version', async () => {
    const { pool, environment } = await populated();
    const { headers } = await keyOf(environment);
    expect((await startCommand(next.cli, environment, 'migrate').ended).code).toBe(0);
    const service = await startService({ ...environment, LOG_LEVEL: 'warn' });
    onTestFinished(() => void service.stop());
    const note = `a newer version of the service has migrated the database (${INDEX}); this version, 1.0.0, works with it`;
    expect(service.output()).toContain(note);
    const file = join(await folder(), 'cms.gz');
    const backup = await runCli(environment, 'backup', file, '--json');
    expect([backup.code, JSON.parse(backup.err)]).toEqual([0, { note }]);
    const empty = await databases.create();
    const other = { DATABASE_URL: databases.urlOf(empty), DATA_DIR: await folder() };
    expect((await runCli(other, 'restore', file)).err).toContain(
      'restore it with the version of the service that had migrated',
    );
    expect((await startCommand(next.cli, other, 'restore', file).ended).code).toBe(0);

    expect((await startCommand(required.cli, environment, 'migrate').ended).code).toBe(0);
    const patch = await fetch(`${service.address}/v1/members`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ first_name: 'Ada', last_name: 'Lovelace', email_address: 'ada@example.org' }),
    });
    expect([patch.status, ((await patch.json()) as { error: { code: string } }).error.code]).toEqual([
      503,
      'unavailable',
    ]);
    expect((await pool.query(`SELECT FROM email_address WHERE address = 'ada@example.org'`)).rowCount).toBe(0);
    const statusOf = async (path: string) => (await fetch(`${service.address}${path}`, { headers })).status;
    expect([await statusOf('/v1/members'), await statusOf('/readyz')]).toEqual([200, 503]);
    const reason =
      'the schema of the database requires version 99.0.0 of the service or newer, this is 1.0.0; use that version';
    // The output of another process can arrive after its response.
    await expect
      .poll(() => service.output(), { timeout: 5_000 })
      .toContain('Writing is unavailable; requests that write get 503');
    expect(service.output()).toContain(reason);
    expect(service.output()).not.toContain('PostgreSQL is unavailable');
    expect((await runCli(environment, 'backup', file)).err).toBe(`error: ${reason}\n`);
    await pool.query(`UPDATE schema_requirement SET minimum_version = '1.0.0'`);
    expect((await runCli(environment, 'backup', file)).err).toMatch(
      /does not know its tables table_of_99; run the backup with the command line of that version, or use pg_dump\n$/,
    );
    await service.stop();
  });
});
