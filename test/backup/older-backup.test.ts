import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { backUp, readBackupMigrations, restore } from '../../src/backup/backup.ts';
import { CopyError } from '../../src/backup/dump.ts';
import { readMigrations, readSchemaVersion } from '../../src/store/migrations/schema-version.ts';
import { openStore } from '../../src/store/store.ts';
import { runCli } from '../support/processes/cli.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { temporaryStores } from '../support/stores/directories.ts';

/** Backups written by earlier versions, each named after the last migration of its schema. */
const FOLDER = new URL('older/', import.meta.url).pathname;
const files = (await readdir(FOLDER)).sort();
const { folder } = temporaryStores();
const databases = inject('databaseUrl') ? createDatabases(inject('databaseUrl') as string) : undefined;
afterAll(async () => databases?.drop());

const linesOf = async (file: string) =>
  gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n');

type Kind = 'embedded' | 'postgresql';
/** Restores that do not depend on the store use a server if there is one: a new embedded database takes seconds. */
const FASTEST: Kind = databases ? 'postgresql' : 'embedded';
const RESTORES = [...new Set<Kind>([FASTEST, 'embedded'])].flatMap((kind) =>
  (kind === FASTEST ? files : files.slice(0, 1)).map((file) => [file, kind] as const),
);

describe('an older backup', () => {
  const newTarget = async (kind = FASTEST): Promise<{ DATA_DIR: string } | { DATABASE_URL: string }> =>
    kind === 'embedded' || !databases
      ? { DATA_DIR: join(await folder(), 'data') }
      : { DATABASE_URL: databases.urlOf(await databases.create()) };
  const open = (target: Awaited<ReturnType<typeof newTarget>>, migrations?: readonly string[]) =>
    openStore({
      dataDirectory: 'DATA_DIR' in target ? target.DATA_DIR : '',
      databaseUrl: 'DATABASE_URL' in target ? target.DATABASE_URL : undefined,
      ...(migrations ? { migrations } : { schema: 'require' }),
    });

  it.each(RESTORES)(
    '%s is restored completely into a database of kind %s, with its schema migrated',
    async (file, kind) => {
      const target = await newTarget(kind);
      const { code, err, json } = await runCli(target, 'restore', join(FOLDER, file), '--json');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const { tables } = JSON.parse((await linesOf(join(FOLDER, file))).at(-1) as string).end;
      expect(json.tables).toEqual(tables);
      const store = await open(target);
      try {
        expect(await store.prisma.member.count()).toBe(tables.member.rows);
        expect(await store.prisma.recordChange.count({ where: { resource: 'members' } })).toBe(tables.member.rows);
        expect((await readSchemaVersion(store.pool)).pending).toEqual([]);
      } finally {
        await store.close();
      }
      expect((await runCli(target, 'restore', join(FOLDER, file))).code).toBe(1);
    },
  );

  it('is not restored partially if a row or a later migration fails', async () => {
    const file = join(FOLDER, files[0] as string);
    const damaged = join(await folder(), 'damaged.gz');
    const lines = await linesOf(file);
    await writeFile(damaged, gzipSync(lines.map((line) => `${line.replace('"Female"', '"Femme"')}\n`).join('')));
    const target = await newTarget();
    const migrations = await readBackupMigrations(file);
    const store = await open(target, migrations);
    try {
      await expect(restore(store.pool, damaged)).rejects.toThrow(/refused a row between 1 and \d+ of /);
      const fail = () => {
        throw new Error('a migration fails');
      };
      await expect(restore(store.pool, file, undefined, fail)).rejects.toThrow('a migration fails');
      expect((await readSchemaVersion(store.pool)).applied.toSorted()).toEqual(migrations);
      expect((await store.pool.query('SELECT FROM organization')).rowCount).toBe(0);
    } finally {
      await store.close();
    }
    expect((await runCli(target, 'restore', file)).code).toBe(0);
  });

  it('completes the schema created by a killed run, but none with records', async () => {
    const file = join(FOLDER, files[0] as string);
    const target = await newTarget();
    const migrations = await readBackupMigrations(file);
    await (await open(target, migrations.slice(0, 3))).close();
    const restored = await runCli(target, 'restore', file);
    expect(restored.code).toBe(0);
    expect(restored.err).toContain('applied: 20261123160000_password_links\n');

    const older = await newTarget();
    const store = await open(older, migrations.slice(0, 3));
    await store.pool.query(`INSERT INTO organization (id, name, country) VALUES ('org_1', 'Existing', 'US')`);
    await store.close();
    const { err } = await runCli(older, 'restore', file, '--json');
    expect(JSON.parse(err).error.message).toMatch(/use a database without a schema/);
  });

  it('is restored if a later version added a migration with an earlier name', async () => {
    const later = '20261124130000_member_name_index_with_filters';
    const migrations = (await readMigrations()).map(({ name }) => name).filter((name) => name !== later);
    const source = await open(await newTarget(), migrations);
    const file = join(await folder(), 'gap.gz');
    try {
      await source.pool.query(`INSERT INTO organization (id, name, country) VALUES ('org_1', 'Existing', 'US')`);
      await backUp(source.pool, file);
    } finally {
      await source.close();
    }
    expect(await readBackupMigrations(file)).toEqual(migrations);
    const { code, err } = await runCli(await newTarget(), 'restore', file);
    expect(code).toBe(0);
    expect(err).toContain(`applied: ${later}\n`);
  });

  it('is refused by a database with a newer schema, which remains unchanged', async () => {
    const target = await newTarget();
    const { json: migrated } = await runCli(target, 'migrate', '--json');
    const { err } = await runCli(target, 'restore', join(FOLDER, files[0] as string), '--json');
    expect(JSON.parse(err).error.message).toMatch(
      /the schema of the database is \w+, that of the backup is 20261122190000_\w+; use a database without a schema/,
    );
    const store = await open(target);
    expect((await readSchemaVersion(store.pool).finally(() => store.close())).applied.toSorted()).toEqual(
      migrated.applied,
    );
  });
});

it('rejects a backup of a newer or different schema by name before a database is created', async () => {
  const lines = await linesOf(join(FOLDER, files.at(-1) as string));
  const [header = ''] = lines;
  const file = join(await folder(), 'newer.gz');
  const write = (first: string) => writeFile(file, gzipSync([first, ...lines.slice(1)].join('\n')));
  await write(header.replace('"migrations":[', '"migrations":[{"name":"29990101000000_next","checksum":"x"},'));
  const DATA_DIR = join(await folder(), 'data');
  const { err } = await runCli({ DATA_DIR }, 'restore', file, '--json');
  expect(JSON.parse(err).error.message).toMatch(
    /newer\.gz has the schema version 29990101000000_next, this program knows \d+_/,
  );
  await expect(readdir(DATA_DIR)).rejects.toThrow('ENOENT');
  await write(header.replace(/"checksum":"\w+"/, '"checksum":"x"'));
  await expect(readBackupMigrations(file)).rejects.toThrow(
    /another schema version: its migration 20261121000000_initial/,
  );
  await expect(readBackupMigrations(join(DATA_DIR, 'nowhere'))).rejects.toThrow(CopyError);
});
