import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { generatePersistedQueryIdsFromManifest } from '@apollo/persisted-query-lists';
import { Client, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { parse } from 'graphql';
import { Environment, fetchQuery, Network, RecordSource, Store } from 'relay-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idsOf, MEMBERS } from '../support/lists.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { endpoint, headers, idsFromRest } from '../support/service.ts';
import { tool, WORKSPACE } from '../support/tool.ts';

const GENERATED = join(WORKSPACE, 'generated/persisted');
const APOLLO_MANIFEST = join(GENERATED, 'apollo.json');
const RELAY_LIST = join(GENERATED, 'relay.json');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** `fetch`, which keeps the bodies that were sent and the statuses that came back. */
function keptFetch() {
  const bodies: Record<string, unknown>[] = [];
  const statuses: number[] = [];
  const kept: typeof fetch = async (url, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    const response = await fetch(url, init);
    statuses.push(response.status);
    return response;
  };
  return { fetch: kept, bodies, statuses };
}

function apolloClient(uri: string, key: string, persisted: ApolloLink, fetchLike: typeof fetch): ApolloClient {
  const http = new HttpLink({ uri, headers: { 'X-Api-Key': key }, fetch: fetchLike });
  return new ApolloClient({ link: ApolloLink.from([persisted, http]), cache: new InMemoryCache() });
}

describe('where only listed operations run', () => {
  let service: RunningService;
  beforeAll(async () => {
    // The compiler lists what it compiles anew.
    await rm(GENERATED, { recursive: true, force: true });
    await mkdir(join(GENERATED, 'relay'), { recursive: true });
    await writeFile(RELAY_LIST, '{}');
    await tool('relay-compiler', 'relay.persisted.config.json');
    await tool('generate-persisted-query-manifest', '--config', 'persisted/apollo.config.json');
    service = await startService({
      PERSISTED_OPERATIONS: 'only',
      PERSISTED_OPERATIONS_FILE: `${APOLLO_MANIFEST},${RELAY_LIST}`,
    });
  });
  afterAll(() => service?.stop());

  const fromManifest = () =>
    new PersistedQueryLink(
      generatePersistedQueryIdsFromManifest({
        loadManifest: async () => JSON.parse(await readFile(APOLLO_MANIFEST, 'utf8')),
      }),
    );

  it('Apollo Client runs those of its manifest, and sends their ids alone', async () => {
    const kept = keptFetch();
    const client = apolloClient(`${service.address}/graphql`, service.key, fromManifest(), kept.fetch);
    const query = parse(await readFile(join(WORKSPACE, '../../docs/cookbook/directory.graphql'), 'utf8'));
    const { data } = await client.query({ query, variables: { search: 'okafor', first: 2 } });
    expect((data as { members: { edges: unknown[] } }).members.edges).toHaveLength(2);
    expect(kept.bodies).toHaveLength(1);
    expect(kept.bodies[0]).not.toHaveProperty('query');
  });

  it('refuses operations of Apollo Client that are not registered, with persisted_query_only', async () => {
    const kept = keptFetch();
    const link = new PersistedQueryLink({ sha256 });
    const client = apolloClient(`${service.address}/graphql`, service.key, link, kept.fetch);
    const error = await client.query({ query: MEMBERS, variables: { first: 1 } }).catch((thrown: unknown) => thrown);
    expect(CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.code).toBe('persisted_query_only');
    expect(kept.statuses).toEqual([404, 400]);
  });

  it('Relay runs those that its compiler listed, by documentId', async () => {
    const environment = new Environment({
      network: Network.create(async ({ id }, variables) => {
        const response = await fetch(`${service.address}/graphql`, {
          method: 'POST',
          headers: { 'X-Api-Key': service.key, 'Content-Type': 'application/json' },
          body: JSON.stringify({ documentId: id, variables }),
        });
        return response.json();
      }),
      store: new Store(new RecordSource()),
    });
    const { default: query } = await import(join(GENERATED, 'relay/recordNameQuery.graphql.ts'));
    expect(query.params.text).toBeNull();
    const [id] = await idsFromRest('departments', 1);
    await fetchQuery(environment, query, { id }).toPromise();
    expect(
      environment
        .getStore()
        .getSource()
        .get(id as string),
    ).toMatchObject({ name: 'Worship and Music' });
  });
});

describe('where there is no list', () => {
  it('Apollo Client asks by a hash once, then sends whole documents', async () => {
    const kept = keptFetch();
    const link = new PersistedQueryLink({ sha256 });
    const client = apolloClient(endpoint, headers['X-Api-Key'], link, kept.fetch);
    for (const first of [1, 2]) {
      const { data } = await client.query({ query: MEMBERS, variables: { first } });
      expect(idsOf(data?.members)).toEqual(await idsFromRest('members', first));
    }
    expect(kept.bodies.map((body) => 'query' in body)).toEqual([false, true, true]);
  });

  it('urql asks by a hash once, then sends whole documents', async () => {
    const kept = keptFetch();
    const client = new Client({
      url: endpoint,
      fetch: kept.fetch,
      fetchOptions: { headers },
      preferGetMethod: false,
      exchanges: [persistedExchange({ preferGetForPersistedQueries: false }), fetchExchange],
    });
    for (const first of [1, 2]) {
      const { data } = await client.query(MEMBERS, { first });
      expect(idsOf(data?.members)).toEqual(await idsFromRest('members', first));
    }
    expect(kept.bodies.map((body) => 'query' in body)).toEqual([false, true, true]);
  });
});
