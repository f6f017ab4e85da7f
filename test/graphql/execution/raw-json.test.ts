import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import { onEmbeddedStore } from '../../support/service.ts';
import { createReference, NO_ERRORS } from '../reference/reference.ts';

const MEMBER = `id firstName lastName emailAddress phoneNumber gender maritalStatus dateOfBirth address city state
  zipCode country designation isGuest createdAt updatedAt`;

/** Selections that PostgreSQL serializes entirely, partly or not at all. */
const SELECTIONS: [name: string, selection: string][] = [
  ['a page with cursors and page info', `members { edges { cursor node { ${MEMBER} } } pageInfo { endCursor } }`],
  ['a page with the cursor last', 'members(last: 2) { edges { node { id } cursor } }'],
  ['an empty page', 'members(search: "nobody at all") { edges { node { id } } }'],
  ['only cursors', 'members { edges { cursor } }'],
  ['one record', `member(id: $id) { ${MEMBER} }`],
  ['an unknown record', 'member(id: "mem_00000000000000000000000000") { id }'],
  ['aliases', 'm: members { e: edges { c: cursor n: node { name: firstName constructor: lastName id } } }'],
  ['an alias longer than the maximum column name', `members { edges { node { ${'a'.repeat(64)}: id } } }`],
  ['the same field twice', 'members { edges { node { id a: id id } } }'],
  ['__typename last, as added by clients', 'members { edges { node { id __typename } __typename } __typename }'],
  ['__typename first', 'members { __typename edges { __typename node { __typename id } } }'],
  [
    'fragments',
    'members { ...page } } fragment page on MemberConnection { edges { node { id ...more } } }' +
      ' fragment more on Member { lastName ... on Node { id } ... on Member { firstName }',
  ],
  ['the same page twice', 'members { edges { node { id } } } members { edges { node { firstName } } }'],
  [
    'two pages with the same selection',
    'a: members(first: 1) { edges { node { id } } } b: members(last: 1) { edges { node { id } } }',
  ],
  [
    'two pages with different selections',
    'a: members { edges { node { id } } } b: members { edges { node { city } } }',
  ],
  [
    'nested lists',
    `members { edges { node { lastName tags { id name color } departments { name membersCount memberIds } } } }`,
  ],
  [
    'different nested lists with the same alias',
    'a: members { edges { node { id to: tags { id name } } } } b: members { edges { node { id to: departments { id name } } } }',
  ],
  [
    'a nested list with two aliases',
    'members { edges { node { id a: tags { name } b: tags { name } to: departments { id } } } }',
  ],
  ['a nested list twice with different selections', 'members { edges { node { a: tags { id } b: tags { name } } } }'],
  [
    'cyclic nested lists',
    'departments(first: 5) { edges { node { id members(first: 2) { edges { node { id departments { members { edges { node { city } } } } } } } } } }',
  ],
  [
    'departments, members and tags',
    'departments { edges { node { name headOfDepartment { city } members { edges { cursor node { firstName tags { name __typename } } } } } } }',
  ],
  [
    'several record types',
    'tags { edges { node { slug } } } events { edges { node { title dates { date } participants } } } forms { edges { node { id formId title } } } services { edges { node { title } } }',
  ],
  ['a node', 'node(id: $id) { id ... on Member { firstName tags { name } } }'],
  ['introspection and a record', 'member(id: $id) { id } __type(name: "Member") { fields { name } }'],
  ['a skipped field', 'members { edges { node { id city @skip(if: true) } } }'],
];

onEmbeddedStore((service) => {
  it.each(SELECTIONS)('returns the same result as graphql-js for %s', async (_name, selection) => {
    const { organization, memberId } = await createRecords();
    const { byService, byGraphQLJs } = createReference(service.store, organization.id, organization.keyId);
    const query = `query Q($id: ID!) { variable: node(id: $id) { id } ${selection} }`;
    const request = { query, operationName: 'Q', variables: { id: memberId } };
    expect(await byService(request, NO_ERRORS)).toEqual(await byGraphQLJs(request, NO_ERRORS));
  });

  it('returns a column with the alias __proto__', async () => {
    const { organization } = await createRecords();
    const ask = graphql(service.app, organization.key);
    const { text } = await ask('{ members(first: 1) { edges { node { __proto__: lastName } } } }');
    expect(text).toContain('{"__proto__":"Field"}');
  });

  it('reports the path of a nested list without its scope', async () => {
    const { organization } = await createRecords();
    const { key } = await organization.withScopes('members.view');
    const { json } = await graphql(service.app, key)('{ members(first: 1) { edges { node { id tags { id } } } } }');
    expect(json.data.members.edges[0].node).toEqual({ id: expect.any(String), tags: null });
    expect(json.errors[0].path).toEqual(['members', 'edges', 0, 'node', 'tags']);
  });

  /** Creates members with tags and departments. Their names contain characters that JSON escapes. */
  async function createRecords() {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const names = ['Zoë "Zo"', '\\ \u2028 , \n [', '}, \n {"node":', 'Åsa\t', '𝔘nicode'];
    const ids: string[] = [];
    for (const first_name of names) {
      const { json } = await organization.post('/members', person({ first_name, gender: 'Others', city: 'Ulm' }));
      ids.push(json.data.id);
    }
    const tags = [await records.tag({ name: 'Choir' }), await records.tag({ name: 'A "b"' })];
    await organization.patch(`/members/${ids[0]}/tags`, { add: tags.map(({ id }) => id) });
    await organization.patch(`/members/${ids[2]}/tags`, { add: [tags[0]?.id] });
    await records.department({ name: 'Music', headId: ids[1] as string }, ids.slice(0, 3));
    await records.department({ name: 'Ushers' }, ids.slice(2));
    return { organization, memberId: ids[0] };
  }
});
