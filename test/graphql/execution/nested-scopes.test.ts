import { expect, it } from 'vitest';
import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import { person } from '../../support/data.ts';
import { errorsIn, graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';
import { countingApp } from '../counting.ts';

/**
 * Fields that return other records, and the result without their scope. test/graphql/schema/directives.test.ts has the
 * errors of all fields.
 */
const NESTED: readonly { scope: Scope; query: string; path: string; data: unknown }[] = [
  {
    scope: 'tags.view',
    query: '{ members { edges { node { firstName tags { id } } } } }',
    path: 'members.edges.0.node.tags',
    data: { members: { edges: [{ node: { firstName: 'Ada', tags: null } }] } },
  },
  {
    scope: 'members.view',
    query: '{ departments { edges { node { name membersCount headOfDepartment { id } } } } }',
    path: 'departments.edges.0.node.headOfDepartment',
    data: { departments: { edges: [{ node: { name: 'Music', membersCount: 1, headOfDepartment: null } }] } },
  },
];

onOneStore((service) => {
  /** Creates a key with these scopes, in an organization with a member, a department and a tag. */
  async function keyWithScopes(scopes: readonly Scope[]) {
    const { app, during } = countingApp(service);
    const organization = await service.organization({ app });
    const member = (await organization.post('/members', person({ first_name: 'Ada' }))).json.data;
    const records = recordsOf(service, organization.id);
    await records.department({ headId: member.id }, [member.id]);
    const tag = await records.tag();
    return { during, member, tag, ask: graphql(app, (await organization.withScopes(...scopes)).key) };
  }

  it.each(NESTED)('sets only $path to null without the scope $scope', async ({ scope, query, path, data }) => {
    const { ask, during } = await keyWithScopes(ALL_SCOPES.filter((other) => other !== scope));
    const { result, statements: run } = await during(() => ask(query));
    expect([result.status, result.json.data]).toEqual([200, data]);
    expect(errorsIn(result)).toEqual([{ code: 'missing_scope', path }]);
    const place = path.replaceAll(/\.\d+/g, '');
    expect(result.json.errors[0].message).toBe(`${place} needs the scope ${scope}, which this API key lacks`);
    expect(run).toHaveLength(2);
  });

  it('returns written records to a key without view scopes, except the member in updateMemberTags', async () => {
    const { ask, member, tag } = await keyWithScopes(['members.create', 'members.update', 'prayer_requests.create']);
    const answer = await ask(
      `mutation ($id: ID!, $tag: ID!, $input: CreateMemberInput!) {
        createMember(input: $input) { member { firstName tags { id } } }
        updateMember(input: { id: $id, city: "Troy" }) { member { city departments { id } } }
        updateMemberTags(input: { id: $id, add: [$tag] }) { member { id } tags { id } ignoredTagIds }
        submitPrayerRequest(input: { description: "Rain" }) { prayerRequest { description } } }`,
      {
        id: member.id,
        tag: tag.id,
        input: { firstName: 'New', lastName: 'One', emailAddress: person().email_address },
      },
    );
    expect(answer.json.data).toEqual({
      createMember: { member: { firstName: 'New', tags: null } },
      updateMember: { member: { city: 'Troy', departments: null } },
      updateMemberTags: { member: null, tags: [{ id: tag.id }], ignoredTagIds: [] },
      submitPrayerRequest: { prayerRequest: { description: 'Rain' } },
    });
    expect(errorsIn(answer)).toEqual([
      { code: 'missing_scope', path: 'createMember.member.tags' },
      { code: 'missing_scope', path: 'updateMember.member.departments' },
      { code: 'missing_scope', path: 'updateMemberTags.member' },
    ]);
  });
});
