import { expect, it } from 'vitest';
import { person } from '../../../support/data.ts';
import { codesIn, graphql } from '../../../support/graphql.ts';
import { manyOf } from '../../../support/many.ts';
import { expectPages } from '../../../support/pages.ts';
import { recordsOf } from '../../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../../support/service.ts';

const PAGE = `members(first: $first, after: $after, last: $last, before: $before) {
  edges { cursor node { id designationId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
const query = (type: string) => `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  node(id: $id) { ... on ${type} { ${PAGE} } } }`;

onOneStore((service) => {
  const member = async (organization: TestOrganization, fields: Record<string, unknown> = {}): Promise<string> =>
    (await organization.post('/members', person(fields))).json.data.id;

  /** An organization with a tag, a designation and a department of the same three members, in list order. */
  async function withMembers() {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const [tag, other] = [await records.tag(), await records.tag()];
    const designation = await records.designation();
    const added: string[] = [];
    for (let n = 0; n < 3; n++) added.push(await member(organization, { designation_id: designation.id }));
    await member(organization);
    const tagged = [added[2], added[0], added[1]] as string[];
    for (const id of tagged) await organization.patch(`/members/${id}/tags`, { add: [tag.id, other.id] });
    const joined = added.toReversed();
    const [department = ''] = await manyOf(service, organization.id).departments(1, () => joined);
    const ask = graphql(service.app, organization.key);
    const list = async (type: keyof typeof expected, args: object = {}) => {
      const id = { Tag: tag.id, Designation: designation.id, Department: department }[type];
      const answer = await ask(query(type), { id, ...args });
      const page = answer.json.data.node?.members;
      const edges: { cursor: string; node: { id: string } }[] = page?.edges ?? [];
      const [ids, cursors] = [edges.map(({ node }) => node.id), edges.map(({ cursor }) => cursor)];
      return { ids, cursors, pageInfo: page?.pageInfo, answer };
    };
    const expected = { Tag: tagged, Designation: added, Department: joined };
    return { organization, tag, other, designation, list, expected, ask };
  }

  it.each(['Tag', 'Designation', 'Department'] as const)('lists the members of a %s in pages', async (type) => {
    const { list, expected } = await withMembers();
    expect((await list(type)).ids).toEqual(expected[type]);
    await expectPages((args) => list(type, args));
  });

  it('rejects the cursor of another list', async () => {
    const { list, ask, other } = await withMembers();
    const [after] = (await list('Tag', { first: 1 })).cursors;
    for (const type of ['Designation', 'Department'] as const) {
      expect(codesIn((await list(type, { after })).answer)).toEqual(['invalid_cursor']);
    }
    expect(codesIn(await ask(query('Tag'), { id: other.id, after }))).toEqual(['invalid_cursor']);
  });

  it('lists no members that lost the tag or designation, and none of another organization', async () => {
    const { organization, tag, designation, list, expected } = await withMembers();
    const [one] = expected.Tag;
    await organization.patch(`/members/${one}/tags`, { remove: [tag.id] });
    await organization.patch(`/members/${one}`, { designation_id: null });
    expect((await list('Tag')).ids).toEqual(expected.Tag.slice(1));
    expect((await list('Designation')).ids).toEqual(expected.Designation.filter((id) => id !== one));
    const stranger = graphql(service.app, (await service.organization()).key);
    for (const [type, id] of [
      ['Tag', tag.id],
      ['Designation', designation.id],
    ] as const) {
      const answer = await stranger(query(type), { id });
      expect([answer.json.data, codesIn(answer)]).toEqual([{ node: null }, ['not_found']]);
    }
  });
});
