import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createFaults } from '../../../src/observability/lasting-fault.ts';
import { openServiceStore } from '../../../src/server/open-service-store.ts';
import { describeStartFailure } from '../../../src/server/start-failure.ts';
import { readSettings } from '../../../src/settings.ts';
import { requireEmbeddedDatabase } from '../../../src/store/embedded/open-embedded.ts';
import { causeOf } from '../../../src/store/errors.ts';
import { recordingLog } from '../../support/apps.ts';
import { runCli } from '../../support/processes/cli.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import { temporaryStores } from '../../support/stores/directories.ts';

/** Every command that opens the store without creating or migrating it, with valid arguments. */
const COMMANDS = [
  'organization list',
  'organization create --name Test --country US',
  'key create --organization org_1 --name Test --scopes all --expires never',
  'key list --organization org_1',
  'key update key_1 --name Test',
  'key rotate key_1',
  'key revoke key_1',
  'key usage key_1',
  'key history key_1',
  'admin create --organization org_1 --email ada@example.org --generate',
  'admin list --organization org_1',
  'admin revoke adm_1',
  'audit --organization org_1',
  'backup /nowhere/cms.gz',
  'import --organization org_1 --resource members package.json',
  'export --organization org_1 /nowhere',
  'move --to postgresql://nobody@127.0.0.1:1/none',
];

const NEXT = '29990101000000_next';
const migrationNames = async () =>
  (await readdir(new URL('../../../prisma/migrations/', import.meta.url))).filter((name) => /^\d/.test(name)).sort();

/** The error message of a command. */
async function runRefused(environment: Record<string, string>, command: string): Promise<string> {
  const words = command.split(' ');
  const json = await runCli(environment, ...words, '--json');
  expect({ code: json.code, out: json.out }).toEqual({ code: 1, out: '' });
  const { error } = JSON.parse(json.err);
  expect(error.code).toBe('unavailable');
  return error.message;
}

