import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidOperationLists, readOperationLists } from '../../src/graphql/http/operation-lists.ts';
import { startService } from '../support/running.ts';

const VIEWER = 'query Viewer { viewer { keyName } }';
const TAGS = 'query Tags { tags { edges { cursor } } }';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe('lists of operations', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cms-operations-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  let files = 0;
  const fileOf = async (content: unknown): Promise<string> => {
    const file = join(folder, `list-${files++}.json`);
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const faultOf = async (...contents: unknown[]): Promise<string> => {
    const error = await readOperationLists(await Promise.all(contents.map(fileOf))).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidOperationLists);
    return (error as Error).message.replaceAll(`${folder}/`, '');
  };

  it('are read as Relay and graphql-codegen write them', async () => {
    const documents = await readOperationLists([await fileOf({ '3be4abb8': VIEWER, f00d: TAGS })]);
    expect([documents.get('3be4abb8'), documents.get('f00d')]).toEqual([VIEWER, TAGS]);
  });

  it('are read as Apollo writes them', async () => {
    const operations = [{ id: hashOf(VIEWER), name: 'Viewer', type: 'query', body: VIEWER }];
    const file = await fileOf({ format: 'apollo-persisted-query-manifest', version: 1, operations });
    expect((await readOperationLists([file])).get(hashOf(VIEWER))).toBe(VIEWER);
  });

  it('lead to a document by its SHA-256 too, whatever they call it', async () => {
    const documents = await readOperationLists([await fileOf({ viewer: VIEWER })]);
    expect([...documents.keys()].sort()).toEqual([hashOf(VIEWER), `sha256:${hashOf(VIEWER)}`, 'viewer'].sort());
    expect(new Set(documents.values())).toEqual(new Set([VIEWER]));
  });

  it('may be several, which name the same document alike', async () => {
    const files = [await fileOf({ a: VIEWER, b: TAGS }), await fileOf({ a: VIEWER, c: TAGS })];
    expect((await readOperationLists(files)).get('c')).toBe(TAGS);
  });

  it('are refused where one id has two documents', async () => {
    expect(await faultOf({ a: VIEWER }, { a: TAGS })).toMatch(
      /^list-\d+\.json, a: the id is already used for another document$/,
    );
  });

  it('are refused whole, with each document that does not fit the schema, and where in it', async () => {
    const message = await faultOf({ good: VIEWER, bad: 'query Bad { viewer { password } }', worse: '{' });
    expect(message.split('\n').map((line) => line.replace(/^list-\d+/, 'list'))).toEqual([
      'list.json, bad: Cannot query field "password" on type "Viewer". (line 1, column 22)',
      'list.json, worse: Syntax Error: Expected Name, found <EOF>. (line 1, column 2)',
    ]);
  });

  it('are refused where a document is beyond the limits of one that is sent', async () => {
    const aliases = Array.from({ length: 61 }, (_, n) => `a${n}: __typename`).join(' ');
    expect(await faultOf({ big: `{ ${aliases} }` })).toContain('big: The query has more than 60 aliases');
  });

  it.each([
    ['what is no JSON', '{', /JSON/],
    ['an array', [VIEWER], /must be a JSON object that maps ids to documents/],
    ['documents that are no text', { a: { body: VIEWER } }, /must be a JSON object/],
    [
      'another version of a manifest',
      { format: 'apollo-persisted-query-manifest', version: 2, operations: [] },
      /must be a JSON object/,
    ],
  ])('are refused for %s, by the name of the file', async (_name, content, message) => {
    const fault = await faultOf(content);
    expect(fault).toMatch(/^list-\d+\.json: /);
    expect(fault).toMatch(message);
  });

  it('stop the start of the service, which says why', async () => {
    const PERSISTED_OPERATIONS_FILE = await fileOf({ bad: '{ nothing }' });
    await expect(startService({ PERSISTED_OPERATIONS: 'only', PERSISTED_OPERATIONS_FILE })).rejects.toThrow(
      /ended with 1:\nThe service cannot start\.\n.*list-\d+\.json, bad: Cannot query field "nothing"/,
    );
  });

  it('are refused for a file that is not there', async () => {
    await expect(readOperationLists([join(folder, 'nowhere.json')])).rejects.toThrow(/nowhere\.json/);
  });
});
