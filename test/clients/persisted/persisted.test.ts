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
import { type RunningService, startDemo } from '../support/running-service.ts';
import { endpoint, headers, idsFromRest } from '../support/service.ts';
import { tool, WORKSPACE } from '../support/tool.ts';

const GENERATED = join(WORKSPACE, 'generated/persisted');
const APOLLO_MANIFEST = join(GENERATED, 'apollo.json');
const RELAY_LIST = join(GENERATED, 'relay.json');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A `fetch` that records the bodies of requests and the statuses of responses. */
function recordingFetch() {
  const bodies: Record<string, unknown>[] = [];
  const statuses: number[] = [];
  const recorded: typeof fetch = async (url, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    const response = await fetch(url, init);
    statuses.push(response.status);
    return response;
  };
  return { fetch: recorded, bodies, statuses };
}

function apolloClient(uri: string, key: string, persisted: ApolloLink, fetchLike: typeof fetch): ApolloClient {
  const http = new HttpLink({ uri, headers: { 'X-Api-Key': key }, fetch: fetchLike });
  return new ApolloClient({ link: ApolloLink.from([persisted, http]), cache: new InMemoryCache() });
}

describe('with PERSISTED_OPERATIONS=only', () => {
  let service: RunningService;
  beforeAll(async () => {
    // The compiler only lists the documents that it recompiles.
    await rm(GENERATED, { recursive: true, force: true });
    await mkdir(join(GENERATED, 'relay'), { recursive: true });
    await writeFile(RELAY_LIST, '{}');
    await tool('relay-compiler', 'relay.persisted.config.json');
    await tool('generate-persisted-query-manifest', '--config', 'persisted/apollo.config.json');
    service = await startDemo({
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

  it('Apollo Client executes operations of its manifest, sending only their ids', async () => {
    const recorded = recordingFetch();
    const client = apolloClient(`${service.address}/graphql`, service.key, fromManifest(), recorded.fetch);
    const query = parse(await readFile(join(WORKSPACE, '../../docs/cookbook/directory.graphql'), 'utf8'));
    const { data } = await client.query({ query, variables: { search: 'okafor', first: 2 } });
    expect((data as { members: { edges: unknown[] } }).members.edges).toHaveLength(2);
    expect(recorded.bodies).toHaveLength(1);
    expect(recorded.bodies[0]).not.toHaveProperty('query');
  });

  it('rejects unregistered operations of Apollo Client with persisted_query_only', async () => {
    const recorded = recordingFetch();
    const link = new PersistedQueryLink({ sha256 });
    const client = apolloClient(`${service.address}/graphql`, service.key, link, recorded.fetch);
    const error = await client.query({ query: MEMBERS, variables: { first: 1 } }).catch((thrown: unknown) => thrown);
    expect(CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.code).toBe('persisted_query_only');
    expect(recorded.statuses).toEqual([404, 400]);
  });

  it('Relay executes the operations listed by its compiler, by documentId', async () => {
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

describe('without an operation list', () => {
  it('Apollo Client tries a hash once, then sends whole documents', async () => {
    const recorded = recordingFetch();
    const link = new PersistedQueryLink({ sha256 });
    const client = apolloClient(endpoint, headers['X-Api-Key'], link, recorded.fetch);
    for (const first of [1, 2]) {
      const { data } = await client.query({ query: MEMBERS, variables: { first } });
      expect(idsOf(data?.members)).toEqual(await idsFromRest('members', first));
    }
    expect(recorded.bodies.map((body) => 'query' in body)).toEqual([false, true, true]);
  });

  it('urql tries a hash once, then sends whole documents', async () => {
    const recorded = recordingFetch();
    const client = new Client({
      url: endpoint,
      fetch: recorded.fetch,
      fetchOptions: { headers },
      preferGetMethod: false,
      exchanges: [persistedExchange({ preferGetForPersistedQueries: false }), fetchExchange],
    });
    for (const first of [1, 2]) {
      const { data } = await client.query(MEMBERS, { first });
      expect(idsOf(data?.members)).toEqual(await idsFromRest('members', first));
    }
    expect(recorded.bodies.map((body) => 'query' in body)).toEqual([false, true, true]);
  });
});
