import fc from 'fast-check';
import { type FieldNode, type GraphQLFormattedError, Kind, parse, print, visit } from 'graphql';
import { expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { person } from '../support/data.ts';
import { type GraphQLClient, graphql } from '../support/graphql.ts';
import { recordsOf } from '../support/records.ts';
import { onOneStore } from '../support/service.ts';

const MEMBER = `id firstName lastName emailAddress phoneNumber gender maritalStatus dateOfBirth address city state
  zipCode country designation isGuest createdAt updatedAt`;

/** What can be asked for as text, what cannot, and what stands between. */
const DOCUMENTS: [string, string][] = [
  [
    'a page, its cursors and what lies around it',
    `members { edges { cursor node { ${MEMBER} } } pageInfo { endCursor } }`,
  ],
  ['a page with the cursor last', 'members(last: 2) { edges { node { id } cursor } }'],
  ['an empty page', 'members(search: "nobody at all") { edges { node { id } } }'],
  ['cursors alone', 'members { edges { cursor } }'],
  ['one record', `member(id: $id) { ${MEMBER} }`],
  ['a record that is not there', 'member(id: "mem_00000000000000000000000000") { id }'],
  [
    'names of the caller’s own',
    'm: members { e: edges { c: cursor n: node { name: firstName constructor: lastName id } } }',
  ],
  ['a name longer than a column may have', `members { edges { node { ${'a'.repeat(64)}: id } } }`],
  ['the same field twice', 'members { edges { node { id a: id id } } }'],
  ['types last, as clients add them', 'members { edges { node { id __typename } __typename } __typename }'],
  ['types first', 'members { __typename edges { __typename node { __typename id } } }'],
  [
    'fragments',
    'members { ...page } } fragment page on MemberConnection { edges { node { id ...more } } }' +
      ' fragment more on Member { lastName ... on Node { id } ... on Member { firstName }',
  ],
  ['a page twice', 'members { edges { node { id } } } members { edges { node { firstName } } }'],
  ['two pages alike', 'a: members(first: 1) { edges { node { id } } } b: members(last: 1) { edges { node { id } } }'],
  ['two pages not alike', 'a: members { edges { node { id } } } b: members { edges { node { city } } }'],
  [
    'records that lead on',
    `members { edges { node { lastName tags { id name color } departments { name membersCount memberIds } } } }`,
  ],
  [
    'records that lead elsewhere under the same name',
    'a: members { edges { node { id to: tags { id name } } } } b: members { edges { node { id to: departments { id name } } } }',
  ],
  [
    'records that lead on under two names',
    'members { edges { node { id a: tags { name } b: tags { name } to: departments { id } } } }',
  ],
  ['records that lead on twice, alike and not', 'members { edges { node { a: tags { id } b: tags { name } } } }'],
  [
    'records that lead back',
    'departments { edges { node { id members(first: 2) { edges { node { id departments { members { edges { node { city } } } } } } } } } }',
  ],
  [
    'departments, members and tags',
    'departments { edges { node { name headOfDepartment { city } members { edges { cursor node { firstName tags { name __typename } } } } } } }',
  ],
  [
    'kinds of records side by side',
    'tags { edges { node { slug } } } events { edges { node { title dates { date } participants } } } forms { edges { node { id formId title } } } services { edges { node { title } } }',
  ],
  ['a record of any kind', 'node(id: $id) { id ... on Member { firstName tags { name } } }'],
  ['the schema beside a record', 'member(id: $id) { id } __type(name: "Member") { fields { name } }'],
  ['what may be left out', 'members { edges { node { id city @skip(if: true) } } }'],
];

/** Any selection of a type: columns mostly, under any names, and now and then what leads on. */
const { operation } = fc.letrec<Record<'operation' | 'member' | 'department' | 'tag', string>>((tie) => {
  const name = fc.constantFrom('', '', '', 'a: ', 'b: ', 'id: ');
  const named = (field: fc.Arbitrary<string>) => fc.tuple(name, field).map((parts) => parts.join(''));
  const some = (...fields: fc.Arbitrary<string>[]) =>
    fc.array(fc.oneof(...fields.map(named)), { minLength: 1, maxLength: 5 }).map((all) => all.join(' '));
  const columns = (...names: string[]) => fc.constantFrom('id', '__typename', ...names);
  const in_ = (type: string, selection: fc.Arbitrary<string>) =>
    fc.oneof(
      selection,
      selection.map((fields) => `... on ${type} { ${fields} }`),
    );
  const list = (field: string, selection: fc.Arbitrary<string>) => selection.map((fields) => `${field} { ${fields} }`);
  const page = (field: string, record: fc.Arbitrary<string>) =>
    some(fc.constantFrom('cursor', '__typename'), list('node', record)).map(
      (edge) => `${field} { edges { ${edge} } pageInfo { endCursor } }`,
    );
  return {
    operation: fc
      .tuple(page('members(first: 3)', tie('member')), page('y: departments', tie('department')))
      .map((roots) => roots.join(' ')),
    member: in_(
      'Member',
      some(
        columns('firstName', 'gender', 'isGuest', 'createdAt'),
        columns('city', 'dateOfBirth'),
        list('tags', tie('tag')),
        list('departments', tie('department')),
      ),
    ),
    department: in_(
      'Department',
      some(
        columns('name', 'membersCount', 'memberIds'),
        columns('updatedAt'),
        list('headOfDepartment', fc.constant('lastName')),
        fc.constant('members(first: 2) { edges { cursor node { id city } } }'),
      ),
    ),
    tag: in_('Tag', some(columns('name', 'slug', 'color'))),
  };
});

onOneStore((service) => {
  it.each(DOCUMENTS)('answers alike, passed on or read: %s', async (_, selection) => {
    const { ask, variables } = await world();
    const document = `query ($id: ID!) { any: node(id: $id) { id } ${selection} }`;
    const passedOn = await ask(document, variables);
    const read = await ask(everythingRead(document), variables);
    expect(placesIn(passedOn)).toEqual(placesIn(read));
    expect(dataIn(passedOn)).toBe(dataIn(read));
  });

  it('answers alike, passed on or read, whatever is selected', { timeout: 60_000 }, async () => {
    const { ask, variables } = await world();
    await fc.assert(
      fc.asyncProperty(operation, async (selection) => {
        const document = `query ($id: ID!) { any: node(id: $id) { id } ${selection} }`;
        const passedOn = await ask(document, variables);
        const read = await ask(everythingRead(document), variables);
        fc.pre(!read.text.includes('more than 50 directives'));
        expect(placesIn(passedOn)).toEqual(placesIn(read));
        expect(dataIn(passedOn)).toBe(dataIn(read));
      }),
      { numRuns: 100 },
    );
  });

  it('passes on what a record says under any name', async () => {
    const { ask } = await world();
    const { text } = await ask('{ members(first: 1) { edges { node { __proto__: lastName } } } }');
    expect(text).toContain('{"__proto__":"Field"}');
  });

  it('shows nobody the fields by which it passes records on', async () => {
    const { ask } = await world();
    const { json } = await ask('{ __schema { types { name fields { name } } } members { edges { node { id } } } }');
    expect(JSON.stringify(json.data.__schema)).not.toContain('Json');
    const refused = await ask('{ members { edgesAsJson } }');
    expect(refused.json.errors[0].message).toContain('edgesAsJson');
  });

  it('names the place of what a record may not lead to', async () => {
    const { organization } = await world();
    const { key } = await organization.withScopes('members.view');
    const { json } = await graphql(service.app, key)('{ members(first: 1) { edges { node { id tags { id } } } } }');
    expect(json.data.members.edges[0].node).toEqual({ id: expect.any(String), tags: null });
    expect(json.errors[0].path).toEqual(['members', 'edges', 0, 'node', 'tags']);
  });

  /** Members in departments, with tags, and what people write in names. */
  async function world(): Promise<{
    organization: Awaited<ReturnType<typeof service.organization>>;
    ask: GraphQLClient;
    variables: Record<string, unknown>;
  }> {
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
    await records.department({ name: 'Doors' }, ids.slice(2));
    return { organization, ask: graphql(service.app, organization.key), variables: { id: ids[0] } };
  }
});

/** The same document with a condition on every leaf, so that nothing in it is plain. */
function everythingRead(document: string): string {
  const condition = parse('{ a @include(if: true) }').definitions[0];
  const directives =
    condition?.kind === Kind.OPERATION_DEFINITION ? (condition.selectionSet.selections[0] as FieldNode).directives : [];
  return print(
    visit(parse(document), {
      Field: (node) =>
        node.selectionSet ? undefined : { ...node, directives: node.directives?.length ? node.directives : directives },
    }),
  );
}

/** What went wrong, and where in the answer; where in the document differs. */
function placesIn({ json }: Answer): unknown {
  return json.errors?.map(({ message, path }: GraphQLFormattedError) => ({ message, path }));
}

/** The data in the order in which it was written. */
function dataIn({ text }: Answer): string {
  return text.slice(text.indexOf('"data":'), text.lastIndexOf(',"extensions"'));
}
