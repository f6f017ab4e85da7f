import { expect, it } from 'vitest';
import { ALL_SCOPES, type Scope } from '../../src/domain/core/scopes.ts';
import { newId } from '../../src/domain/values/ids.ts';
import { person } from '../support/data.ts';
import { errorsIn, graphql } from '../support/graphql.ts';
import { recordsOf } from '../support/records.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';
import { countingApp } from './counting.ts';

const allBut = (...without: Scope[]) => ALL_SCOPES.filter((scope) => !without.includes(scope));
const page = '{ edges { cursor } pageInfo { hasNextPage } }';

/** Root fields, their scopes, and their arguments and selections. */
const ROOT_FIELDS: readonly [field: string, scope: Scope, selection: string][] = [
  ['members', 'members.view', page],
  ['member', 'members.view', '(id: "mem_x") { id }'],
  ['designations', 'members.view', page],
  ['tags', 'tags.view', page],
  ['departments', 'departments.view', page],
  ['forms', 'forms.view', page],
  ['formResponse', 'form_responses.view', '(formId: 1, id: "frs_x") { id }'],
  ['prayerRequests', 'prayer_requests.view', page],
  ['prayerRequest', 'prayer_requests.view', '(id: "pry_x") { id }'],
  ['events', 'events.view', page],
  ['services', 'services.view', page],
  ['event', 'events.view', '(id: "evt_x") { id }'],
  ['service', 'services.view', '(id: "svc_x") { id }'],
  ['department', 'departments.view', '(id: "dep_x") { id }'],
  ['designation', 'members.view', '(id: "dsg_x") { id }'],
  ['tag', 'tags.view', '(id: "tag_x") { id }'],
  ['form', 'forms.view', '(id: "form_x") { id }'],
];

const MUTATIONS: readonly [field: string, scope: Scope, selection: string][] = [
  ['createMember', 'members.create', '(input: { firstName: "", lastName: "", emailAddress: "" }) { member { id } }'],
  ['updateMember', 'members.update', '(input: { id: "x", firstName: "" }) { member { id } }'],
  ['updateMemberTags', 'members.update', '(input: { id: "x", add: ["a"], remove: ["a"] }) { tags { id } }'],
  [
    ...(['submitFormResponse', 'form_responses.create'] as const),
    '(input: { formId: 0, answers: [{ fieldId: 1 }, { fieldId: 1 }] }) { formResponse { id } }',
  ],
  ['submitPrayerRequest', 'prayer_requests.create', '(input: { description: "" }) { prayerRequest { id } }'],
];

