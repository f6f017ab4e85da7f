import { mkdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Listening, startGateway } from '../support/gateway.ts';
import { person } from '../support/rest.ts';
import { send } from '../support/service.ts';
import { tool, WORKSPACE } from '../support/tool.ts';

const FOLDER = `${WORKSPACE}/generated/mesh`;
const SUPERGRAPH = `${FOLDER}/supergraph.graphql`;
const key = inject('otherKey');

let gateway: Listening;
beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  await tool('mesh-compose', '--config-path', 'mesh/mesh.config.ts', '--output', SUPERGRAPH);
  gateway = await startGateway(await readFile(SUPERGRAPH, 'utf8'), {
    transportEntries: { community: { location: `${inject('address')}/v1` } },
  });
});
afterAll(() => gateway?.stop());

it('GraphQL Mesh creates a member through REST and finds it', async () => {
  const input = person();
  const created = await send<{ data: { createMember: { data: object } } }>(
    `mutation ($input: NewMember_Input!) {
      createMember(input: $input) { ... on createMember_201_response { data { id first_name email_address } } }
    }`,
    { input },
    { url: gateway.url, key },
  );
  const { first_name, email_address } = input;
  expect(created).toEqual({ data: { createMember: { data: { id: expect.any(String), first_name, email_address } } } });
  const found = await send(
    `query ($q: queryInput_listMembers_q) {
      listMembers(q: $q) { ... on listMembers_200_response { data { id first_name email_address } } }
    }`,
    { q: email_address },
    { url: gateway.url, key },
  );
  expect(found).toEqual({ data: { listMembers: { data: [created.data.createMember.data] } } });
});
