import { setConfig } from '@kubb/plugin-client/clients/fetch';
import { expect, expectTypeOf, inject, it } from 'vitest';
import type { Member } from '../generated/kubb/index.ts';
import { person } from '../support/rest.ts';
import { tool } from '../support/tool.ts';

await tool('kubb', 'generate', '--config', 'rest/kubb.config.ts');
const { createMember, listMembers } = await import('../generated/kubb/index.ts');

setConfig({
  baseURL: inject('prism'),
  // Kubb's `fetch` client sends JSON without a content type.
  headers: { 'X-Api-Key': inject('organizations').all[0].key, 'Content-Type': 'application/json' },
});

it('creates a member and finds it', async () => {
  const body = person();
  const created = await createMember(body);
  expect(created.data).toMatchObject(body);
  const found = await listMembers({ q: body.email_address });
  expect(found.data).toEqual([created.data]);
  expectTypeOf<Member['date_of_birth']>().toEqualTypeOf<string | null>();
});
