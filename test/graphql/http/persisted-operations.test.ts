import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PersistedOperations } from '../../../src/graphql/plugins/persisted-operations.ts';
import { appOn } from '../../support/apps.ts';
import type { Answer } from '../../support/client.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

const LISTED = 'query Events($first: Int) { events(first: $first) { edges { cursor } } tags { edges { cursor } } }';
const MUTATION =
  'mutation Submit { submitPrayerRequest(input: { description: "Rain" }) { prayerRequest { description } } }';
const OTHER = '{ viewer { keyName } }';
const INTROSPECTION = '{ __schema { queryType { name } } }';
const ANSWER = { events: { edges: [] }, tags: { edges: [] } };
const DOCUMENTS = new Map([
  ['a1', LISTED],
  ['b2', MUTATION],
  ['c3', 'query A { tags { edges { cursor } } } query B { events { edges { cursor } } }'],
]);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const automatic = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

onOneStore((service) => {
  const asking = async (mode: PersistedOperations['mode'] | 'off') => {
    const persistedOperations = mode === 'off' ? undefined : { mode, documents: DOCUMENTS };
    const app = appOn(service, { limit: 120, persistedOperations });
    const organization = await service.organization({ app });
    return { organization, ask: graphql(app, organization.key) };
  };

  describe.each(['allow', 'only'] as const)('with PERSISTED_OPERATIONS=%s', (mode) => {
    it.each([
      ['documentId', { documentId: 'a1' }],
      ['sha256Hash', automatic('a1')],
      ['doc_id, as networks of Relay send it', { doc_id: 'a1' }],
      ['id, as Strawberry Shake sends it', { id: 'a1' }],
      ['sha256Hash and its document', { query: LISTED, ...automatic('a1') }],
    ])('executes a listed operation by %s, with POST and GET, and charges its cost', async (_name, request) => {
      const { ask } = await asking(mode);
      const variables = { first: 1 };
      const answer = await ask.post({ ...request, variables });
      expect([answer.status, answer.json.data]).toEqual([200, ANSWER]);
      expect(answer.json.extensions.rateLimit).toMatchObject({ cost: 2, remaining: 118 });
      const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
      const parameters = Object.entries({ ...request, variables }).map(([name, value]) => [name, asText(value)]);
      expect((await ask.get(Object.fromEntries(parameters))).json.data).toEqual(ANSWER);
    });

    it('executes the operation selected by operationName in a listed document', async () => {
      const { ask } = await asking(mode);
      expect((await ask.post({ documentId: 'c3', operationName: 'B' })).json.data).toEqual({ events: { edges: [] } });
      expectRejected(await ask.post({ documentId: 'c3' }), 400, 'invalid_request');
    });

    it('executes a mutation once per Idempotency-Key, and not by GET', async () => {
      const { ask, organization } = await asking(mode);
      const headers = { 'Idempotency-Key': 'one' };
      const [first, second] = [
        await ask.post({ documentId: 'b2' }, headers),
        await ask.post({ documentId: 'b2' }, headers),
      ];
      expect(first.json.data).toEqual({ submitPrayerRequest: { prayerRequest: { description: 'Rain' } } });
      expect(second.headers.get('Idempotency-Replayed')).toBe('true');
      expectRejected(await ask.get({ documentId: 'b2' }), 405, 'method_not_allowed');
      const { id: organizationId } = organization;
      expect(await service.store.prisma.prayerRequest.count({ where: { organizationId } })).toBe(1);
      expect(await service.store.prisma.auditEntry.count({ where: { organizationId, channel: 'graphql' } })).toBe(1);
    });

    it('rejects an unknown documentId and an unknown sha256Hash', async () => {
      const { ask } = await asking(mode);
      const byId = await ask.post({ documentId: 'zz' });
      expectRejected(byId, 404, 'persisted_query_not_found');
      expect(byId.json.errors[0].message).toContain('documentId');
      expect(byId.json.extensions.rateLimit).toMatchObject({ cost: 1, remaining: 119 });
      const byHash = await ask.post(automatic(hashOf('x')));
      expectRejected(byHash, 404, 'persisted_query_not_found');
      expect(byHash.json.errors[0].message).toBe('PersistedQueryNotFound');
    });

    it.each([
      ['a documentId and its document', { documentId: 'a1', query: LISTED }, 'documentId'],
      ['two ids', { documentId: 'a1', ...automatic('a1') }, 'documentId'],
      ['a hash and another document', { query: OTHER, ...automatic('a1') }, 'query'],
      ['an id that is not a string', { documentId: 5 }, 'documentId'],
      [
        'a hash that is not a string',
        { extensions: { persistedQuery: { version: 1, sha256Hash: 5 } } },
        'extensions.persistedQuery.sha256Hash',
      ],
      [
        'another version of the protocol',
        { extensions: { persistedQuery: { version: 2, sha256Hash: 'a1' } } },
        'extensions.persistedQuery.version',
      ],
    ])('rejects %s', async (_name, request, field) => {
      const answer = await (await asking(mode)).ask.post(request);
      expectRejected(answer, 400, 'invalid_request');
      expect(answer.json.errors[0].extensions.details).toEqual([{ field, message: expect.any(String) }]);
    });
  });

  it.each([
    ['another document', { query: OTHER }],
    ['a document with a hash that is not listed', { query: OTHER, ...automatic(hashOf(OTHER)) }],
    ['introspection', { query: INTROSPECTION }],
  ])('PERSISTED_OPERATIONS=allow executes %s, and only rejects it', async (_name, request) => {
    const allowed = await (await asking('allow')).ask.post(request);
    expect([allowed.status, allowed.json.errors]).toEqual([200, undefined]);
    const { ask } = await asking('only');
    const rejected = await ask.post(request);
    expectRejected(rejected, 400, 'persisted_query_only');
    expect(rejected.json.errors[0].message).toContain('documentId');
    expect(rejected.json.extensions.rateLimit).toMatchObject({ cost: 1, remaining: 119 });
    expectRejected(await ask.get({ query: request.query }), 400, 'persisted_query_only');
  });

  it.each(['id', 'doc_id', 'docId', 'queryId'])('ignores %s beside a document', async (name) => {
    const { ask } = await asking('off');
    expect((await ask.post({ query: OTHER, [name]: 'a1' })).json.data).toEqual({ viewer: { keyName: 'Test' } });
    expect((await ask.post({ query: OTHER, [name]: null })).json.data).toEqual({ viewer: { keyName: 'Test' } });
    expectRejected(await ask.post({ [name]: 'a1' }), 400, 'persisted_query_not_supported');
  });

  it('names the missing parameter of an empty request', async () => {
    const fieldOf = async (mode: 'off' | 'allow' | 'only') =>
      (await (await asking(mode)).ask.post({})).json.errors[0].extensions.details;
    expect(await fieldOf('off')).toEqual([{ field: 'query', message: expect.stringMatching(/^required: the text/) }]);
    expect(await fieldOf('allow')).toEqual([{ field: 'query', message: expect.stringMatching(/^required: the text/) }]);
    expect(await fieldOf('only')).toEqual([
      { field: 'documentId', message: expect.stringMatching(/^required: the id/) },
    ]);
  });

  it('PERSISTED_OPERATIONS=off executes documents, with or without a hash, and rejects ids', async () => {
    const { ask } = await asking('off');
    expect((await ask.post({ query: OTHER, ...automatic('a1') })).json.data).toEqual({ viewer: { keyName: 'Test' } });
    const byHash = await ask.post(automatic('a1'));
    expectRejected(byHash, 400, 'persisted_query_not_supported');
    expect(byHash.json.errors[0].message).toBe('PersistedQueryNotSupported');
    const byId = await ask.post({ documentId: 'a1' });
    expectRejected(byId, 400, 'persisted_query_not_supported');
    expect(byId.json.errors[0].message).toContain('query');
  });
});

function expectRejected(answer: Answer, status: number, code: string): void {
  expect([answer.status, codesIn(answer), answer.json.data]).toEqual([status, [code], undefined]);
}
