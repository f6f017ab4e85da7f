import { expect, it } from 'vitest';
import type { Scope } from '../../../src/domain/core/scopes.ts';
import { person } from '../../support/data.ts';
import { errorsIn } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';
import { allBut, keyWithScopes } from './scoped-key.ts';

/** Fields that return other records: the result without their scope, and the number of statements. */
const NESTED: readonly { scope: Scope; query: string; path: string; data: unknown; statements: number }[] = [
  {
    scope: 'tags.view',
    query: '{ members { edges { node { firstName tags { id } } } } }',
    path: 'members.edges.0.node.tags',
    data: { members: { edges: [{ node: { firstName: 'Ada', tags: null } }] } },
    statements: 2,
  },
  {
    scope: 'members.view',
    query: '{ departments { edges { node { name members { edges { node { id } } } } } } }',
    path: 'departments.edges.0.node.members',
    data: { departments: { edges: [{ node: { name: 'Music', members: null } }] } },
    statements: 2,
  },
  {
    scope: 'members.view',
    query: '{ departments { edges { node { name membersCount headOfDepartment { id } } } } }',
    path: 'departments.edges.0.node.headOfDepartment',
    data: { departments: { edges: [{ node: { name: 'Music', membersCount: 1, headOfDepartment: null } }] } },
    statements: 2,
  },
  {
    scope: 'form_responses.view',
    query: '{ forms { edges { node { title fields { question } responses { edges { node { id } } } } } } }',
    path: 'forms.edges.0.node.responses',
    data: { forms: { edges: [{ node: { title: 'Survey', fields: [{ question: 'Why?' }], responses: null } }] } },
    statements: 2,
  },
];

onOneStore((service) => {
  it.each(NESTED)(
    'sets only $path to null without the scope $scope',
    async ({ scope, query, path, data, statements }) => {
      const { ask, during } = await keyWithScopes(service, ...allBut(scope));
      const { result, statements: run } = await during(() => ask(query));
      expect([result.status, result.json.data]).toEqual([200, data]);
      expect(errorsIn(result)).toEqual([{ code: 'missing_scope', path }]);
      const place = path.replaceAll(/\.\d+/g, '');
      expect(result.json.errors[0].message).toBe(`${place} needs the scope ${scope}, which this API key lacks`);
      expect(run).toHaveLength(statements);
    },
  );

  it('sets only the form of a response and the field of an answer to null without forms.view', async () => {
    const { ask, during, records } = await keyWithScopes(service, ...allBut('forms.view'));
    const { result, statements } = await during(() =>
      ask(
        'query ($form: Int!, $id: ID!) { formResponse(formId: $form, id: $id) { id form { title } answers { value field { question } } } }',
        { form: records.form.id, id: records.response.id },
      ),
    );
    expect(result.json.data.formResponse).toEqual({
      id: records.response.id,
      form: null,
      answers: [{ value: 'Because.', field: null }],
    });
    expect(errorsIn(result)).toEqual([
      { code: 'missing_scope', path: 'formResponse.answers.0.field' },
      { code: 'missing_scope', path: 'formResponse.form' },
    ]);
    expect(statements).toHaveLength(2);
  });

  it('returns written records to a key without view scopes, except the member in updateMemberTags', async () => {
    const { ask, records } = await keyWithScopes(service, 'members.create', 'members.update', 'prayer_requests.create');
    const answer = await ask(
      `mutation ($id: ID!, $tag: ID!, $input: CreateMemberInput!) {
        createMember(input: $input) { member { firstName tags { id } } }
        updateMember(input: { id: $id, city: "Troy" }) { member { city departments { id } } }
        updateMemberTags(input: { id: $id, add: [$tag] }) { member { id } tags { id } ignoredTagIds }
        submitPrayerRequest(input: { description: "Rain" }) { prayerRequest { description } } }`,
      {
        id: records.member.id,
        tag: records.tag.id,
        input: { firstName: 'New', lastName: 'One', emailAddress: person().email_address },
      },
    );
    expect(answer.json.data).toEqual({
      createMember: { member: { firstName: 'New', tags: null } },
      updateMember: { member: { city: 'Troy', departments: null } },
      updateMemberTags: { member: null, tags: [{ id: records.tag.id }], ignoredTagIds: [] },
      submitPrayerRequest: { prayerRequest: { description: 'Rain' } },
    });
    expect(errorsIn(answer)).toEqual([
      { code: 'missing_scope', path: 'createMember.member.tags' },
      { code: 'missing_scope', path: 'updateMember.member.departments' },
      { code: 'missing_scope', path: 'updateMemberTags.member' },
    ]);
  });
});
