import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { backUp, restore } from '../../src/backup/backup.ts';
import { CopyError } from '../../src/backup/dump.ts';
import { MAX_BACKUP_LINE_CHARACTERS } from '../../src/backup/lines.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import type { Store } from '../../src/store/store.ts';
import { holdingsOf } from '../support/servers/full-store.ts';
import { temporaryStores } from '../support/stores/directories.ts';

describe('a file that is not a backup', () => {
  const { folder, open } = temporaryStores();
  let [empty, directory, header] = [undefined as unknown as Store, '', ''];

  beforeAll(async () => {
    directory = await folder();
    const source = await open();
    await createOrganization(source, { name: 'Here', country: 'US' }, 'test');
    await backUp(source.pool, join(directory, 'source.gz'));
    header = gunzipSync(await readFile(join(directory, 'source.gz')))
      .toString()
      .split('\n', 1)[0] as string;
    empty = await open();
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
    '5',
    '"text"',
    'true',
    '{',
    '',
    '{"end":null}',
    '{"end":5}',
    '{"end":{}}',
    '{"end":{"tables":null,"sequences":{}}}',
    '{"end":{"tables":{"tag":null},"sequences":{}}}',
    '{"end":{"tables":{},"sequences":{"audit_entry_id_seq":5}}}',
    '{"table":5,"columns":[]}',
    '{"table":"tag","columns":null}',
    '{"table":"tag","columns":[5]}',
    '{"table":"tag"}',
  ])('is rejected for the line %s, with its number', async (line) => {
    expect(await restoreError(gzipSync(`${header}\n${line}\n`))).toMatch(/is not a backup of this service \(line 2\)$/);
    expect(await restoreError(gzipSync(`${line}\n`))).toMatch(
      /is not a backup of this service \(line 1\)|start with its header/,
    );
  });

  it.each([
    ['not a list', 5],
    ['null', null],
    ['a list of numbers', [5]],
    ['a list of null', [null]],
  ])('is rejected for a header whose migrations are %s', async (_, migrations) => {
    const line = JSON.stringify({ ...JSON.parse(header), migrations });
    expect(await restoreError(gzipSync(`${line}\n`))).toMatch(/is not a backup of this service \(line 1\)$/);
  });

  it('is rejected as soon as a line is too long, without reading further', async () => {
    const before = await holdingsOf(empty.pool);
    for (const beginning of [`${header}\n[`, `${header}\n{"table":"`, '{"format":"']) {
      const endless = gzipSync(beginning + 'x'.repeat(3 * MAX_BACKUP_LINE_CHARACTERS), { level: 1 });
      // Reading further would report an incomplete file instead.
      const refusal = await restoreError(endless.subarray(0, endless.length - 20));
      const number = beginning.startsWith(header) ? 2 : 1;
      expect(refusal).toMatch(
        new RegExp(`is not a backup of this service \\(line ${number} is longer than 16 MiB\\)$`),
      );
    }
    expect(await holdingsOf(empty.pool)).toEqual(before);
  });
});
