import { expect, it } from 'vitest';
import { person } from '../../../support/data.ts';
import { codesIn, graphql } from '../../../support/graphql.ts';
import { recordsOf } from '../../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../../support/service.ts';

const PAGE = `members(first: $first, after: $after, last: $last, before: $before) {
  edges { cursor node { id designationId } } pageInfo { hasNextPage hasPreviousPage endCursor } }`;
const query = (type: string) => `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  node(id: $id) { ... on ${type} { ${PAGE} } } }`;

onOneStore((service) => {
  const member = async (organization: TestOrganization, fields: Record<string, unknown> = {}): Promise<string> =>
    (await organization.post('/members', person(fields))).json.data.id;

  /** An organization with a tag and a designation of the same three members, in list order. */
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
    const ask = graphql(service.app, organization.key);
    const list = async (type: 'Tag' | 'Designation', args: object = {}) => {
      const id = type === 'Tag' ? tag.id : designation.id;
      const answer = await ask(query(type), { id, ...args });
      const page = answer.json.data.node?.members;
      return { ids: page?.edges.map(({ node }: { node: { id: string } }) => node.id), page, answer };
    };
    return { organization, tag, other, designation, list, expected: { Tag: tagged, Designation: added }, ask };
  }

  it.each(['Tag', 'Designation'] as const)('lists the members of a %s forwards and backwards', async (type) => {
    const { list, expected } = await withMembers();
    const ids = expected[type];
    expect((await list(type)).ids).toEqual(ids);
    const first = await list(type, { first: 2 });
    expect([first.ids, first.page.pageInfo]).toEqual([
      ids.slice(0, 2),
      { hasNextPage: true, hasPreviousPage: false, endCursor: first.page.edges[1].cursor },
    ]);
    expect((await list(type, { first: 2, after: first.page.pageInfo.endCursor })).ids).toEqual(ids.slice(2));
    const last = await list(type, { last: 1 });
    expect(last.ids).toEqual(ids.slice(2));
    expect((await list(type, { last: 5, before: last.page.edges[0].cursor })).ids).toEqual(ids.slice(0, 2));
  });

  it('rejects the cursor of another list', async () => {
    const { list, ask, other } = await withMembers();
    const { page } = await list('Tag', { first: 1 });
    const after = page.pageInfo.endCursor;
    expect(codesIn((await list('Designation', { after })).answer)).toEqual(['invalid_cursor']);
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
