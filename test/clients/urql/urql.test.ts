import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { buildSchema, introspectionFromSchema, type OperationDefinitionNode, parse } from 'graphql';
import { expect, it, onTestFinished, vi } from 'vitest';
import { FOLLOW, submit } from '../support/changes.ts';
import { idsOf, MEMBERS, ROSTER } from '../support/lists.ts';
import { endpoint, headers, idsFromRest } from '../support/service.ts';
import { REPOSITORY } from '../support/tool.ts';

const sdl = await readFile(join(REPOSITORY, 'schema.graphql'), 'utf8');
const COOKBOOK = join(REPOSITORY, 'docs/cookbook');
/** The keys of types without an id, as the documentation computes them from the schema. */
const keysOf = new Function(
  'schema',
  `${/^```js\n([^`]*\bkeys\b[^`]*)```/m.exec(await readFile(join(REPOSITORY, 'docs/graphql.md'), 'utf8'))?.[1]}; return keys;`,
);
/** The recipes that end: the stream has a test of its own. */
const RECIPES = (await readdir(COOKBOOK)).filter((file) => file.endsWith('.graphql') && !file.startsWith('live-'));

const schema = introspectionFromSchema(buildSchema(sdl));

function urqlClient(sent: Record<string, string> = headers): Client {
  return new Client({
    url: endpoint,
    fetchOptions: { headers: sent },
    fetchSubscriptions: true,
    exchanges: [
      cacheExchange({
        schema,
        keys: keysOf(schema),
        resolvers: { Query: { members: relayPagination() }, Department: { members: relayPagination() } },
      }),
      fetchExchange,
    ],
  });
}

it('fetches two pages of a list and merges them, without a warning', async () => {
  const warn = vi.spyOn(console, 'warn');
  const client = urqlClient();
  const expected = await idsFromRest('members', 9);
  let after: string | undefined;
  for (const count of [3, 6, 9]) {
    const { data } = await client.query(MEMBERS, { first: 3, after });
    expect(idsOf(data?.members)).toEqual(expected.slice(0, count));
    after = data?.members.pageInfo.endCursor;
  }
  expect(warn).not.toHaveBeenCalled();
});

it('fetches two pages of a nested list and merges them', async () => {
  const client = urqlClient();
  const [id = ''] = await idsFromRest('departments', 1);
  let after: string | undefined;
  for (const count of [2, 4, 6]) {
    const { data } = await client.query(ROSTER, { id, first: 2, after });
    expect(idsOf(data?.node.members)).toHaveLength(count);
    expect(idsOf(data?.node.members)).toEqual(data?.node.memberIds.slice(0, count));
    after = data?.node.members.pageInfo.endCursor;
  }
});

it('receives a stream of changes', async () => {
  const received = new Map<string, string>();
  const client = new Client({
    url: endpoint,
    fetchOptions: { headers },
    fetchSubscriptions: true,
    exchanges: [fetchExchange],
  });
  const { unsubscribe } = client.subscription(FOLLOW, {}).subscribe(({ data, error }) => {
    expect(error).toBeUndefined();
    if (data) received.set(data.changes.id, data.changes.record.description);
  });
  const id = await submit('Rain for urql');
  await expect.poll(() => received.get(id), { timeout: 10_000 }).toBe('Rain for urql');
  unsubscribe();
});

it('receives the error code with status 401', async () => {
  const { error } = await urqlClient({ 'X-Api-Key': 'cms_wrong' }).query(MEMBERS, { first: 1 });
  expect(error?.response.status).toBe(401);
  expect(error?.graphQLErrors.map(({ extensions }) => extensions.code)).toEqual(['invalid_api_key']);
});

it.each(RECIPES.map((file) => [file.replace('.graphql', ''), file]))(
  'runs the recipe %s without a warning',
  async (name, file) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const query = await readFile(join(COOKBOOK, file), 'utf8');
    const variables = await readFile(join(COOKBOOK, `${name}.json`), 'utf8').catch(() => '{}');
    const { operation } = parse(query).definitions[0] as OperationDefinitionNode;
    const client = urqlClient();
    // Other tests create the member of the recipe.
    const input = JSON.parse(variables.replace('robin.field', randomUUID()));
    const { error } = await (operation === 'mutation' ? client.mutation(query, input) : client.query(query, input));
    expect(error).toBeUndefined();
    expect(warn.mock.calls).toEqual([]);
  },
);
