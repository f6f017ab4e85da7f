import { beforeEach, expect, it } from 'vitest';
import { codesIn, type GraphQLClient, graphql } from '../../../support/graphql.ts';
import { manyOf } from '../../../support/many.ts';
import { onOneStore, type TestOrganization } from '../../../support/service.ts';

const UPDATE = 'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { id firstName } } }';

onOneStore((service) => {
  let organization: TestOrganization;
  let ask: GraphQLClient;
  beforeEach(async () => {
    organization = await service.organization();
    ask = graphql(service.app, organization.key);
  });

  it.each([
    ['first: 0', 'first'],
    ['last: -1', 'last'],
  ])('rejects (%s) in nested connections, with the name of the argument', async (args, field) => {
    await manyOf(service, organization.id).departments(1);
    const answer = await ask(`{ departments { edges { node { name members(${args}) { edges { cursor } } } } } }`);
    expect(answer.json.data.departments.edges).toEqual([{ node: { name: 'Department 0', members: null } }]);
    expect(codesIn(answer)).toEqual(['invalid_request']);
    expect(answer.json.errors[0].extensions.details).toEqual([{ field, message: expect.any(String) }]);
  });

  it.each([
    '',
    ' ',
    '\0',
    '\ud800',
    'mem_',
    'MEM_X',
    '../x',
    '{"not":""}',
    'x'.repeat(10_000),
    'mem_\0',
    '__proto__',
    'constructor_x',
  ])('finds no record by the id %j', async (id) => {
    const answer = await ask(
      'query ($id: ID!) { member(id: $id) { id } prayerRequest(id: $id) { id } node(id: $id) { id } formResponse(formId: 1, id: $id) { id } }',
      { id },
    );
    expect(answer.json.data).toEqual({ member: null, prayerRequest: null, node: null, formResponse: null });
    expect(codesIn(answer)).toEqual(['not_found', 'not_found', 'not_found', 'not_found']);
    const changed = await ask(UPDATE, { input: { id, firstName: 'X' } });
    expect([changed.json.data, codesIn(changed)]).toEqual([{ updateMember: null }, ['not_found']]);
  });

  const NO_NODES = 'form_0 form_-1 form_1.5 form_1e3 form_2147483648 form_abc form_01 field_0 form_ form';
  it.each([...NO_NODES.split(' '), 'form_ 1'])('finds no node by the id %j', async (id) => {
    await manyOf(service, organization.id).forms(1);
    const answer = await ask('query ($id: ID!) { node(id: $id) { id } }', { id });
    expect([answer.json.data, codesIn(answer)]).toEqual([{ node: null }, ['not_found']]);
  });
});
