import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { backUp, readBackupHeader, restore } from '../../src/backup/backup.ts';
import { CopyError } from '../../src/backup/dump.ts';
import { MAX_BACKUP_LINE_CHARACTERS } from '../../src/backup/lines.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { holdingsOf } from '../support/servers/full-store.ts';
import { temporaryStores } from '../support/stores/directories.ts';

describe('an invalid backup', () => {
  const databases = createDatabases(inject('databaseUrl') ?? '');
  const { folder, open } = temporaryStores();
  afterAll(() => databases.drop());
  let [empty, directory, header] = [undefined as unknown as Store, '', ''];
  /** The lines of a backup. */
  let lines: string[] = [];

  beforeAll(async () => {
    directory = await folder();
    // On a server if there is one, which writes and refuses a backup in a fraction of the time.
    const openEmpty = async () =>
      open(
        inject('databaseUrl')
          ? { databaseUrl: databases.urlOf(await databases.create(inject('migratedDatabase'))) }
          : {},
      );
    const source = await openEmpty();
    await createOrganization(source, { name: 'Here', country: 'US' }, 'test');
    await backUp(source.pool, join(directory, 'source.gz'));
    lines = gunzipSync(await readFile(join(directory, 'source.gz')))
      .toString()
      .split('\n')
      .slice(0, -1);
    header = lines[0] as string;
    empty = await openEmpty();
  });

  const restoreError = async (content: Buffer): Promise<string> => {
    const file = join(directory, 'hostile.gz');
    await writeFile(file, content);
    const error = await restore(empty.pool, file).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(CopyError);
    return (error as Error).message;
  };

  it.each([
    'null',
    '{',
    '',
    '{"end":{}}',
    '{"end":{"tables":{"tag":null},"sequences":{}}}',
    '{"end":{"tables":{},"sequences":{"audit_entry_id_seq":"x"}}}',
    '{"end":{"tables":{"tag":{"rows":1,"sha256":"\\u001b[31m"}},"sequences":{}}}',
    '["a"],["b"]',
    '["a",["b"]]',
    '["a\\\\\\"]',
    '{"table":5,"columns":[]}',
    '{"table":"tag","columns":[5]}',
  ])('is rejected for the line %s, with its number', async (line) => {
    expect(await restoreError(gzipSync(`${header}\n${line}\n`))).toMatch(/is not a backup of this service \(line 2\)$/);
  });

  it.each([
    ['migrations that are not a list', '"migrations":5,"m":['],
    ['a version that is an object', '"version":{"toString":null},"m":['],
    ['a deeply nested version', `"version":${'['.repeat(100_000)}${']'.repeat(100_000)},"m":[`],
  ])('is rejected for a header with %s', async (_, start) => {
    const line = `{"format":"cms-backup",${start}]}`;
    expect(await restoreError(gzipSync(`${line}\n`))).toMatch(/is not a backup of this service \(line 1\)$/);
  });

  it('is rejected as soon as a line is too long, without reading further', async () => {
    const before = await holdingsOf(empty.pool);
    const endless = gzipSync(`${header}\n[${'x'.repeat(2 * MAX_BACKUP_LINE_CHARACTERS)}`, { level: 1 });
    // Reading further would report an incomplete file instead.
    expect(await restoreError(endless.subarray(0, endless.length - 20))).toMatch(
      /is not a backup of this service \(line 2 is longer than 16 MiB\)$/,
    );
    expect(await holdingsOf(empty.pool)).toEqual(before);
  });

  it.each<[string, (migrations: object[]) => object[]]>([
    ['none', () => []],
    ['one of them twice', (migrations) => [...migrations, migrations[0] as object]],
  ])('is rejected before the schema is created if its header lists %s of the migrations', async (_, change) => {
    const migrations = change((JSON.parse(header) as { migrations: object[] }).migrations);
    const file = join(directory, 'migrations.gz');
    await writeFile(file, gzipSync(`${JSON.stringify({ ...JSON.parse(header), migrations })}\n`));
    await expect(readBackupHeader(file)).rejects.toThrow(
      'migrations.gz is not a backup of this service (its migrations are incomplete or not in order)',
    );
  });

  it('is refused with advice if a version before 1.0 created it', async () => {
    const migrations = [{ name: '20261121000000_initial', checksum: 'a' }];
    const file = join(directory, 'before-1.gz');
    await writeFile(file, gzipSync(`${JSON.stringify({ ...JSON.parse(header), migrations })}\n`));
    await expect(readBackupHeader(file)).rejects.toThrow(
      /before-1.gz is a backup of a version before 1.0, .* export the records with that version/,
    );
  });

  it.each<[string, (rowsOf: (table: string) => number) => string[], RegExp]>([
    ['rows before the first table', () => [header, '["a"]'], /rows before its first table/],
    [
      'a table twice',
      (rowsOf) => [...lines.slice(0, -1), lines[rowsOf('organization') - 1] as string],
      /the copy has the table organization twice/,
    ],
    [
      'a key that is too long for an index',
      (rowsOf) =>
        lines.toSpliced(rowsOf('person'), 0, JSON.stringify([randomBytes(8_000).toString('hex'), '2026-01-01'])),
      /the database refused row 1 of person \(index row /,
    ],
    [
      'a row with deeply nested JSON',
      (rowsOf) => {
        const { columns } = JSON.parse(lines[rowsOf('event') - 1] as string) as { columns: string[] };
        const deep = `${'[{"]":'.repeat(50_000)}1${'}]'.repeat(50_000)}`;
        const row = columns.map((column) => (column === 'dates' ? deep : null));
        return lines.toSpliced(rowsOf('event'), 0, JSON.stringify(row));
      },
      /^row 1 of event has JSON that is nested deeper than 1000 levels; nothing was changed$/,
    ],
    [
      'the checksum of an unknown table',
      () => [...lines.slice(0, -1), String(lines.at(-1)).replace('"tag":', '"toString":')],
      /the end of the copy does not list the same tables as the database/,
    ],
    [
      'a sequence value that is not a bigint',
      () => [...lines.slice(0, -1), String(lines.at(-1)).replace(/(?<="audit_entry_id_seq":")\d+/, '9'.repeat(19))],
      /the database refused the value 9{19} of the sequence audit_entry_id_seq \(/,
    ],
  ])('is rejected with %s', async (_, change, message) => {
    const before = await holdingsOf(empty.pool);
    const rowsOf = (table: string) => lines.findIndex((line) => line.startsWith(`{"table":"${table}"`)) + 1;
    expect(await restoreError(gzipSync(`${change(rowsOf).join('\n')}\n`))).toMatch(message);
    expect(await holdingsOf(empty.pool)).toEqual(before);
  });

  it('is rejected if it is a pipe or a device; a backup does not overwrite one', async () => {
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    for (const file of [join(directory, 'pipe'), '/dev/zero', directory]) {
      await expect(readBackupHeader(file)).rejects.toThrow(`${file} is not a regular file`);
      await expect(restore(empty.pool, file)).rejects.toThrow(CopyError);
    }
    await expect(backUp(empty.pool, join(directory, 'pipe'))).rejects.toThrow(/pipe is not a regular file/);
  });
});