describe('on an empty data directory', () => {
  const { folder } = temporaryStores();

  it('every command reports that there is no database, and creates none', async () => {
    const DATA_DIR = join(await folder(), 'data');
    const message = `there is no database in ${DATA_DIR} yet; run "./cms migrate"`;
    for (const command of COMMANDS) expect(await runRefused({ DATA_DIR }, command), command).toBe(message);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('migrate creates the database', async () => {
    const DATA_DIR = join(await folder(), 'data');
    // The prepared database, which a new one is copied from, has every migration.
    expect((await runCli({ DATA_DIR }, 'migrate', '--json')).json).toEqual({ applied: [] });
    await requireEmbeddedDatabase(DATA_DIR);
  });
});

describe.skipIf(!inject('databaseUrl'))('on a PostgreSQL server', () => {
  const databases = createDatabases(inject('databaseUrl') ?? '');
  const { folder } = temporaryStores();
  afterAll(() => databases.drop());

  /** The URL of a database with an organization. */
  async function movable(): Promise<string> {
    const pool = await databases.create(inject('migratedDatabase'));
    const DATABASE_URL = databases.urlOf(pool);
    await runCli(
      { DATABASE_URL, DATA_DIR: await folder() },
      'organization',
      'create',
      '--name',
      'A',
      '--country',
      'US',
    );
    return DATABASE_URL;
  }

  const appliedMigrations = async (pool: pg.Pool) =>
    (await pool.query('SELECT migration_name FROM _prisma_migrations ORDER BY 1')).rows.map(
      (row) => row.migration_name,
    );

  /** Opens the database as the service does when it starts. @returns its warnings. */
  async function startedWith(environment: Record<string, string>): Promise<unknown[]> {
    const settings = readSettings(environment);
    const { log, lines } = recordingLog();
    const store = await openServiceStore(settings, log, createFaults(settings, log).store);
    await store.close();
    return lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
  }

  it('commands that create or migrate a schema reject a newer one; others and the service work with it unless it requires a newer version', async () => {
    const pool = await databases.create(inject('migratedDatabase'));
    const environment = { DATABASE_URL: databases.urlOf(pool), DATA_DIR: await folder() };
    await pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '${NEXT}', now())`,
    );
    const before = await appliedMigrations(pool);
    const target = 'move --to postgresql://nobody@127.0.0.1:1/none';
    for (const command of ['demo', 'migrate', target]) {
      expect(await runRefused(environment, command)).toMatch(
        new RegExp(`^the schema of the database is ${NEXT}, this program knows ${before.at(-2)}; use the version`),
      );
    }
    const warnings = await startedWith(environment);
    const note = `a newer version of the service has migrated the database (${NEXT}); this version`;
    expect(warnings).toEqual([expect.stringContaining(note)]);
    expect(await runCli(environment, 'organization', 'list')).toMatchObject({
      code: 0,
      err: expect.stringContaining(`note: ${note}`),
    });
    expect(await appliedMigrations(pool)).toEqual(before);
    await pool.query(`UPDATE schema_requirement SET minimum_version = '10.2.0'`);
    await expect(startedWith(environment)).rejects.toThrow(
      /the schema of the database requires version 10\.2\.0 of the service or newer, this is \d+\.\d+\.\d+/,
    );
  });

  it('commands refuse a database of a version before 1.0, with advice', async () => {
    const pool = await databases.create(inject('migratedDatabase'));
    const environment = { DATABASE_URL: databases.urlOf(pool), DATA_DIR: await folder() };
    await pool.query(`UPDATE _prisma_migrations SET migration_name = '20261121000000_initial'`);
    const advice = /^the database was created by a version before 1\.0, .* export the records with that version/;
    for (const command of ['organization list', 'migrate']) {
      expect(await runRefused(environment, command)).toMatch(advice);
    }
  });

  it('commands and the service reject a database without a schema, which migrate creates without the demo organization', async () => {
    const pool = await databases.create();
    const environment = { DATABASE_URL: databases.urlOf(pool), DATA_DIR: await folder() };
    expect(await runRefused(environment, 'organization list')).toBe(
      'the database has no schema yet; run "./cms migrate"',
    );
    expect((await pool.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).rowCount).toBe(0);
    await expect(startedWith({ ...environment, MIGRATE_ON_START: 'off' })).rejects.toThrow('has no schema yet');
    expect((await runCli(environment, 'migrate', '--json')).json).toEqual({ applied: await migrationNames() });
    expect((await pool.query('SELECT FROM organization')).rowCount).toBe(0);
  });

  it.each(['LATIN1', 'SQL_ASCII'])(
    'commands and the service refuse the encoding %s, except to copy records from it',
    async (encoding) => {
      const pool = await databases.create(`template0 ENCODING '${encoding}' LOCALE 'C'`);
      const environment = { DATABASE_URL: databases.urlOf(pool), DATA_DIR: await folder() };
      const refusal = new RegExp(
        `^the database cms_test_\\w+ has the encoding ${encoding}, .* "createdb --encoding UTF8 --template template0 --locale C NAME"`,
      );
      for (const command of ['migrate', 'demo', 'organization list'])
        expect(await runRefused(environment, command)).toMatch(refusal);
      await expect(startedWith(environment)).rejects.toThrow(refusal);
      const move = await runRefused({ DATABASE_URL: await movable() }, `move --to ${environment.DATABASE_URL}`);
      expect(move).toMatch(/^--to: the database \w+ has the encoding/);
      expect(await runRefused(environment, 'backup /nowhere/cms.gz')).toContain('has no schema yet');
    },
  );

  it('commands and the service name the documented step if their database user lacks rights', async () => {
    const [empty, migrated] = [await databases.create(), await databases.create(inject('migratedDatabase'))];
    const role = new URL(databases.urlOf(empty)).pathname.slice(1);
    await empty.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    for (const [pool, command] of [
      [empty, 'migrate'],
      [migrated, 'migrate'],
      [migrated, 'organization list'],
    ] as const) {
      const url = Object.assign(new URL(databases.urlOf(pool)), { username: role, password: 'secret' });
      const environment = { DATABASE_URL: url.href, DATA_DIR: await folder() };
      const { code, err } = await runCli(environment, ...command.split(' '));
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringMatching(/^error: permission denied .*; .*"Database rights" in docs/),
      });
      const started = await startedWith(environment).catch((error: unknown) => error);
      expect(`error: ${describeStartFailure(started, readSettings(environment))}\n`).toBe(err);
    }
    await empty.query(`DROP ROLE ${role}`);
  });

  it('commands and the service name DATABASE_URL if the server refuses its user or does not have its database', async () => {
    const pool = await databases.create();
    for (const part of ['username', 'pathname'] as const) {
      const url = Object.assign(new URL(databases.urlOf(pool)), { [part]: 'cms_test_unknown' });
      const environment = { DATABASE_URL: url.href, DATA_DIR: await folder() };
      const message = await runRefused(environment, 'organization list');
      expect(message).toMatch(
        /^cannot use the database .*"cms_test_unknown".*; DATABASE_URL must be the URL of a database/,
      );
      const started = await startedWith(environment).catch((error: unknown) => error);
      expect(describeStartFailure(started, readSettings(environment))).toBe(`${message}.`);
    }
    const noPassword = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
    expect(causeOf(noPassword)).toBe('the server asks for a password, and none is set');
  });

  it('commands and the service refuse extensions outside of the search path, with the statements that help', async () => {
    const pool = await databases.create('template0');
    await pool.query('CREATE SCHEMA extensions; CREATE EXTENSION pg_trgm SCHEMA extensions');
    const environment = { DATABASE_URL: databases.urlOf(pool), DATA_DIR: await folder() };
    const message = await runRefused(environment, 'migrate');
    expect(message).toContain('the extension pg_trgm is in the schema extensions, which is not in the search_path');
    await expect(startedWith(environment)).rejects.toThrow(message);
    const [, move = '', search = ''] = /run "(.+)", or "(.+)"$/.exec(message) ?? [];
    await pool.query(search);
    expect((await runCli(environment, 'migrate')).code).toBe(0);
    await pool.query(
      `ALTER DATABASE ${new URL(environment.DATABASE_URL).pathname.slice(1)} RESET search_path; ${move}`,
    );
    expect((await runCli(environment, 'organization', 'list')).code).toBe(0);
  });
});
