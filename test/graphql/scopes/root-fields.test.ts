import { expect, it } from 'vitest';
import type { Scope } from '../../../src/domain/core/scopes.ts';
import { errorsIn } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';
import { allBut, keyWithScopes } from './scoped-key.ts';

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

onOneStore((service) => {
  it.each(ROOT_FIELDS)(
    'sets only %s to null without the scope %s, and reads nothing for it',
    async (field, scope, selection) => {
      const { ask, during } = await keyWithScopes(service, ...allBut(scope));
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
      const { ask, during } = await keyWithScopes(service, ...allBut(scope));
      const { result, statements } = await during(() => ask(`mutation { ${field}${selection} }`));
      expect([result.status, result.json.data]).toEqual([200, { [field]: null }]);
      expect(errorsIn(result)).toEqual([{ code: 'missing_scope', path: field }]);
      expect(statements).toHaveLength(1);
    },
  );

  it('requires no scope for viewer and introspection', async () => {
    const { ask } = await keyWithScopes(service, 'events.view');
    const { json } = await ask('{ viewer { scopes organization { name } } __type(name: "Member") { name } }');
    expect(json).toMatchObject({
      data: {
        viewer: { scopes: ['events.view'], organization: { name: 'Test organization' } },
        __type: { name: 'Member' },
      },
    });
  });

  it('requires the same scopes as REST', async () => {
    const { full, ask } = await keyWithScopes(service, 'events.view');
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
