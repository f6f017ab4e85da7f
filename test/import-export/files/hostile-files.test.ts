import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectFile } from '../../../src/import-export/files/file.ts';
import { times } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';
import { exported, importText, ndjson } from '../imports.ts';

onOneStore((service) => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cms-hostile-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const importRecords = async (name: string, content: string | Buffer, settings = {}) => {
    const { id } = await service.organization();
    return importText(service.store, id, name, content, settings);
  };
  const namesOf = async (organizationId: string) =>
    (await exported(service.store, organizationId, 'tags')).map(({ name }) => name);

  it.each([
    ['a directory', () => folder],
    ['a device without an end', () => '/dev/zero'],
    [
      'a named pipe',
      () => {
        execFileSync('mkfifo', [join(folder, 'pipe')]);
        return join(folder, 'pipe');
      },
    ],
  ])('rejects %s instead of reading it', async (_, create) => {
    await expect(inspectFile(create(), 'csv')).rejects.toThrow(
      / is (not a regular file; write the data to a file first|a folder; name the files in it instead)$/,
    );
  });

  it.each([
    ['CRLF after a header that ends with LF', 'name\na\r\nb\n"c"\r\nd'],
    ['CR, LF and CRLF after a header that ends with CR', 'name\ra\nb\r"c"\r\nd'],
  ])('reads each row of a file with %s', async (_, content) => {
    const { id } = await service.organization();
    expect(await importText(service.store, id, 'tags.csv', content)).toMatchObject({ rows: 4, created: 4 });
    expect(await namesOf(id)).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each(['csv', 'ndjson'] as const)('stops when the %s file changes, and stores no part of a row', async (format) => {
    const { id } = await service.organization();
    const rows = times(600, (n) => (format === 'csv' ? `Tag ${n}` : `{"name":"Tag ${n}"}`));
    const content = [...(format === 'csv' ? ['name'] : []), ...rows, ''].join('\n');
    const onProgress = (path: string) => truncate(path, content.length - 3);
    const importing = importText(service.store, id, `tags.${format}`, content, { onProgress });
    await expect(importing).rejects.toThrow(
      `tags.${format}: was changed during the import; batches that were stored before are kept. Run the import again`,
    );
    const names = await namesOf(id);
    expect(names.length % 150).toBe(0);
    expect(names.length).toBeLessThan(600);
  });

  it.each([
    ['lists', 'services', { days: times(20_001, () => 'x') }],
    ['objects', 'forms', { fields: times(10_001, () => ({ options: 1 })) }],
  ])('rejects a row with too many values in %s before it validates them', async (_, resource, fields) => {
    const { rejectLines } = await importRecords(
      `${resource}.ndjson`,
      ndjson({ external_id: '1', title: 'a', ...fields }),
    );
    expect(JSON.parse(rejectLines[0] as string).problem).toMatch(
      /^line 1: the row has 2\d{4} values; the maximum is 20000 \(each list, each object and each value in them counts/,
    );
  });

  it('rejects CSV cells with deeply nested lists', async () => {
    const cell = '['.repeat(100_000) + ']'.repeat(100_000);
    const { rejectLines } = await importRecords('members.csv', `external_id,tags\n1,${cell}\n`);
    expect(rejectLines[1]).toContain('tags: is nested deeper than 64 levels');
  });

  it('truncates a row with too many cells, and reports their number', async () => {
    const { rejectLines } = await importRecords('tags.csv', `name,color\na${','.repeat(500_000)}\n`);
    expect(rejectLines[1]).toContain('the row has 500001 cells, the header 2');
    expect(rejectLines[1]?.length).toBeLessThan(10_000);
  });
});
