import { randomUUID } from 'node:crypto';
import { expect, expectTypeOf, inject, it } from 'vitest';
import type { Client } from '../generated/hey-api/client/index.ts';
import type { CreateMemberError, Member, NewMember } from '../generated/hey-api/index.ts';
import { person, watchedFetch } from '../support/rest.ts';
import { tool } from '../support/tool.ts';

await tool('openapi-ts', '--input', '../../openapi.json', '--output', 'generated/hey-api', '--silent');
const sdk = await import('../generated/hey-api/index.ts');
const { createClient, createConfig } = await import('../generated/hey-api/client/index.ts');

const [, { key }] = inject('organizations').all;
const client = clientWith(key);

function clientWith(key: string): Client {
  return createClient(createConfig({ baseUrl: inject('prism'), auth: key, fetch: watchedFetch }));
}

async function createMember(body: NewMember, by = client): Promise<Member> {
  const { data } = await sdk.createMember({ client: by, body, throwOnError: true });
  return data.data;
}

async function findMembers(q: string): Promise<Member[]> {
  const members: Member[] = [];
  let cursor: string | null = null;
  do {
    const query: { q: string; limit: number; cursor?: string } = { q, limit: 2, ...(cursor && { cursor }) };
    const { data } = await sdk.listMembers({ client, query, throwOnError: true });
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
  const path = { object_id: created.id };
  const { data } = await sdk.updateMember({ client, path, body: { first_name: 'Nora', city: null } });
  expect(data?.data).toMatchObject({ first_name: 'Nora', gender: 'Female', city: null });
  expect((await sdk.getMember({ client, path })).data).toEqual(data);
  expectTypeOf<Member['gender']>().toEqualTypeOf<'Male' | 'Female' | 'Others' | null>();
  expectTypeOf<Member['last_name']>().toEqualTypeOf<string>();
  expectTypeOf<Member['date_of_birth']>().toEqualTypeOf<string | null>();
});

it('adds tags to a member and removes them', async () => {
  const demo = clientWith(inject('key'));
  const { data: tags } = await sdk.listTags({ client: demo, throwOnError: true });
  const ids = tags.data.slice(0, 2).map(({ id }) => id);
  const path = { object_id: (await createMember(person(), demo)).id };
  const added = await sdk.updateMemberTags({ client: demo, path, body: { add: ids } });
  expect(added.data?.data.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const removed = await sdk.updateMemberTags({ client: demo, path, body: { remove: ids } });
  expect(removed.data?.data).toEqual([]);
});

it('types every error of an operation, and the invalid fields of one', async () => {
  const { error } = await sdk.createMember({ client, body: { ...person(), phone_number: 'none' } });
  expectTypeOf<CreateMemberError['error']['code']>().toEqualTypeOf<
    | ('invalid_request' | 'invalid_json' | 'org_limit_reached' | 'member_exists')
    | ('idempotency_conflict' | 'idempotency_in_flight' | 'payload_too_large' | 'unsupported_media_type')
    | ('missing_api_key' | 'invalid_api_key' | 'key_revoked' | 'key_expired' | 'missing_scope' | 'rate_limited')
    | ('internal_error' | 'unavailable')
  >();
  const problem = error?.error;
  expect(problem?.code === 'invalid_request' && problem.details.map(({ field }) => field)).toEqual(['phone_number']);
});
