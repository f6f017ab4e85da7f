import { generate } from 'orval';
import { expect, expectTypeOf, inject, it } from 'vitest';
import type { Member } from '../generated/orval/client.ts';
import { person } from '../support/rest.ts';
import { WORKSPACE } from '../support/tool.ts';

await generate(
  {
    input: { target: '../../openapi.json' },
    output: { target: 'generated/orval/client.ts', client: 'fetch', baseUrl: inject('prism') },
  },
  WORKSPACE,
);
const { createMember, listMembers } = await import('../generated/orval/client.ts');

const headers = { 'X-Api-Key': inject('organizations').all[0].key };

it('creates a member and finds it', async () => {
  const body = person();
  const created = await createMember(body, { headers });
  if (created.status !== 201) throw new Error(created.data.error.message);
  expect(created.data.data).toMatchObject(body);
  const found = await listMembers({ q: body.email_address }, { headers });
  if (found.status !== 200) throw new Error(found.data.error.message);
  expect(found.data.data).toEqual([created.data.data]);
  expectTypeOf<Member['date_of_birth']>().toEqualTypeOf<string | null>();
});
