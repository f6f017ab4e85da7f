import { existsSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { temporaryStores } from '../support/directories.ts';
import { runCli } from '../support/processes/cli.ts';
import { startService } from '../support/processes/running.ts';
import { createDatabases } from '../support/servers/databases.ts';

/** Every command that opens the store and neither makes nor migrates it, with arguments of the right form. */
const COMMANDS = [
  'organization list',
  'organization create --name Test --country US',
  'key create --organization org_1 --name Test --scopes all --expires never',
  'key list --organization org_1',
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
const names = async () =>
  (await readdir(new URL('../../prisma/migrations/', import.meta.url))).filter((name) => /^\d/.test(name)).sort();

/** The error of a command, as it says it in both forms. */
async function refusal(environment: Record<string, string>, command: string): Promise<string> {
  const words = command.split(' ');
  const json = await runCli(environment, ...words, '--json');
  expect({ code: json.code, out: json.out }).toEqual({ code: 1, out: '' });
  const { error } = JSON.parse(json.err);
  expect(error.code).toBe('unavailable');
  expect(await runCli(environment, ...words)).toMatchObject({ code: 1, out: '', err: `error: ${error.message}\n` });
  return error.message;
}

describe('on an empty data directory', () => {
  const { folder } = temporaryStores();

  it.each(COMMANDS)('%s says that there is no database, and makes none', async (command) => {
    const DATA_DIR = join(await folder(), 'data');
    expect(await refusal({ DATA_DIR }, command)).toBe(`there is no database in ${DATA_DIR} yet; run "cms migrate"`);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('migrate makes the database, without the demo organization', async () => {
    const DATA_DIR = join(await folder(), 'data');
    expect((await runCli({ DATA_DIR }, 'migrate', '--json')).json).toEqual({ applied: await names() });
    expect((await runCli({ DATA_DIR }, 'organization', 'list', '--json')).json).toEqual([]);
  });

  it('a start that is not to migrate says so too', async () => {
    const DATA_DIR = join(await folder(), 'data');
    await expect(startService({ DATA_DIR, MIGRATE_ON_START: 'off' })).rejects.toThrow(
      `there is no database in ${DATA_DIR} yet; run "cms migrate"`,
    );
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});

describe('on an embedded database of an older version', () => {
  const { folder } = temporaryStores();
  let environment: { DATA_DIR: string };
  beforeAll(async () => {
    environment = { DATA_DIR: join(await folder(), 'data') };
    await cp(inject('startedOnce'), environment.DATA_DIR, { recursive: true });
    const { pool, close } = await openStore({ dataDirectory: environment.DATA_DIR });
    await pool.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [(await names()).at(-1)]);
    await close();
  });

  it('a command names both versions and what to do', async () => {
    const [older, newer] = (await names()).slice(-2);
    expect(await refusal(environment, 'organization list')).toBe(
      `the schema of the database is ${older}, this program needs ${newer}; run "cms migrate"`,
    );
  });
});

describe.skipIf(!inject('databaseUrl'))('on a PostgreSQL server', () => {
  const databases = createDatabases(inject('databaseUrl') ?? '');
  const { folder } = temporaryStores();
  afterAll(() => databases.drop());

  const recorded = async (pool: pg.Pool) =>
    (await pool.query('SELECT migration_name FROM _prisma_migrations ORDER BY 1')).rows.map(
      (row) => row.migration_name,
    );
  const withoutLast = async () => {
    const pool = await databases.create();
    const environment = { DATABASE_URL: databases.urlOf(pool), DATA_DIR: await folder() };
    expect((await runCli(environment, 'migrate')).code).toBe(0);
    const last = (await names()).at(-1) as string;
    await pool.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [last]);
    return { pool, environment, last };
  };

  it('every command refuses an older schema, restore and demo too, and changes nothing', async () => {
    const { pool, environment, last } = await withoutLast();
    const before = await recorded(pool);
    for (const command of [...COMMANDS, 'demo', 'restore /nowhere/cms.gz']) {
      expect(await refusal(environment, command)).toContain(`this program needs ${last}; run "cms migrate"`);
    }
    expect(await recorded(pool)).toEqual(before);
    expect(await refusal({ DATA_DIR: await migrated() }, `move --to ${environment.DATABASE_URL}`)).toContain(
      `--to: the schema of the database is ${before.at(-1)}, this program needs ${last}`,
    );
  });

  async function migrated(): Promise<string> {
    const place = await folder();
    await cp(inject('startedOnce'), place, { recursive: true });
    return place;
  }

  it('every command refuses a newer schema; a start serves it with a warning', async () => {
    const pool = await databases.create();
    const environment = { DATABASE_URL: databases.urlOf(pool), DATA_DIR: await folder() };
    await runCli(environment, 'migrate');
    await pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '${NEXT}', now())`,
    );
    const before = await recorded(pool);
    for (const command of [...COMMANDS, 'demo', 'restore /nowhere/cms.gz', 'migrate']) {
      expect(await refusal(environment, command)).toMatch(
        new RegExp(`^the schema of the database is ${NEXT}, this program knows ${before.at(-2)}; use the version`),
      );
    }
    const service = await startService({ ...environment, LOG_LEVEL: 'warn' });
    expect(await service.stop()).toBe(0);
    expect(service.output()).toMatch(new RegExp(`"level":40.*the schema of the database is ${NEXT}`));
    expect(await recorded(pool)).toEqual(before);
  });

  it('a start migrates an older schema, unless it is told not to', async () => {
    const { pool, environment, last } = await withoutLast();
    const before = await recorded(pool);
    await expect(startService({ ...environment, MIGRATE_ON_START: 'off' })).rejects.toThrow(
      new RegExp(`ended with 1:[\\s\\S]*this program needs ${last}; run "cms migrate"`),
    );
    expect(await recorded(pool)).toEqual(before);
    await expect(startService(environment)).rejects.toThrow(`migration ${last} failed`);
  });

  it('a database without a schema is refused, and made by migrate', async () => {
    const pool = await databases.create();
    const environment = { DATABASE_URL: databases.urlOf(pool), DATA_DIR: await folder() };
    expect(await refusal(environment, 'organization list')).toBe('the database has no schema yet; run "cms migrate"');
    expect((await pool.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).rowCount).toBe(0);
    expect((await runCli(environment, 'migrate', '--json')).json).toEqual({ applied: await names() });
    const service = await startService({ ...environment, MIGRATE_ON_START: 'off' });
    expect(await service.stop()).toBe(0);
  });
});
