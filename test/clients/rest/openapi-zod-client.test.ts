import { mkdir } from 'node:fs/promises';
import { expect, expectTypeOf, inject, it } from 'vitest';
import { person } from '../support/rest.ts';
import { tool, WORKSPACE } from '../support/tool.ts';

await mkdir(`${WORKSPACE}/generated/openapi-zod-client`, { recursive: true });
await tool('openapi-zod-client', '../../openapi.json', '--output', 'generated/openapi-zod-client/client.ts');
const { createApiClient } = await import('../generated/openapi-zod-client/client.ts');

/** A client that validates requests and responses with the generated Zod schemas. */
const client = createApiClient(inject('prism'), {
  axiosConfig: { headers: { 'X-Api-Key': inject('organizations').all[0].key } },
});

it('creates a member and finds it', async () => {
  const body = person();
  const created = await client.createMember(body);
  expect(created.data).toMatchObject(body);
  const found = await client.listMembers({ queries: { q: body.email_address } });
  expect(found.data).toEqual([created.data]);
  expectTypeOf(created.data.date_of_birth).toEqualTypeOf<string | null>();
});
