import { beforeAll, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { openApiDocument } from '../../../src/rest/openapi/document.ts';
import { appOn } from '../../support/apps.ts';
import { client, type TestClient } from '../../support/client.ts';
import { demoStore } from '../../support/stores/demo-store.ts';

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: object } } };
  readonly responses: Record<
    string,
    { readonly content?: { readonly 'application/json': { readonly example: Body } } }
  >;
}
interface Body {
  readonly data: Fields | readonly Fields[];
}
type Fields = Record<string, unknown>;

const paths: Record<string, Record<string, Operation>> = JSON.parse(openApiDocument()).paths;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

const openDemo = demoStore();
let app: App;
let demo: TestClient;

beforeAll(async () => {
  const { store, key } = await openDemo();
  app = appOn({ store }, {});
  demo = client(app, key);
});

it('responds to the request of the start page with the member of the example of the list', async () => {
  const page = await (await app.fetch(new Request('http://service.test/'))).text();
  const [, path = ''] = /http:\/\/service\.test\/v1([^&]+)/.exec(page) ?? [];
  const list = operations.find(({ operation }) => operation.operationId === 'listMembers');
  const [, example] = successOf((list as (typeof operations)[number]).operation);
  expect((await demo.get(path)).json.data).toEqual((example.data as readonly Fields[]).slice(0, 1));
});

// Reads come first, before other requests change the organization.
const inOrder = operations.toSorted((one, other) => Number(one.method !== 'GET') - Number(other.method !== 'GET'));

it.each(inOrder.map((each) => [each.operation.operationId, each] as const))(
  'responds to the example request of %s with the example response',
  async (_, { path, method, operation }) => {
    const [status, example] = successOf(operation);
    const body = operation.requestBody?.content['application/json'].example;
    const answer = await (body
      ? demo.request(method, fill(path, operation), { body: JSON.stringify(body), headers: JSON_BODY })
      : demo.request(method, fill(path, operation)));
    expect(answer.status).toBe(status);
    if (method !== 'GET') expect(answer.json).toMatchObject(withoutGenerated(example));
    else if (!Array.isArray(example.data)) expect(answer.json).toEqual(example);
    else expect(answer.json.data).toEqual(expect.arrayContaining(example.data.map(withoutTime)));
  },
);

const JSON_BODY = { 'Content-Type': 'application/json' };

function successOf({ responses }: Operation): [number, Body] {
  const [status, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return [Number(status), response?.content?.['application/json'].example as Body];
}

function fill(path: string, { parameters = [] }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return String(parameter?.example);
  });
}

/** Removes the time of a change, which is the time when the demo was created. */
function withoutTime({ at, ...record }: Fields): object {
  return at === undefined ? record : { ...record, at: expect.any(String) };
}

/** Removes ids and times, which differ in every run. */
function withoutGenerated({ data }: Body): object {
  if (Array.isArray(data)) return { data };
  const { id, created_at, updated_at, submitted_at, ...fields } = data as Fields;
  return { data: fields };
}
