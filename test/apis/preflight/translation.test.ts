import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { seedDemo } from '../../../src/demo/demo.ts';
import { readCookbook } from '../../../src/graphql/graphiql/cookbook.ts';
import { openApiDocument } from '../../../src/rest/openapi/document.ts';
import { routes } from '../../../src/rest/routes.ts';
import { appOn } from '../../support/apps.ts';
import { client, type TestClient } from '../../support/client.ts';
import { type GraphQLClient, graphql } from '../../support/graphql.ts';
import { temporaryStores } from '../../support/stores/directories.ts';

const PREFLIGHT = { Preflight: 'true' };
const JSON_BODY = { 'Content-Type': 'application/json' };
// biome-ignore lint/suspicious/noExplicitAny: data of every shape
type Data = any;

const stores = temporaryStores();
let rest: TestClient;
let ask: GraphQLClient;

beforeAll(async () => {
  const store = await stores.open();
  const { key } = await seedDemo(store, await stores.folder(), 'test');
  const app = appOn({ store }, {});
  rest = client(app, key);
  ask = graphql(app, key);
});

const { paths } = JSON.parse(openApiDocument());

/** The request of each route in the OpenAPI document, and lists with parameters. */
const REQUESTS: readonly (readonly [method: string, path: string, body?: object])[] = [
  ...routes.map(({ method, path }) => {
    const { parameters = [], requestBody } = paths[path][method.toLowerCase()];
    const filled = path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => parameters.find((one: Data) => one.name === name).example,
    );
    return [method, filled as string, requestBody?.content['application/json'].example] as const;
  }),
  ['GET', '/members?q=okafor&limit=2&order_by=-name&count=true'],
  ['GET', '/members?is_guest=false&department_id=dep_01j00000000000000000000001&updated_since=2026-01-01T00:00:00Z'],
  ['GET', '/events?from=2026-02-01&until=2026-02-28&order_by=date'],
  ['GET', '/forms/1/responses?limit=1'],
  ['GET', '/changes?resources=tags,forms&limit=3'],
];

it.each(REQUESTS.map(([method, path, body]) => [method, path, { body }] as const))(
  '%s %s returns the same data through its GraphQL operation, which translates back to it',
  async (method, path, { body }) => {
    const send = (headers: Record<string, string>) =>
      rest.request(
        method,
        path,
        body ? { body: JSON.stringify(body), headers: { ...JSON_BODY, ...headers } } : { headers },
      );
    const { graphql: translated, cost, max_records } = (await send(PREFLIGHT)).json.preflight;
    const back = (await ask(translated.query, translated.variables, PREFLIGHT)).json.extensions.preflight;
    // Only the responses of a form are a nested list in GraphQL, which costs one point more.
    expect(back.cost).toBe(cost + (/^\/forms\/\d+\/responses\b(?!\/)/.test(path) && method === 'GET' ? 1 : 0));
    expect(back.maxRecords === null).toBe(max_records === null);
    const [request] = back.rest.requests.slice(-1);
    expect([request.method, comparablePath(request.path)]).toEqual([method, comparablePath(`/v1${path}`)]);
    expect(request.body).toEqual(body);
    expect(back.rest.notExpressed).toEqual([]);
    expect(back.refusals).toEqual([]);

    // A member can be created only once.
    const { variables } = translated;
    if (path === '/members' && body) variables.input = { ...variables.input, emailAddress: 'another@example.org' };
    const { data, errors } = (await ask(translated.query, variables)).json;
    expect(errors).toBeUndefined();
    const { json } = await send({});
    expect(withoutNew(restBodyOf(data))).toEqual(withoutNew(json));
  },
);

it.each([
  ['POST', '/forms/1/responses', { answers: { '01': 'a@example.org' } }],
  ['POST', '/forms/1/responses', { answers: { '1.0': 'a@example.org' } }],
  ['POST', '/forms/1/responses', { answers: { 1: 'a@example.org', email: 'a@example.org' } }],
  ['POST', '/forms/01/responses', { answers: { 1: 'a@example.org' } }],
  ['GET', '/forms/01/responses/frs_01j00000000000000000000001', undefined],
])('%s %s with %j has no GraphQL operation, because an id is not an integer', async (method, path, body) => {
  const headers = { ...PREFLIGHT, ...(body && JSON_BODY) };
  const { status, json } = await rest.request(method, path, { headers, ...(body && { body: JSON.stringify(body) }) });
  expect(status).toBe(200);
  expect(json.preflight.graphql).toBeNull();
});

const cookbook = await readCookbook();

