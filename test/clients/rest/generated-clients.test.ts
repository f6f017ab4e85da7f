import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setConfig } from '@kubb/plugin-client/clients/fetch';
import { Validator } from '@seriousme/openapi-schema-validator';
import { generate } from 'orval';
import { expect, expectTypeOf, inject, it } from 'vitest';
import type { Member as HeyApiMember } from '../generated/hey-api/index.ts';
import type { Member as KubbMember } from '../generated/kubb/index.ts';
import type { Member as NgMember } from '../generated/ng-openapi-gen-3.1/models/member.ts';
import type { Member as CodegenMember } from '../generated/openapi-typescript-codegen/index.ts';
import type { Member as OrvalMember } from '../generated/orval/client.ts';
import type { Member as SwaggerMember } from '../generated/swagger-typescript-api/api.ts';
import { DESCRIPTION, DESCRIPTION_3_0 } from '../support/prism.ts';
import { person, watchedFetch } from '../support/rest.ts';
import { tool, WORKSPACE } from '../support/tool.ts';

const baseUrl = inject('prism');
const key = inject('otherKey');
const headers = { 'X-Api-Key': key };

/** Creates a member with a generated client, and finds it by its email address. */
async function createAndFind(
  create: (body: ReturnType<typeof person>) => Promise<object>,
  find: (q: string) => Promise<object[]>,
): Promise<void> {
  const body = person();
  const created = await create(body);
  expect(created).toMatchObject(body);
  expect(await find(body.email_address)).toEqual([created]);
}

it('Hey API creates a member and finds it', async () => {
  await tool('openapi-ts', '--input', DESCRIPTION, '--output', 'generated/hey-api', '--silent');
  const { createMember, listMembers } = await import('../generated/hey-api/index.ts');
  const { client } = await import('../generated/hey-api/client.gen.ts');
  client.setConfig({ baseUrl, auth: key, fetch: watchedFetch });
  await createAndFind(
    async (body) => (await createMember({ body, throwOnError: true })).data.data,
    async (q) => (await listMembers({ query: { q }, throwOnError: true })).data.data,
  );
  expectTypeOf<HeyApiMember['date_of_birth']>().toEqualTypeOf<string | null>();
});

it('Hey API passes If-Match and Idempotency-Key', async () => {
  const { createMember, updateMember } = await import('../generated/hey-api/index.ts');
  const once = { body: person(), headers: { 'Idempotency-Key': crypto.randomUUID() } };
  const { data, response } = await createMember(once);
  expect((await createMember(once)).data).toEqual(data);
  const change = (city: string) =>
    updateMember({
      path: { object_id: data?.data.id ?? '' },
      body: { city },
      headers: { 'If-Match': response?.headers.get('etag') ?? '' },
    });
  expect((await change('Riverton')).error).toBeUndefined();
  expect((await change('Lakeside')).error).toMatchObject({ error: { code: 'precondition_failed' } });
});

it('Kubb creates a member and finds it', async () => {
  await tool('kubb', 'generate', '--config', 'rest/kubb.config.ts');
  const { createMember, listMembers } = await import('../generated/kubb/index.ts');
  // Kubb's `fetch` client sends JSON without a content type.
  setConfig({ baseURL: baseUrl, headers: { ...headers, 'Content-Type': 'application/json' } });
  await createAndFind(
    async (body) => (await createMember(body)).data,
    async (q) => (await listMembers({ q })).data,
  );
  expectTypeOf<KubbMember['date_of_birth']>().toEqualTypeOf<string | null>();
});

it('orval creates a member and finds it', async () => {
  const output = { target: 'generated/orval/client.ts', client: 'fetch', baseUrl } as const;
  await generate({ input: { target: DESCRIPTION }, output }, WORKSPACE);
  const { createMember, listMembers } = await import('../generated/orval/client.ts');
  const successOf = <Data>(response: { status: number; data: { data: Data } | { error: { message: string } } }) => {
    if ('error' in response.data) throw new Error(response.data.error.message);
    return response.data.data;
  };
  await createAndFind(
    async (body) => successOf(await createMember(body, { headers })),
    async (q) => successOf(await listMembers({ q }, { headers })),
  );
  expectTypeOf<OrvalMember['date_of_birth']>().toEqualTypeOf<string | null>();
});