const NODES: readonly [kind: string, scope: Scope, id: string][] = [
  ['Member', 'members.view', newId('mem')],
  ['Designation', 'members.view', newId('dsg')],
  ['Tag', 'tags.view', newId('tag')],
  ['Department', 'departments.view', newId('dep')],
  ['PrayerRequest', 'prayer_requests.view', newId('pry')],
  ['Form', 'forms.view', 'form_1'],
  ['FormField', 'forms.view', 'field_1'],
  ['FormResponse', 'form_responses.view', newId('frs')],
  ['Event', 'events.view', newId('evt')],
  ['Service', 'services.view', newId('svc')],
];

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
    scope: 'departments.view',
    query: '{ members { edges { node { firstName departments { id } } } } }',
    path: 'members.edges.0.node.departments',
    data: { members: { edges: [{ node: { firstName: 'Ada', departments: null } }] } },
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
    scope: 'members.view',
    query: '{ tags { edges { node { name members { edges { node { id } } } } } } }',
    path: 'tags.edges.0.node.members',
    data: { tags: { edges: [{ node: { name: 'Choir', members: null } }] } },
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
  /** Creates a key with these scopes, in an organization with one record of each type, and counts its statements. */
  async function withScopes(...scopes: Scope[]) {
    const { app, during } = countingApp(service);
    const full = await service.organization({ app });
    const { key } = await full.withScopes(...scopes);
    const ask = graphql(app, key);
    return { full, during, ask, records: await fill(full) };
  }

  async function fill(organization: TestOrganization) {
    const records = recordsOf(service, organization.id);
    const member = (await organization.post('/members', person({ first_name: 'Ada' }))).json.data;
    await records.department({ headId: member.id }, [member.id]);
    const form = await records.form();
    const field = await records.formField(form.id);
    const response = await records.formResponse(form.id, { [field.id]: 'Because.' });
    return { member, tag: await records.tag(), form, response };
  }

  it.each(ROOT_FIELDS)(
    'sets only %s to null without the scope %s, and reads nothing for it',
    async (field, scope, selection) => {
      const { ask, during } = await withScopes(...allBut(scope));
      const { result, statements } = await during(() => ask(`{ viewer { keyName } ${field} ${selection} }`));
      expect([result.status, result.json.data]).toEqual([200, { viewer: { keyName: 'Test' }, [field]: null }]);
      expect(errorsIn(result)).toEqual([{ code: 'missing_scope', path: field }]);
      expect(result.json.errors[0].message).toContain(scope);
      expect(statements).toHaveLength(1);
    },
  );

  it.each(MUTATIONS)(
    'rejects %s without the scope %s before validating its input, with no statement',
    async (field, scope, selection) => {
      const { ask, during } = await withScopes(...allBut(scope));
      const { result, statements } = await during(() => ask(`mutation { ${field}${selection} }`));
      expect([result.status, result.json.data]).toEqual([200, { [field]: null }]);
      expect(errorsIn(result)).toEqual([{ code: 'missing_scope', path: field }]);
      expect(statements).toHaveLength(1);
    },
  );

  it.each(NODES)(
    'rejects a node of type %s without the scope %s, and reads nothing for it',
    async (_kind, scope, id) => {
      const { ask, during } = await withScopes(...allBut(scope));
      const { result, statements } = await during(() =>
        ask('query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id, $id]) { id } }', { id }),
      );
      expect(result.json.data).toEqual({ node: null, nodes: [null, null] });
      expect(errorsIn(result).map(({ code }) => code)).toEqual(['missing_scope', 'missing_scope', 'missing_scope']);
      expect(statements).toHaveLength(1);
    },
  );

  it.each(['tag', 'tagx', 'memx', 'fieldx', 'field', '_', ''])(
    'treats the malformed id %o as unknown, whatever the scopes',
    async (id) => {
      const { ask } = await withScopes('events.view');
      const result = await ask('query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } }', { id });
      expect(result.json.data).toEqual({ node: null, nodes: [null] });
      expect(errorsIn(result).map(({ code }) => code)).toEqual(['not_found', 'not_found']);
    },
  );

  it.each(NESTED)(
    'sets only $path to null without the scope $scope',
    async ({ scope, query, path, data, statements }) => {
      const { ask, during } = await withScopes(...allBut(scope));
      const { result, statements: run } = await during(() => ask(query));
      expect([result.status, result.json.data]).toEqual([200, data]);
      expect(errorsIn(result)).toEqual([{ code: 'missing_scope', path }]);
      expect(result.json.errors[0].message).toContain(scope);
      expect(run).toHaveLength(statements);
    },
  );

  it('sets only the form of a response and the field of an answer to null without forms.view', async () => {
    const { ask, during, records } = await withScopes(...allBut('forms.view'));
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
    const { ask, records } = await withScopes('members.create', 'members.update', 'prayer_requests.create');
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

  it('requires no scope for viewer and introspection', async () => {
    const { ask } = await withScopes('events.view');
    const { json } = await ask('{ viewer { scopes organization { name } } __type(name: "Member") { name } }');
    expect(json).toMatchObject({
      data: {
        viewer: { scopes: ['events.view'], organization: { name: 'Test organization' } },
        __type: { name: 'Member' },
      },
    });
  });

  it('requires the same scopes as REST', async () => {
    const { full, ask } = await withScopes('events.view');
    const rest = await full.withScopes('events.view');
    for (const [field, , selection] of ROOT_FIELDS.filter(([, , selection]) => selection === page)) {
      const [answer, twin] = [
        await ask(`{ ${field} ${selection} }`),
        await rest.get(`/${field.replace('prayerRequests', 'prayer-requests')}`),
      ];
      expect([field, answer.json.errors?.[0].message]).toEqual([field, twin.json.error?.message]);
    }
  });
});
