import { expect, it } from 'vitest';
import { StoreBusyError } from '../../../src/store/connections/fair-queue.ts';
import { appOn, faulty, recordingLog } from '../../support/apps.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore } from '../../support/service.ts';
import { expectRejected } from './rejection.ts';

const MEMBERS_AND_TAGS = '{ members(first: 100) { edges { node { id tags { name } } } } }';

onOneStore((service) => {
  async function withMembers(count: number) {
    const organization = await service.organization();
    await manyOf(service, organization.id).members(count);
    return organization;
  }

  const failingTags = () =>
    faulty(service.store.db, (text) => (text.includes('JOIN member_tag') ? new TypeError('test error') : undefined));

  it('reports the path of each nested list that cannot be read, and returns all other data', async () => {
    const { key } = await withMembers(3);
    const { json } = await graphql(appOn(service, { db: failingTags() }), key)(MEMBERS_AND_TAGS);
    expect(json.data.members.edges.map(({ node }: { node: { tags: unknown } }) => node.tags)).toEqual([
      null,
      null,
      null,
    ]);
    expect(json.errors.map(({ path }: { path: unknown }) => path)).toEqual(
      [0, 1, 2].map((index) => ['members', 'edges', index, 'node', 'tags']),
    );
  });

  it('logs no error for a busy store, which is reported as a fault that lasts', async () => {
    const { key } = await withMembers(1);
    const { log, lines } = recordingLog();
    const busy = (text: string) => (text.includes('JOIN member_tag') ? new StoreBusyError('test error') : undefined);
    const db = faulty(service.store.db, busy);
    await graphql(appOn(service, { db, log }), key)(MEMBERS_AND_TAGS);
    expect(lines.filter(({ err }) => err !== undefined)).toEqual([]);
  });

  it('lists 100 errors and the number of those omitted', async () => {
    const organization = await withMembers(60);
    const { key } = await organization.withScopes('members.view');
    const { json } = await graphql(
      service.app,
      key,
    )('{ members(first: 100) { edges { node { id tags { name } departments { name } } } } }');
    expect(json.errors).toHaveLength(101);
    expect(json.errors.at(-1)).toEqual({
      message: '20 more errors are not listed',
      extensions: { code: 'missing_scope' },
    });
  });

  it('hides the cause of an internal error in a resolver, and logs it with the request id', async () => {
    const { key } = await service.organization();
    const { log, lines } = recordingLog();
    const cause = new TypeError('secret of /home/me: SELECT * FROM event');
    const db = faulty(service.store.db, (text) => (text.includes('FROM event') ? cause : undefined));
    const answer = await graphql(appOn(service, { db, log }), key)(
      '{ viewer { keyName } events { edges { cursor } } }',
      {},
      { 'X-Request-Id': 'trace-me' },
    );
    expect(answer.status).toBe(200);
    expect(answer.json.data).toEqual({ viewer: { keyName: 'Test' }, events: null });
    expect(answer.json.errors).toEqual([
      {
        message: expect.stringMatching(/./),
        locations: [{ line: 1, column: 22 }],
        path: ['events'],
        extensions: { code: 'internal_error' },
      },
    ]);
    expect(answer.text).not.toMatch(/secret|SELECT|TypeError|stack|node_modules/);
    expect(lines).toContainEqual(
      expect.objectContaining({ requestId: 'trace-me', err: expect.objectContaining({ message: cause.message }) }),
    );
    expect(JSON.stringify(lines)).not.toContain(key);
  });

  it('returns unavailable if the connection fails: for a field, or before execution for the request', async () => {
    const { key } = await service.organization();
    const connectionError = new Error('Connection terminated unexpectedly');
    const askFailing = (table: string) =>
      graphql(
        appOn(service, {
          db: faulty(service.store.db, (text) => (text.includes(table) ? connectionError : undefined)),
        }),
        key,
      );
    const partial = await askFailing('FROM event')('{ viewer { keyName } events { edges { cursor } } }');
    expect([partial.status, partial.json.data, codesIn(partial)]).toEqual([
      200,
      { viewer: { keyName: 'Test' }, events: null },
      ['unavailable'],
    ]);
    const rejected = await askFailing('FROM api_key')('{ viewer { keyName } }');
    expectRejected(rejected, 503, 'unavailable');
    expect(rejected.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(rejected.text + partial.text).not.toContain('terminated');
  });
});
