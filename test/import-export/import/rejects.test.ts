import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SourceFile } from '../../../src/import-export/files/file.ts';
import { openRejectsFile, type RejectsFile, type RejectsFileState } from '../../../src/import-export/import/rejects.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-rejects-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const CSV = { columns: ['name'], delimiter: ',' };
const fileCalled = (name: string): SourceFile => ({
  path: join(folder, name),
  format: 'csv',
  bytes: 0,
  modifiedAtMs: 0,
  sha256: Buffer.alloc(0),
  beginning: '',
});
const open = (file: SourceFile, previous: RejectsFileState | null = null, { columns = CSV, target = folder } = {}) =>
  openRejectsFile(file, columns, target, (field) => field, previous);
const rejection = (name: string) => ({
  row: { line: 2, endOffset: 0, values: { name }, csvCells: [name] },
  problems: [{ field: 'name', message: 'wrong' }],
});
/** Stores a batch with a rejected row. */
const store = async (rejects: RejectsFile, ...names: string[]) => {
  await rejects.write(names.map(rejection));
  rejects.commit();
};
const stateOf = ({ state }: RejectsFile) => state as RejectsFileState;
const namesIn = async (path: string) =>
  (await readFile(path, 'utf8'))
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.split(',')[0]);

it('keeps the rows of a process when a concurrent process cannot resume the same import', async () => {
  const file = fileCalled('members.csv');
  const first = await open(file);
  await store(first, 'one');
  const previous = stateOf(first);
  await store(first, 'two');
  const second = await open(file, previous);
  await second.close();
  await first.close();
  expect(await namesIn(stateOf(first).path)).toEqual(['name', 'one', 'two', '']);
});

it('removes the incomplete row of an interrupted batch', async () => {
  const file = fileCalled('tags.csv');
  const first = await open(file);
  await store(first, 'one');
  const previous = stateOf(first);
  await writeFile(previous.path, 'half a row', { flag: 'a' });
  const second = await open(file, previous);
  await store(second);
  await second.close();
  await first.close();
  expect(await namesIn(previous.path)).toEqual(['name', 'one', '']);
});

it('keeps the rows of a batch whose commit may have succeeded', async () => {
  const file = fileCalled('events.csv');
  const first = await open(file);
  await first.write([rejection('one')]);
  const previous = stateOf(first);
  await first.close();
  const second = await open(file, previous);
  await store(second, 'two');
  await second.close();
  expect(await namesIn(previous.path)).toEqual(['name', 'one', 'two', '']);
});

it('removes the rows of a batch that was rolled back, and leaves no empty file', async () => {
  const first = await open(fileCalled('services.csv'));
  await first.write([rejection('one')]);
  const { path } = stateOf(first);
  await first.rollBack();
  expect(first.state).toBeNull();
  await first.close();
  await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

it.each([
  ['corrected', 'name,_file\na name as long as a row of the file, or longer,x\n'.repeat(3)],
  ['shortened', 'name\n'],
])('does not continue a file that was %s after the import was interrupted', async (how, text) => {
  const file = fileCalled(`departments-${how}.csv`);
  const first = await open(file);
  await store(first, 'one');
  await first.close();
  const previous = stateOf(first);
  await writeFile(previous.path, text);
  const second = await open(file, previous);
  await store(second, 'two');
  await second.close();
  expect(await readFile(previous.path, 'utf8')).toBe(text);
  expect(await namesIn(stateOf(second).path)).toEqual(['name', 'two', '']);
});

it('reports a folder that cannot be written', async () => {
  const target = join(folder, 'no-folder');
  await writeFile(target, '');
  const rejects = await open(fileCalled('tags.csv'), null, { target });
  await expect(rejects.write([rejection('one')])).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(
      /^the file of rejected rows, .*no-folder, cannot be written .*; set --rejects to a writable folder$/,
    ),
  });
});

it.each([
  ['adds a column with a name of its own', 'name,problem\nA,knee\n', 'name,problem,problem (2)\none,knee,line 2'],
  ['replaces the reasons of a rejects file', 'name,problem\nA,line 2: x\n', 'name,problem\none,line 2'],
])('%s if the file has a column called problem', async (_, beginning, expected) => {
  const file = { ...fileCalled(`problems-${expected.length}.csv`), beginning };
  const rejects = await open(file, null, { columns: { ...CSV, columns: ['name', 'problem'] } });
  const { row, problems } = rejection('one');
  await rejects.write([{ row: { ...row, csvCells: ['one', 'knee'] }, problems }]);
  rejects.commit();
  await rejects.close();
  expect(await readFile(stateOf(rejects).path, 'utf8')).toBe(`\ufeff${expected}: name: wrong\n`);
});
