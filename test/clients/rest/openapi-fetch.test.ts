import { randomUUID } from 'node:crypto';
import createClient, { type Client } from 'openapi-fetch';
import { expect, expectTypeOf, inject, it } from 'vitest';
import type { components, paths } from '../generated/openapi-typescript/openapi.d.ts';
import { person, watchedFetch } from '../support/rest.ts';
import { tool } from '../support/tool.ts';

type Member = components['schemas']['Member'];

await tool('openapi-typescript', '../../openapi.json', '--output', 'generated/openapi-typescript/openapi.d.ts');

const client = clientWith(inject('otherKey'));

function clientWith(key: string): Client<paths> {
  return createClient<paths>({ baseUrl: inject('prism'), headers: { 'X-Api-Key': key }, fetch: watchedFetch });
}

async function createMember(fields: components['schemas']['NewMember']): Promise<Member> {
  const { data, error } = await client.POST('/members', { body: fields });
  if (error) throw new Error(error.error.message);
  return data.data;
}

async function findMembers(q: string): Promise<Member[]> {
  const members: Member[] = [];
  let cursor: string | null = null;
  do {
    const query: { q: string; limit: number; cursor?: string } = { q, limit: 2, ...(cursor && { cursor }) };
    const { data, error } = await client.GET('/members', { params: { query } });
    if (error) throw new Error(error.error.message);
    members.push(...data.data);
    cursor = data.pagination.next_cursor;
  } while (cursor !== null);
  return members;
}

it('fetches all pages of a list', async () => {
  const last_name = `Page${randomUUID()}`;
  const created: Member[] = [];
  for (let n = 0; n < 5; n++) created.push(await createMember({ ...person(), last_name }));
  expect(await findMembers(last_name)).toEqual(created);
});

it('creates, reads and changes a member, with correct nullability', async () => {
  const created = await createMember({ ...person(), gender: 'Female', city: 'Takoma Park' });
  const params = { path: { object_id: created.id } };
  const { data } = await client.PATCH('/members/{object_id}', { params, body: { first_name: 'Nora', city: null } });
  expect(data?.data).toMatchObject({ first_name: 'Nora', gender: 'Female', city: null });
  expect((await client.GET('/members/{object_id}', { params })).data).toEqual(data);
  expectTypeOf(created.gender).toEqualTypeOf<'Male' | 'Female' | 'Others' | null>();
  expectTypeOf(created.last_name).toEqualTypeOf<string>();
  expectTypeOf(created.date_of_birth).toEqualTypeOf<string | null>();
});

it('passes If-Match and Idempotency-Key', async () => {
  const once = { params: { header: { 'Idempotency-Key': randomUUID() } }, body: person() };
  const { data, response } = await client.POST('/members', once);
  const path = { object_id: data?.data.id ?? '' };
  expect((await client.POST('/members', once)).data).toEqual(data);
  const change = (city: string) => {
    const header = { 'If-Match': response.headers.get('etag') ?? '' };
    return client.PATCH('/members/{object_id}', { params: { path, header }, body: { city } });
  };
  expect((await change('Riverton')).response.status).toBe(200);
  expect((await change('Lakeside')).error?.error.code).toBe('precondition_failed');
});

it('reads forms with their responses', async () => {
  const demo = clientWith(inject('key'));
  const forms = await demo.GET('/forms', { params: { query: { limit: 100 } } });
  const [form] = forms.data?.data.filter(({ fields }) => fields.some(({ options }) => options)) ?? [];
  expectTypeOf(form?.fields[0]?.options).toEqualTypeOf<{ value: string; active: boolean }[] | null | undefined>();
  const params = { path: { form_id: form?.id ?? 0 } };
  const responses = await demo.GET('/forms/{form_id}/responses', { params });
  const [response] = responses.data?.data ?? [];
  expect(response?.form_id).toBe(form?.id);
});

it('types every error of an operation, and the invalid fields of one', async () => {
  const { error } = await client.POST('/members', { body: { ...person(), phone_number: 'none' } });
  expectTypeOf(error?.error.code).toEqualTypeOf<
    | undefined
    | ('invalid_request' | 'invalid_json' | 'org_limit_reached' | 'member_exists')
    | ('idempotency_conflict' | 'idempotency_in_flight' | 'payload_too_large' | 'unsupported_media_type')
    | ('missing_api_key' | 'invalid_api_key' | 'key_revoked' | 'key_expired' | 'missing_scope' | 'rate_limited')
    | ('internal_error' | 'unavailable')
  >();
  const problem = error?.error;
  expect(problem?.code === 'invalid_request' && problem.details.map(({ field }) => field)).toEqual(['phone_number']);
});

/** Expects an operation to fail with a code of its error type; other codes do not compile. */
function refused<Code extends string>(
  status: number,
  code: NoInfer<Code>,
  ask: () => Promise<{ data?: unknown; error?: { error: { code: Code } }; response: Response }>,
): void {
  it(`receives ${code}`, async () => {
    const { data, error, response } = await ask();
    expect([response.status, error?.error.code, data]).toEqual([status, code, undefined]);
  });
}

refused(400, 'invalid_cursor', () => client.GET('/members', { params: { query: { cursor: 'nowhere' } } }));
refused(404, 'not_found', () => client.GET('/prayer-requests/{id}', { params: { path: { id: 'pry_unknown' } } }));
refused(409, 'member_exists', async () => {
  const body = person();
  await createMember(body);
  return client.POST('/members', { body });
});
