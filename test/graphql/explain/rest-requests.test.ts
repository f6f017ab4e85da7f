import { beforeAll, describe, expect, it } from 'vitest';
import { readCookbook } from '../../../src/graphql/graphiql/cookbook.ts';
import { toGraphQL } from '../../../src/graphql/translation/to-graphql.ts';
import { expandPath } from '../../../src/http/request/rest-request.ts';
import { readDescription } from '../../../src/pages/reference/rest/description.ts';
import { sampleRequest } from '../../../src/pages/reference/rest/operation.ts';
import { openApiDocument } from '../../../src/rest/openapi/document.ts';
import { toOperationCall } from '../../../src/rest/operation-calls.ts';
import { appOn } from '../../support/apps.ts';
import { client, type TestClient } from '../../support/client.ts';
import { type GraphQLClient, graphql } from '../../support/graphql.ts';
import { demoStore } from '../../support/stores/demo-store.ts';

// biome-ignore lint/suspicious/noExplicitAny: data of every shape
type Data = any;

const openDemo = demoStore();
let rest: TestClient;
let ask: GraphQLClient;
beforeAll(async () => {
  const { store, key } = await openDemo();
  const app = appOn({ store }, {});
  rest = client(app, key);
  ask = graphql(app, key);
});

const explained = async (query: string, variables: Record<string, unknown> = {}): Promise<Data> =>
  (await ask(query, variables, { Explain: 'true' })).json.extensions.explain;

describe('the GraphQL operation of a REST request is explained as this request', () => {
  // The organization is a part of `viewer`, which also returns the key, unlike REST.
  const operations = readDescription(openApiDocument()).operations.filter(({ id }) => id !== 'getOrganization');

  it.each(operations.map((operation) => [operation.id, operation] as const))('for %s', async (id, operation) => {
    const request = sampleRequest(operation);
    const call = await toOperationCall({ operationId: id, ...request });
    const translated = call && toGraphQL(call);
    if (!translated) throw new Error(`${id} has no GraphQL operation`);
    const { cost, rest } = await explained(translated.query, { ...translated.variables });
    const { limit } = request.parameters;
    const path = `${expandPath(operation.path, request.parameters)}${limit === undefined ? '' : `?limit=${limit}`}`;
    const { body } = request;
    expect(rest.requests.at(-1)).toMatchObject({ method: operation.method, path, ...(body ? { body } : {}) });
    expect(rest.notExpressed).toEqual([]);
    // The responses of a form and the tags of a member are nested lists in GraphQL, which cost one point more.
    expect(cost).toBe(['listFormResponses', 'getMemberTags'].includes(id) ? 2 : 1);
  });

  it.each([
    ['submitFormResponse', { form_id: '1' }, { answers: { '01': 'a@example.org' } }],
    ['submitFormResponse', { form_id: '01' }, { answers: { 1: 'a@example.org' } }],
    ['getFormResponse', { form_id: '01', response_id: 'frs_x' }, undefined],
  ])('except for %s with an id that is not written as an integer', async (id, parameters, body) => {
    const call = await toOperationCall({ operationId: id, parameters, body });
    expect(call && toGraphQL(call)).toBeUndefined();
  });
});

const cookbook = (await readCookbook()).filter(({ query }) => !/^subscription/m.test(query));

it.each(cookbook)('the REST requests of the recipe $name return its records', async ({ query, variables = '{}' }) => {
  const { rest: translation } = await explained(query, JSON.parse(variables));
  const [first] = translation.requests;
  if (first.method !== 'GET') {
    expect(first.body).toBeDefined();
    return;
  }
  const { data, errors } = (await ask(query, JSON.parse(variables))).json;
  expect(errors).toBeUndefined();
  for (const { field, path } of translation.requests) {
    const records = (await rest.get(path.slice('/v1'.length))).json;
    const value = field.reduce((one: Data, name: string) => one[name], data);
    const nodes = value.nodes ?? value.edges?.map(({ node }: Data) => node) ?? [value];
    // The id of a form is a number in REST.
    const ids = (list: Data[]) => list.map((one) => String(one.formId ?? one.id).replace(/^form_/, ''));
    // Some recipes do not select the id that they pass as a variable.
    if ('id' in nodes[0]) expect(ids(nodes)).toEqual(ids([records.data].flat()));
    else expect(nodes[0].title).toBe(records.data.title);
    if (value.totalCount === undefined) continue;
    // REST counts only lists with the count parameter.
    const isCounted = !translation.notExpressed.some((one: Data) => one.field.join() === `${field},totalCount`);
    expect(isCounted ? value.totalCount : undefined).toBe(records.pagination.total_count);
  }
});

it('pages from the end of a list are not in REST', async () => {
  const query =
    '{ members(last: 2) { nodes { id } } tags(last: 2) { nodes { id } } form(id: "1") { responses(last: 2) { nodes { id } } } }';
  const noPages = 'REST has no pages from the end of a list (`last`, `before`)';
  expect((await explained(query)).rest.notExpressed).toEqual([
    { field: ['members'], message: `${noPages}; \`order_by=-…\` reverses the order.` },
    { field: ['tags'], message: `${noPages}; \`order_by=-…\` reverses the order.` },
    { field: ['form', 'responses'], message: `${noPages}.` },
  ]);
});

it('records by id have one request each, if REST needs no more than the id', async () => {
  const ids = ['form_7', 'frs_01j0000000000000000000000d', 'unknown', 'form_8'];
  const { rest } = await explained('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
  expect(rest.requests.map(({ path }: Data) => path)).toEqual(['/v1/forms/7', '/v1/forms/8']);
  expect(rest.notExpressed).toMatchObject([{ field: ['nodes'] }]);
});

it('fields with invalid arguments have no request', async () => {
  const query = `mutation { submitFormResponse(input: { formId: 1, answers: [{ fieldId: 1 }, { fieldId: 1 }] }) { record { id } } }`;
  expect((await explained(query)).rest).toEqual({ requests: [], notExpressed: [] });
  expect((await explained('{ tags(first: 0) { nodes { id } } }')).rest).toEqual({ requests: [], notExpressed: [] });
});

it('the requests of many mutations with large input are limited in size', async () => {
  const field = (n: number) => `m${n}: submitPrayerRequest(input: $input) { prayerRequest { id } }`;
  const fields = Array.from({ length: 55 }, (_, n) => field(n));
  const query = `mutation ($input: SubmitPrayerRequestInput!) { ${fields.join(' ')} }`;
  const explanation = await explained(query, { input: { description: 'x'.repeat(9_000) } });
  const { requests, notExpressed } = explanation.rest;
  expect([explanation.cost, requests.length + notExpressed.length]).toEqual([55, 55]);
  expect(JSON.stringify(explanation).length).toBeLessThan(250_000);
});

it.each([
  ['node(id: "xyz") { id }', ['node']],
  ['nodes(ids: ["xyz", "a@example.org"]) { id }', ['nodes']],
])('states that an id is of no known resource: %s', async (query, field) => {
  expect((await explained(`{ ${query} }`)).rest).toEqual({
    requests: [],
    notExpressed: [{ field, message: expect.stringMatching(/^No id is of a known resource; ids begin with \w+_, /) }],
  });
});

it('states that REST needs more than the id of a form response', async () => {
  const { rest } = await explained('{ node(id: "frs_01j00000000000000000000001") { id } }');
  expect(rest.notExpressed).toEqual([
    { field: ['node'], message: 'REST needs more than the id for this type of record.' },
  ]);
});
