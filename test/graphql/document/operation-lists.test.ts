import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidOperationListsError, readOperationLists } from '../../../src/graphql/plugins/persisted-operations.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { readSettings } from '../../../src/settings.ts';
import { startService } from '../../../src/start-service.ts';

const VIEWER = 'query Viewer { viewer { keyName } }';
const TAGS = 'query Tags { tags { edges { cursor } } }';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe('operation lists', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cms-operations-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  let files = 0;
  const writeList = async (content: unknown): Promise<string> => {
    const file = join(folder, `list-${files++}.json`);
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const messageFor = async (...contents: unknown[]): Promise<string> => {
    const error = await readOperationLists(await Promise.all(contents.map(writeList)), schema).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(InvalidOperationListsError);
    return (error as Error).message.replaceAll(`${folder}/`, '');
  };

  it('are read in the format of Relay and graphql-codegen', async () => {
    const documents = await readOperationLists([await writeList({ '3be4abb8': VIEWER, f00d: TAGS })], schema);
    expect([documents.get('3be4abb8'), documents.get('f00d')]).toEqual([VIEWER, TAGS]);
  });

  it('are read in the format of Apollo', async () => {
    const operations = [{ id: hashOf(VIEWER), name: 'Viewer', type: 'query', body: VIEWER }];
    const file = await writeList({ format: 'apollo-persisted-query-manifest', version: 1, operations });
    expect((await readOperationLists([file], schema)).get(hashOf(VIEWER))).toBe(VIEWER);
  });

  it('contain each document by its SHA-256 hash as well, whatever its id', async () => {
    const documents = await readOperationLists([await writeList({ viewer: VIEWER })], schema);
    expect([...documents.keys()].sort()).toEqual([hashOf(VIEWER), `sha256:${hashOf(VIEWER)}`, 'viewer'].sort());
    expect(new Set(documents.values())).toEqual(new Set([VIEWER]));
  });

  it('may repeat an id for the same document', async () => {
    const files = [await writeList({ a: VIEWER, b: TAGS }), await writeList({ a: VIEWER, c: TAGS })];
    expect((await readOperationLists(files, schema)).get('c')).toBe(TAGS);
  });

  it('are rejected if two documents have the same id', async () => {
    expect(await messageFor({ a: VIEWER }, { a: TAGS })).toMatch(
      /^list-\d+\.json, a: the id is already used for another document$/,
    );
  });

  it('are rejected with the location of every invalid document', async () => {
    const message = await messageFor({ good: VIEWER, bad: 'query Bad { viewer { password } }', worse: '{' });
    expect(message.split('\n').map((line) => line.replace(/^list-\d+/, 'list'))).toEqual([
      'list.json, bad: Cannot query field "password" on type "Viewer". (line 1, column 22)',
      'list.json, worse: Syntax Error: Expected Name, found <EOF>. (line 1, column 2)',
    ]);
  });

  it('are rejected if a document exceeds the limits for documents in requests', async () => {
    const aliases = Array.from({ length: 61 }, (_, n) => `a${n}: __typename`).join(' ');
    expect(await messageFor({ big: `{ ${aliases} }` })).toContain('big: The query has more than 60 aliases');
  });

  it.each([
    ['invalid JSON', '{', /JSON/],
    ['an array', [VIEWER], /must be a JSON object that maps ids to documents/],
    ['documents that are not strings', { a: { body: VIEWER } }, /must be a JSON object/],
    [
      'an unknown version of the Apollo manifest',
      { format: 'apollo-persisted-query-manifest', version: 2, operations: [] },
      /must be a JSON object/,
    ],
  ])('are rejected for %s, naming the file', async (_name, content, message) => {
    const error = await messageFor(content);
    expect(error).toMatch(/^list-\d+\.json: /);
    expect(error).toMatch(message);
  });

  it('prevent startup if they are invalid, with the reason', async () => {
    const PERSISTED_OPERATIONS_FILE = await writeList({ bad: '{ nothing }' });
    const settings = readSettings({ PERSISTED_OPERATIONS: 'only', PERSISTED_OPERATIONS_FILE, DATA_DIR: folder });
    await expect(startService(settings)).rejects.toThrow(/^\S+list-\d+\.json, bad: Cannot query field "nothing"/);
  });

  it('are rejected if a file does not exist', async () => {
    await expect(readOperationLists([join(folder, 'nowhere.json')], schema)).rejects.toThrow(/nowhere\.json/);
  });
});
