import { beforeAll, expect, it } from 'vitest';
import { times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore } from '../../support/service.ts';
import { countingApp } from '../counting.ts';

/** Numbers of parent records. */
const SIZES = [1, 10, 100] as const;

/** Queries and their numbers of statements: the key check, and one for each level. */
const QUERIES: readonly [name: string, statements: number, query: string][] = [
  [
    'departments, their members and the tags of the members',
    4,
    '{ departments(first: 100) { edges { node { members(first: 2) { edges { node { id tags { name } } } } } } } }',
  ],
  [
    'departments and different fields of their heads under different aliases',
    3,
    '{ departments(first: 100) { edges { node { a: headOfDepartment { firstName } b: headOfDepartment { lastName } } } } }',
  ],
  [
    'departments and their members by last',
    3,
    '{ departments(last: 100) { edges { node { members(last: 1) { edges { node { id } } pageInfo { hasNextPage hasPreviousPage } } } } pageInfo { hasNextPage hasPreviousPage } } }',
  ],
  [
    'members, their tags and their departments',
    4,
    '{ members(first: 100) { edges { node { id tags { id } departments { id } } } } }',
  ],
  [
    'members, the heads of their departments and the tags of the heads',
    5,
    '{ members(first: 100) { edges { node { departments { headOfDepartment { tags { id } } } } } } }',
  ],
  [
    'tags and their members',
    3,
    '{ tags(first: 100) { edges { node { members(first: 2) { edges { cursor node { id designationId } } } } } } }',
  ],
  [
    'designations and their members',
    3,
    '{ designations(first: 100) { edges { node { members(last: 2) { edges { node { id } } } } } } }',
  ],
  ['forms and their fields', 2, '{ forms(first: 100) { edges { node { fields { question } } } } }'],
  [
    'forms, their responses and the answered fields',
    4,
    '{ forms(first: 100) { edges { node { fields { question } responses(first: 2) { edges { node { answers { value field { question } } } } } } } } }',
  ],
  [
    'forms, their responses and the forms of the responses',
    4,
    '{ forms(first: 100) { edges { node { responses(first: 2) { edges { node { form { title } } } } } } } }',
  ],
  [
    'a list with two aliases',
    3,
    '{ a: members(first: 100) { edges { cursor } } b: members(first: 100) { edges { cursor } } }',
  ],
];

onOneStore((service) => {
  /** Creates an organization with this number of related members, departments, tags and forms. */
  async function withRecords(count: number) {
    const { app, during } = countingApp(service);
    const organization = await service.organization({ app });
    const many = manyOf(service, organization.id);
    const members = await many.members(count);
    const some = (n: number) =>
      [...new Set([members[n], members[(n + 1) % count], members[(n + 2) % count]])] as string[];
    await many.departments(count, some);
    await many.tags(count, some);
    await many.designations(count);
    await many.forms(count, 2);
    const ask = graphql(app, organization.key);
    return { members, during, ask };
  }

  /** Organizations by size. Tests do not modify them. */
  const ofSize = new Map<number, Awaited<ReturnType<typeof withRecords>>>();
  const recordsOf = (size: (typeof SIZES)[number]) => ofSize.get(size) as Awaited<ReturnType<typeof withRecords>>;
  beforeAll(async () => {
    for (const size of SIZES) ofSize.set(size, await withRecords(size));
  });

  it.each(QUERIES)('reads %s in %d statements for 1, 10 or 100 parents', async (_name, expected, query) => {
    const counts = [];
    for (const [size, { ask, during }] of ofSize) {
      const { result, statements } = await during(() => ask(query));
      expect(result.json.errors).toBeUndefined();
      const [list] = Object.values<{ edges: unknown[] }>(result.json.data);
      expect(list?.edges).toHaveLength(size);
      counts.push(statements.length);
    }
    expect(counts).toEqual(SIZES.map(() => expected));
  });

  it.each([
    ['a field selected twice', 'members { edges { node { id } } } members { edges { node { firstName } } }', 3],
    [
      'two aliases of the same page',
      'a: members(first: 2) { edges { node { id } } } b: members(first: 2) { edges { cursor } }',
      3,
    ],
    [
      'two different pages',
      'a: members(first: 1) { edges { node { id } } } b: members(first: 2) { edges { cursor } }',
      4,
    ],
    [
      'the same fields of tags on two paths',
      'members { edges { node { tags { id } } } } headOfDepartment { tags { id } }',
      5,
    ],
    [
      'different fields of tags on two paths',
      'members { edges { node { tags { id } } } } headOfDepartment { tags { name } }',
      6,
    ],
  ])('reads %s in at most the necessary statements', async (_name, selection, maximum) => {
    const { ask, during } = recordsOf(10);
    const { result, statements } = await during(() => ask(`{ departments { edges { node { ${selection} } } } }`));
    expect(result.json.errors).toBeUndefined();
    expect(statements.length).toBeLessThanOrEqual(maximum);
  });

  it('reads 100 nodes in one statement for each type', async () => {
    const { ask, during, members } = recordsOf(100);
    const nodes = (ids: readonly string[]) =>
      during(() => ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids }));
    expect((await nodes(members)).statements).toHaveLength(2);
    expect((await nodes(times(100, () => members[0] as string))).statements).toHaveLength(2);
    expect((await nodes([...members.slice(0, 50), 'form_1', 'field_1', 'form_2'])).statements).toHaveLength(4);
  });

  it('reads a record that several fields return once', async () => {
    const { ask, during, members } = recordsOf(10);
    const { statements } = await during(() =>
      ask(
        'query ($id: ID!) { a: node(id: $id) { id } b: node(id: $id) { ... on Member { tags { id } } } c: nodes(ids: [$id]) { id } }',
        {
          id: members[0],
        },
      ),
    );
    expect(statements).toHaveLength(3);
  });
});
