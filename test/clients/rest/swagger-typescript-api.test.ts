import { expect, expectTypeOf, inject, it } from 'vitest';
import type { Member } from '../generated/swagger-typescript-api/api.ts';
import { person, watchedFetch } from '../support/rest.ts';
import { tool } from '../support/tool.ts';

const output = 'generated/swagger-typescript-api';
await tool(
  'swagger-typescript-api',
  'generate',
  '--path',
  '../../openapi.json',
  '--output',
  output,
  '--name',
  'api.ts',
);
const { Api } = await import('../generated/swagger-typescript-api/api.ts');

const api = new Api({
  baseUrl: inject('prism'),
  baseApiParams: { headers: { 'X-Api-Key': inject('organizations').all[0].key } },
  customFetch: watchedFetch,
});

it('creates a member and finds it', async () => {
  const body = person();
  const { data: created } = await api.members.createMember(body);
  expect(created.data).toMatchObject(body);
  const { data: found } = await api.members.listMembers({ q: body.email_address });
  expect(found.data).toEqual([created.data]);
  expectTypeOf<Member['date_of_birth']>().toEqualTypeOf<string | null>();
});
