import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/domain/values/ids.ts';
import type { Answer } from '../../../support/client.ts';
import { person, times } from '../../../support/data.ts';
import { codesIn, type GraphQLClient, graphql } from '../../../support/graphql.ts';
import { manyOf } from '../../../support/many.ts';
import { onOneStore, type TestOrganization } from '../../../support/service.ts';

const MEMBERS =
  'query ($search: String, $first: Int, $last: Int) { members(search: $search, first: $first, last: $last) { edges { node { id } } } }';
const CREATE =
  'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id firstName emailAddress phoneNumber } } }';
const UPDATE = 'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { id firstName } } }';

onOneStore((service) => {
  let organization: TestOrganization;
  let ask: GraphQLClient;
  beforeEach(async () => {
    organization = await service.organization();
    ask = graphql(service.app, organization.key);
  });

  const input = (fields: Record<string, unknown> = {}) => ({
    firstName: 'Robin',
    lastName: 'Field',
    emailAddress: person().email_address,
    ...fields,
  });
  /** The distinct field names in the details of the first error. */
  const detailsIn = ({ json }: Answer) => [
    ...new Set(json.errors[0].extensions.details.map(({ field }: { field: string }) => field)),
  ];

  describe('page sizes', () => {
    it.each([0, -1])('cannot be %d', async (first) => {
      const answer = await ask(MEMBERS, { first });
      expect([codesIn(answer), detailsIn(answer)]).toEqual([['invalid_request'], ['first']]);
      const last = await ask(MEMBERS, { last: first });
      expect([codesIn(last), detailsIn(last)]).toEqual([['invalid_request'], ['last']]);
    });

    it.each([1.5, 'abc', '5', true, [5, 6], {}, 2 ** 31])('cannot be %j', async (first) => {
      expect(codesIn(await ask(MEMBERS, { first }))).toEqual(['invalid_request']);
    });

    it('are limited to 100', async () => {
      await manyOf(service, organization.id).events(101);
      for (const size of [101, 1000, 2_147_483_647]) {
        const { json } = await ask(
          'query ($size: Int) { events(first: $size) { edges { cursor } pageInfo { hasNextPage } } }',
          { size },
        );
        expect([json.data.events.edges.length, json.data.events.pageInfo.hasNextPage]).toEqual([100, true]);
      }
    });

    it('default to 25', async () => {
      await manyOf(service, organization.id).events(26);
      expect((await ask('{ events(first: null) { edges { cursor } } }')).json.data.events.edges).toHaveLength(25);
    });

    it('are validated in nested connections too, with the names of their arguments', async () => {
      await manyOf(service, organization.id).departments(1);
      for (const [args, field] of [
        ['first: 0', 'first'],
        ['last: -1', 'last'],
        ['first: 1, last: 1', 'last'],
      ]) {
        const answer = await ask(`{ departments { edges { node { name members(${args}) { edges { cursor } } } } } }`);
        expect(answer.json.data.departments.edges).toEqual([{ node: { name: 'Department 0', members: null } }]);
        expect([codesIn(answer), detailsIn(answer)]).toEqual([['invalid_request'], [field]]);
      }
    });
  });

  describe('variables', () => {
    it.each([
      ['no input', {}],
      ['null', { input: null }],
      ['a list of two inputs', { input: [input(), input()] }],
      ['a string', { input: 'x' }],
      ['an empty input', { input: {} }],
      ['an input with a snake_case field', { input: input({ first_name: 'x' }) }],
      [
        'an input with __proto__',
        JSON.parse(`{"input":{"firstName":"a","lastName":"b","emailAddress":"c@d.ef","__proto__":{"city":"x"}}}`),
      ],
      ['an input with constructor', { input: { ...input(), constructor: 'x' } }],
    ])('with %s are rejected, and no member is created', async (_name, variables) => {
      const answer = await ask(CREATE, variables);
      expect([answer.status, new Set(codesIn(answer))]).toEqual([400, new Set(['invalid_request'])]);
      expect(await service.store.prisma.member.count({ where: { organizationId: organization.id } })).toBe(0);
      expect(({} as Record<string, unknown>).city).toBeUndefined();
    });
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
    const variables = { id };
    const answer = await ask(
      'query ($id: ID!) { member(id: $id) { id } prayerRequest(id: $id) { id } node(id: $id) { id } formResponse(formId: 1, id: $id) { id } }',
      variables,
    );
    expect(answer.json.data).toEqual({ member: null, prayerRequest: null, node: null, formResponse: null });
    expect(codesIn(answer)).toEqual(['not_found', 'not_found', 'not_found', 'not_found']);
    const changed = await ask(UPDATE, { input: { ...variables, firstName: 'X' } });
    expect([changed.json.data, codesIn(changed)]).toEqual([{ updateMember: null }, ['not_found']]);
  });

  it.each([
    'form_0',
    'form_-1',
    'form_1.5',
    'form_1e3',
    'form_2147483648',
    'form_abc',
    'form_01',
    'form_ 1',
    'field_0',
    'form_',
    'form',
  ])('finds no node by the id %j', async (id) => {
    await manyOf(service, organization.id).forms(1);
    const answer = await ask('query ($id: ID!) { node(id: $id) { id } }', { id });
    expect([answer.json.data, codesIn(answer)]).toEqual([{ node: null }, ['not_found']]);
  });

  it.each([0, -1, 2_147_483_647])('finds no response of form %d', async (formId) => {
    const answer = await ask('query ($formId: Int!) { formResponse(formId: $formId, id: "x") { id } }', { formId });
    expect([answer.status, codesIn(answer)]).toEqual([200, ['not_found']]);
  });

  it('rejects more than 100 tags and more than 100 nodes', async () => {
    const { id } = (await organization.post('/members', person())).json.data;
    const tags = times(101, () => newId('tag'));
    const change = 'mutation ($input: UpdateMemberTagsInput!) { updateMemberTags(input: $input) { tags { id } } }';
    const tooMany = await ask(change, { input: { id, add: tags } });
    expect([codesIn(tooMany), detailsIn(tooMany)]).toEqual([['invalid_request'], ['add']]);
    const both = await ask(change, { input: { id, add: tags.slice(0, 1), remove: tags.slice(0, 1) } });
    expect([codesIn(both), detailsIn(both)]).toEqual([['invalid_request'], ['remove']]);
    const nodes = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: tags });
    expect([nodes.json.data, codesIn(nodes)]).toEqual([{ nodes: null }, ['invalid_request']]);
  });
});
