import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultOf, VariablesOf } from 'gql.tada';
import { buildSchema, lexicographicSortSchema, print, printSchema } from 'graphql';
import { beforeAll, expect, expectTypeOf, it } from 'vitest';
import { idsOf } from '../support/lists.ts';
import { endpoint, headers, idsFromRest, send } from '../support/service.ts';
import { tool, WORKSPACE } from '../support/tool.ts';
import { type clearAddress, memberList } from './documents.ts';

type Member = NonNullable<ResultOf<typeof memberList>['members']>['edges'][number]['node'];

beforeAll(() => tool('gql.tada', 'generate-output', '--tsconfig', 'gql-tada/tsconfig.json'));

it('generates types that tsc accepts, with correct nullability', async () => {
  expectTypeOf<Member['id']>().toEqualTypeOf<string>();
  expectTypeOf<Member['gender']>().toEqualTypeOf<'Female' | 'Male' | 'Others' | null>();
  expectTypeOf<Member['dateOfBirth']>().toEqualTypeOf<string | null>();
  expectTypeOf<Member['tags']>().toEqualTypeOf<{ name: string }[] | null>();
  expectTypeOf<{ input: { id: string; address: null } }>().toExtend<VariablesOf<typeof clearAddress>>();
  expectTypeOf<{ input: { address: null } }>().not.toExtend<VariablesOf<typeof clearAddress>>();
  await tool('tsc', '-p', 'gql-tada');
});

it('reports no problems in the documents', async () => {
  await tool('gql.tada', 'check', '--fail-on-warn', '--tsconfig', 'gql-tada/tsconfig.json');
});

it('generates the schema from the running service', async () => {
  const output = join(WORKSPACE, 'generated/gql-tada/schema.graphql');
  await tool(
    'gql.tada',
    'generate-schema',
    endpoint,
    '--header',
    `X-Api-Key: ${headers['X-Api-Key']}`,
    '--output',
    output,
  );
  const printed = await Promise.all(
    [output, join(WORKSPACE, '../../schema.graphql')].map(async (file) =>
      printSchema(lexicographicSortSchema(buildSchema(await readFile(file, 'utf8')))),
    ),
  );
  expect(printed[0]).toBe(printed[1]);
});

it('creates documents that the service executes', async () => {
  const { data } = await send<{ data: ResultOf<typeof memberList> }>(print(memberList), { first: 3 });
  expect(idsOf(data.members)).toEqual(await idsFromRest('members', 3));
});