it.each(cookbook)(
  'the translated requests of the recipe $name return its records',
  async ({ query, variables = '{}' }) => {
    const { rest: translation, refusals } = (await ask(query, JSON.parse(variables), PREFLIGHT)).json.extensions
      .preflight;
    expect([refusals, translation.requests.length > 0]).toEqual([[], true]);
    const [first] = translation.requests;
    if (first.method !== 'GET') {
      const write = { body: JSON.stringify(first.body), headers: { ...JSON_BODY, ...PREFLIGHT } };
      const { preflight } = (await rest.request(first.method, first.path.slice('/v1'.length), write)).json;
      expect([preflight.refusal, preflight.graphql.variables]).toEqual([null, JSON.parse(variables)]);
      return;
    }
    const { data, errors } = (await ask(query, JSON.parse(variables))).json;
    expect(errors).toBeUndefined();
    for (const { field, path } of translation.requests) {
      const records = (await rest.get(path.slice('/v1'.length))).json;
      const value = field.reduce((one: Data, name: string) => one[name], data);
      const nodes = value.nodes ?? value.edges?.map(({ node }: Data) => node) ?? [value];
      const ids = (list: Data[]) => list.map((one) => one.formId ?? one.id);
      // Recipes do not select the id of a form that they pass as a variable.
      if (ids(nodes)[0] === undefined) expect(nodes[0].title).toBe(records.data.title);
      else expect(ids(nodes)).toEqual(ids([records.data].flat()));
      if (value.totalCount === undefined) continue;
      // REST counts only lists with the count parameter.
      const isCounted = !translation.notExpressed.some((one: Data) => one.field.join() === `${field},totalCount`);
      expect(isCounted ? value.totalCount : undefined).toBe(records.pagination.total_count);
    }
  },
);

it('docs/preflight.md shows the actual response', async () => {
  const page = await readFile('docs/preflight.md', 'utf8');
  const [ofRest, ofGraphQL] = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => JSON.parse(text));
  const path = /'http:\/\/127\.0\.0\.1:4000\/v1(.*?)'/.exec(page)?.[1] ?? '';
  expect(withoutRateLimit((await rest.get(path, PREFLIGHT)).json.preflight)).toEqual(
    withoutRateLimit(ofRest.preflight),
  );
  const { query } = JSON.parse(/-d '(.*?)'/.exec(page)?.[1] ?? '');
  const { data, extensions } = (await ask(query, undefined, PREFLIGHT)).json;
  expect(data).toEqual(ofGraphQL.data);
  expect(withoutRateLimit(extensions.preflight)).toEqual(withoutRateLimit(ofGraphQL.extensions.preflight));
});

/** The rate limit depends on the key and the time; only its property names are compared. */
function withoutRateLimit({ rate_limit, rateLimit, ...preflight }: Data): Data {
  return { ...preflight, rateLimit: Object.keys(rate_limit ?? rateLimit) };
}

/** A path with its parameters sorted. */
function comparablePath(path: string): string {
  const url = new URL(path, 'http://service.test');
  url.searchParams.sort();
  return url.href;
}

/** Removes ids and times of new records, and the values that differ between two members. */
function withoutNew(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value) =>
      /^(email_address|created_at|updated_at|submitted_at|next_cursor)$/.test(name) && typeof value === 'string'
        ? name
        : value,
    ).replaceAll(/\b[a-z]{3}_(?!01j0000000)\w{26}/g, 'new id'),
  );
}

/** The REST body, built from the data of a translated operation. */
function restBodyOf(data: Data): unknown {
  const [root] = Object.values<Data>(data);
  const value = root.responses ?? root;
  if (value.nodes) {
    const { nodes, pageInfo, totalCount } = value;
    const isFeed = nodes[0]?.operation !== undefined;
    const pagination = {
      next_cursor: pageInfo.hasNextPage || isFeed ? pageInfo.endCursor : null,
      has_more: pageInfo.hasNextPage,
      ...(totalCount === undefined ? {} : { total_count: totalCount }),
    };
    const changeId = ({ id, ...change }: Data) => ({ ...change, id: id.replace(/^form_/, '') });
    return { data: nodes.map(isFeed ? changeId : restRecordOf), pagination };
  }
  const [payload] = Object.values<Data>(root);
  const isPayload = Object.keys(root).length === 1;
  if (!isPayload) return { data: restRecordOf(root) };
  return { data: Array.isArray(payload) ? payload.map(restRecordOf) : restRecordOf(payload) };
}

function restRecordOf(value: Data): Data {
  if (Array.isArray(value)) return value.map(restRecordOf);
  if (value === null || typeof value !== 'object') return value;
  const { headOfDepartment: head, answers, formId, fieldId, ...others } = value;
  const snake = Object.entries(others).map(([name, one]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    restRecordOf(one),
  ]);
  return {
    ...Object.fromEntries(snake),
    ...(head !== undefined && { head_of_department: head && `${head.firstName} ${head.lastName}` }),
    ...(answers && {
      form_id: formId,
      answers: Object.fromEntries(answers.map((one: Data) => [one.fieldId, one.value])),
    }),
    ...(formId !== undefined && !answers && { id: formId }),
    ...(fieldId !== undefined && { id: fieldId }),
  };
}