it('swagger-typescript-api creates a member and finds it', async () => {
  const output = ['--output', 'generated/swagger-typescript-api', '--name', 'api.ts'];
  await tool('swagger-typescript-api', 'generate', '--path', DESCRIPTION, ...output);
  const { Api } = await import('../generated/swagger-typescript-api/api.ts');
  const { members } = new Api({ baseUrl, baseApiParams: { headers }, customFetch: watchedFetch });
  await createAndFind(
    async (body) => (await members.createMember(body)).data.data,
    async (q) => (await members.listMembers({ q })).data.data,
  );
  expectTypeOf<SwaggerMember['date_of_birth']>().toEqualTypeOf<string | null>();
});

it('openapi-zod-client creates a member and finds it, and validates requests and responses', async () => {
  await mkdir(`${WORKSPACE}/generated/openapi-zod-client`, { recursive: true });
  await tool('openapi-zod-client', DESCRIPTION, '--output', 'generated/openapi-zod-client/client.ts');
  const { createApiClient } = await import('../generated/openapi-zod-client/client.ts');
  const client = createApiClient(baseUrl, { axiosConfig: { headers } });
  await createAndFind(
    async (body) => (await client.createMember(body)).data,
    async (q) => (await client.listMembers({ queries: { q } })).data,
  );
  type Created = Awaited<ReturnType<typeof client.createMember>>['data'];
  expectTypeOf<Created['date_of_birth']>().toEqualTypeOf<string | null>();
});

it('the description in OpenAPI 3.0 is valid, and has the same operations', async () => {
  const [is31, is30] = (await Promise.all([DESCRIPTION, DESCRIPTION_3_0].map((path) => readFile(path, 'utf8')))).map(
    (text) => JSON.parse(text),
  );
  expect(await new Validator().validate(structuredClone(is30))).toEqual({ valid: true });
  expect(is30.openapi).toBe('3.0.3');
  const operationsOf = ({ paths }: { paths: Record<string, Record<string, { operationId?: string }>> }) =>
    Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  expect(operationsOf(is30)).toEqual(operationsOf(is31));
});

it('openapi-typescript-codegen creates a member and finds it, by the description in OpenAPI 3.0', async () => {
  await tool('openapi', '--input', DESCRIPTION_3_0, '--output', 'generated/openapi-typescript-codegen', '--useOptions');
  const { MembersService, OpenAPI } = await import('../generated/openapi-typescript-codegen/index.ts');
  Object.assign(OpenAPI, { BASE: baseUrl, HEADERS: headers });
  await createAndFind(
    async (requestBody) => (await MembersService.createMember({ requestBody })).data,
    async (q) => (await MembersService.listMembers({ q })).data,
  );
  expectTypeOf<CodegenMember['date_of_birth']>().toEqualTypeOf<string | null>();
});

it.each([
  ['3.1', DESCRIPTION],
  ['3.0', DESCRIPTION_3_0],
])(
  'ng-openapi-gen generates types and a constant for each order, by the description in OpenAPI %s',
  async (version, input) => {
    await tool(
      'ng-openapi-gen',
      '--input',
      input,
      '--output',
      `generated/ng-openapi-gen-${version}`,
      '--enumStyle',
      'pascal',
    );
    const path = join(WORKSPACE, `generated/ng-openapi-gen-${version}/models/members-order.ts`);
    expect(await readFile(path, 'utf8')).toContain("name_desc = '-name'");
    expectTypeOf<NgMember['date_of_birth']>().toEqualTypeOf<string | null>();
  },
);
