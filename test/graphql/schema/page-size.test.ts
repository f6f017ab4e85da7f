import { isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore } from '../../support/service.ts';

const LENGTH = 4;

/** The page arguments of a list of four records, and the positions of the returned records. */
const PAGES: readonly [args: string, positions: readonly number[]][] = [
  ['(last: 2)', [2, 3]],
  ['(first: null, last: 2)', [2, 3]],
  ['(first: $unset, last: $two)', [2, 3]],
  ['(first: null)', [0, 1, 2, 3]],
  ['(first: $unset)', [0, 1, 2, 3]],
  ['(first: $two, last: null)', [0, 1]],
];

it('has no default in the schema, which would not apply to `last`', () => {
  const defaults = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()))
    .flatMap(({ args }) => args.filter(({ name }) => name === 'first').map(({ defaultValue }) => defaultValue));
  expect(defaults.length).toBeGreaterThan(10);
  expect(new Set(defaults)).toEqual(new Set([undefined]));
});

onOneStore((service) => {
  /** An organization with one department of four members. */
  async function withMembers() {
    const organization = await service.organization();
    const many = manyOf(service, organization.id);
    const members = await many.members(LENGTH);
    await many.departments(1, () => members);
    return { members, ask: graphql(service.app, organization.key) };
  }

  it.each(PAGES)('returns the page for %s, at the root and below', async (args, positions) => {
    const { ask, members } = await withMembers();
    const { json } = await ask(
      `query ($unset: Int, $two: Int) { tags(first: $unset, last: $two) { nodes { id } } members${args} { nodes { id } } departments { nodes { members${args} { nodes { id } } } } }`,
      { two: 2 },
    );
    expect(json.errors).toBeUndefined();
    const page = { nodes: positions.map((position) => ({ id: members[position] })) };
    expect(json.data).toEqual({ tags: { nodes: [] }, members: page, departments: { nodes: [{ members: page }] } });
  });

  it.each([
    'members(first: 25, last: 2) { nodes { id } }',
    'departments { nodes { members(first: 25, last: 2) { nodes { id } } } }',
    'viewer { key { usage(first: 25, last: 2) { edges { cursor } } } }',
    'viewer { key { auditEntries(first: 25, last: 2) { edges { cursor } } } }',
    'members(first: $size, last: $size) { nodes { id } }',
  ])('rejects `first` together with `last` in %s', async (field) => {
    const { ask } = await withMembers();
    const query = `query ($size: Int) { tags(first: $size) { nodes { id } } ${field} }`;
    const answer = await ask(query, { size: 25 });
    expect(codesIn(answer)).toEqual(['invalid_request']);
    expect(answer.json.errors[0].extensions.details).toEqual([
      { field: 'last', message: 'must not be given together with first' },
    ]);
  });

  it('limits the size of an operation by `last` as by `first`', async () => {
    const { ask } = await withMembers();
    const query = '{ departments(last: 100) { nodes { members(last: 100) { nodes { tags { id } } } } } }';
    expect(codesIn(await ask(query))).toEqual(['query_too_complex']);
  });
});
