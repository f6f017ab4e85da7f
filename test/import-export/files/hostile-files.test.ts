import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FileRow, inspectFile } from '../../../src/import-export/files/file.ts';
import { readNdjson } from '../../../src/import-export/files/ndjson-rows.ts';
import { createBatchReader } from '../../../src/import-export/import/read-batches.ts';
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
    ['LF after a header that ends with CRLF', 'name\r\na\nb\r\n"c"\nd'],
    ['CRLF after a header that ends with LF', 'name\na\r\nb\n"c"\r\nd'],
    ['CR, LF and CRLF after a header that ends with CR', 'name\ra\nb\r"c"\r\nd'],
  ])('reads each row of a file with %s', async (_, content) => {
    const { id } = await service.organization();
    expect(await importText(service.store, id, 'tags.csv', content)).toMatchObject({ rows: 4, created: 4 });
    expect(await namesOf(id)).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each(['csv', 'ndjson'] as const)('stops when the %s file changes, and stores no part of a row', async (format) => {
    const { id } = await service.organization();
    const rows = times(3_000, (n) => (format === 'csv' ? `Tag ${n}` : `{"name":"Tag ${n}"}`));
    const content = [...(format === 'csv' ? ['name'] : []), ...rows, ''].join('\n');
    const onProgress = (path: string) => truncate(path, content.length - 3);
    const importing = importText(service.store, id, `tags.${format}`, content, { onProgress });
    await expect(importing).rejects.toThrow(
      `tags.${format}: was changed during the import; batches that were stored before are kept. Run the import again`,
    );
    const names = await namesOf(id);
    expect(names.length % 150).toBe(0);
    expect(names.length).toBeLessThan(3_000);
  });

  it('stops between two rows, not only after a batch', async () => {
    let calls = 0;
    const shouldStop = () => ++calls > 10;
    const result = await importRecords('tags.ndjson', ndjson(...times(400, (n) => ({ name: `Tag ${n}` }))), {
      shouldStop,
    });
    expect(result).toMatchObject({ rows: 0, complete: false });
  });

  it('reports the name of a file that was deleted', async () => {
    const path = join(folder, 'tags.ndjson');
    await writeFile(path, '{"name":"a"}\n');
    const file = await inspectFile(path);
    await rm(path);
    await expect(readNdjson(file).next()).rejects.toThrow(/^tags.ndjson: cannot be read \(ENOENT/);
  });

  it('composes external ids of text, numbers and lists, but not of objects', async () => {
    const { id } = await service.organization();
    const keys = ['a', 7, ['b', 8], { toString: 1 }, [{ valueOf: 1 }, 'b']];
    const rows = keys.map((key) => ({ key, title: 'Mass', dates: ['2026-01-01'] }));
    const { created, rejected, rejectLines } = await importText(service.store, id, 'events.ndjson', ndjson(...rows), {
      idColumns: ['key'],
    });
    expect({ created, rejected }).toEqual({ created: 3, rejected: 2 });
    expect((await exported(service.store, id, 'events')).map(({ external_id }) => external_id)).toEqual([
      'a',
      '7',
      'b,8',
    ]);
    for (const line of rejectLines) expect(JSON.parse(line).problem).toContain('external_id: required');
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

  it('counts neither the row nor fields that are ignored as values', async () => {
    const messageFor = async (items: number) => {
      const row = { external_id: '1', title: 'a', days: times(items, () => 'x'), ignored: [1, 2, 3] };
      const { rejectLines } = await importRecords('services.ndjson', ndjson(row));
      return JSON.parse(rejectLines[0] as string).problem;
    };
    // The external id, the title, the list and its items.
    expect(await messageFor(19_998)).toContain('the row has 20001 values; the maximum is 20000');
    expect(await messageFor(19_997)).toBe('line 1: days: must be at most 100 days');
  });

  it.each([
    ['answers', 'form_responses', 'answers'],
    ['lists', 'members', 'tags'],
    ['days', 'events', 'dates'],
  ])('rejects CSV cells with deeply nested %s', async (_, resource, field) => {
    const cell = '['.repeat(100_000) + ']'.repeat(100_000);
    const { rejectLines } = await importRecords(`${resource}.csv`, `external_id,${field}\n1,${cell}\n`);
    expect(rejectLines[1]).toContain(`${field}: is nested deeper than 64 levels`);
  });

  it('reads smaller batches of rows with many values', async () => {
    const path = join(folder, 'services.ndjson');
    await writeFile(path, '');
    const rows = times(500, (n): FileRow => ({ line: n, endOffset: n * 10, values: { days: times(10_000, () => 1) } }));
    async function* source() {
      yield* rows;
    }
    const reader = { parse: () => ({ input: {} }) };
    const options = { reader, skipped: 0, waiting: new Set<number>(), onWaiting: () => {}, shouldStop: () => false };
    const batch = await createBatchReader(await inspectFile(path), source(), options)();
    expect(batch.rows.length).toBeLessThan(50);
  });

  it('truncates a row with too many cells, and reports their number', async () => {
    const { rejectLines } = await importRecords('tags.csv', `name,color\na${','.repeat(500_000)}\n`);
    expect(rejectLines[1]).toContain('the row has 500001 cells, the header 2');
    expect(rejectLines[1]?.length).toBeLessThan(10_000);
  });

  it.each(['9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00+23:59'])(
    'rejects the time %s, whose year in UTC cannot be stored, also in a dry run',
    async (created_at) => {
      const content = ndjson({ name: 'a', created_at });
      for (const dryRun of [true, false]) {
        const { rejectLines } = await importRecords('tags.ndjson', content, { dryRun });
        expect(JSON.parse(rejectLines[0] as string).problem).toBe(
          'line 1: created_at: must be a date and time with an offset, for example 2026-01-31T09:30:00Z',
        );
      }
    },
  );
});
