import { describe, expect, it } from 'vitest';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { createMemoryRateLimiter } from '../../../src/rate-limit/rate-limiter.ts';
import { feedOf } from '../../apis/changes/feed.ts';
import { appOn, faulty } from '../../support/apps.ts';
import { graphql } from '../../support/graphql.ts';
import { onEachStore, onOneStore } from '../../support/service.ts';
import { refused, streamOf, subscribe } from '../../support/streams.ts';
import { eventually } from '../../support/time/eventually.ts';

/** The service reads the counters so often in these tests. */
const changes = { intervalMs: 20 };

const FEED = 'subscription ($after: String) { changes(after: $after) { cursor resource id operation } }';
const RECORDS = `subscription ($after: String) {
  changes(after: $after, resources: [members, departments]) {
    cursor id
    record { __typename ... on Member { city tags { name } } ... on Department { members(first: 2) { nodes { id } } } }
  }
}`;

onEachStore((service) => {
  it('streams the changes from a cursor on, then each further one, with cursors that the query accepts', async () => {
    const { organization, member } = await feedOf(service);
    const [first, second] = [await member(), await member()];
    const stream = await subscribe(service.appWith({ changes }), organization.key, FEED);
    const events = await stream.take(2);
    expect(events.map(({ data }) => data.data.changes.id)).toEqual([first, second]);
    const third = await member();
    const [event] = await stream.take(1);
    expect(event).toEqual({
      event: 'next',
      id: event?.id,
      data: { data: { changes: { cursor: event?.id, resource: 'members', id: third, operation: 'created' } } },
    });
    const { json } = await graphql(
      service.app,
      organization.key,
    )(`{ changes(after: "${events[0]?.id}") { nodes { id cursor } } }`);
    expect(json.data.changes.nodes).toEqual([
      { id: second, cursor: events[1]?.id },
      { id: third, cursor: event?.id },
    ]);
  });
});

onOneStore((service) => {
  const opened = async () => {
    const feed = await feedOf(service);
    const app = service.appWith({ changes });
    return {
      ...feed,
      app,
      open: (query = FEED, options = {}) => subscribe(app, feed.organization.key, query, options),
    };
  };

  it('continues after the event that the header Last-Event-ID names, which takes precedence over the argument', async () => {
    const { member, open } = await opened();
    const ids = [await member(), await member(), await member()];
    const [first, second] = await (await open()).take(2);
    const after = await open(FEED, { variables: { after: first?.id } });
    expect((await after.take(2)).map(({ data }) => data.data.changes.id)).toEqual(ids.slice(1));
    const continued = await open(FEED, {
      variables: { after: first?.id },
      headers: { 'Last-Event-ID': second?.id as string },
    });
    expect((await continued.take(1)).map(({ data }) => data.data.changes.id)).toEqual(ids.slice(2));
  });

  it('streams each record as the query returns it, and null for a removed one', async () => {
    const { organization, records, member, open, run } = await opened();
    const [one, two] = [await member(), await member()];
    const tag = await records.tag();
    const department = await records.department({}, [one, two]);
    await organization.patch(`/members/${one}/tags`, { add: [tag.id] });
    const query = RECORDS.replace('subscription', 'query').replace('changes(', 'changes(first: 100, ');
    const { json } = await graphql(
      service.app,
      organization.key,
    )(query.replace('{\n    cursor', '{ nodes {\n    cursor').replace(/}\s*}$/, '} } }'));
    const stream = await open(RECORDS);
    const streamed = await stream.take(json.data.changes.nodes.length);
    expect(streamed.map(({ data }) => data)).toEqual(
      json.data.changes.nodes.map((node: object) => ({ data: { changes: node } })),
    );
    await run(`DELETE FROM department WHERE id = '${department.id}'`);
    const [removed] = await stream.take(1);
    expect(removed?.data.data.changes).toMatchObject({ id: department.id, record: null });
  });

  it('returns errors of nested fields with their event, and continues', async () => {
    const { organization, member, app } = await opened();
    await member();
    const limited = await organization.withScopes('members.view', 'departments.view');
    const stream = await subscribe(app, limited.key, RECORDS);
    const [event] = await stream.take(1);
    expect(event?.data.errors).toMatchObject([
      { path: ['changes', 'record', 'tags'], extensions: { code: 'missing_scope' } },
    ]);
    expect(event?.data.data.changes.record).toEqual({ __typename: 'Member', city: null, tags: null });
    await member();
    expect(await stream.take(1)).toHaveLength(1);
  });

  it('can be sent with GET, and to any client that does not exclude event streams', async () => {
    const { organization, member, app } = await opened();
    const id = await member();
    const url = `http://service.test/graphql?${new URLSearchParams({ query: FEED })}`;
    for (const headers of [{}, { Accept: '' }, { Accept: '*/*' }, { Accept: 'text/event-stream' }] as Record<
      string,
      string
    >[]) {
      const response = await app.fetch(new Request(url, { headers: { 'X-Api-Key': organization.key, ...headers } }));
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const { value } = await (response.body as ReadableStream<Uint8Array>).getReader().read();
      expect(Buffer.from(value as Uint8Array).toString()).toContain(id);
    }
  });

  it('says that a Last-Event-ID is not a cursor', async () => {
    const { organization, app } = await opened();
    const answer = await refused(app, organization.key, FEED, { headers: { 'Last-Event-ID': '5' } });
    expect(answer.json.errors[0].message).toMatch(/^Last-Event-ID: This is not a cursor/);
  });

  it('answers a query with one event to a client that accepts only events, as graphql-sse does', async () => {
    const { organization, app } = await opened();
    const headers = { 'X-Api-Key': organization.key, 'Content-Type': 'application/json', Accept: 'text/event-stream' };
    for (const query of ['{ viewer { keyName } }', '{ __schema { queryType { name } } }']) {
      const body = JSON.stringify({ query });
      const stream = streamOf(
        await app.fetch(new Request('http://service.test/graphql', { method: 'POST', headers, body })),
      );
      const json = await graphql(app, organization.key)(query);
      expect(await stream.take(2)).toMatchObject([
        { event: 'next', data: { data: json.json.data, extensions: { rateLimit: { cost: 1 } } } },
        { event: 'complete' },
      ]);
    }
  });

  it('ignores the operationType that Apollo Client sends through graphql-sse', async () => {
    const { organization, member, app } = await opened();
    const id = await member();
    const headers = { 'X-Api-Key': organization.key, 'Content-Type': 'application/json', Accept: 'text/event-stream' };
    const body = JSON.stringify({ query: FEED, variables: {}, extensions: {}, operationType: 'subscription' });
    const response = await app.fetch(new Request('http://service.test/graphql', { method: 'POST', headers, body }));
    const stream = streamOf(response);
    expect((await stream.take(1))[0]?.data.data.changes.id).toBe(id);
    await stream.close();
  });

  it.each([
    ['a key without the scope', `subscription { changes(resources: [tags]) { id } }`, {}, 403, 'missing_scope'],
    ['a forged cursor', `subscription { changes(after: "x") { id } }`, {}, 400, 'invalid_cursor'],
    ['a forged Last-Event-ID', FEED, { 'Last-Event-ID': 'x' }, 400, 'invalid_cursor'],
    ['a client of JSON', FEED, { Accept: 'application/json' }, 400, 'invalid_request'],
    ['an unknown resource', 'subscription { changes(resources: [people]) { id } }', {}, 400, 'invalid_request'],
    ['a skipped field', 'subscription { changes @skip(if: true) { id } }', {}, 400, 'invalid_request'],
    ['another field', 'subscription { members { id } }', {}, 400, 'invalid_request'],
  ] as const)('refuses %s before the stream begins', async (_name, query, headers, status, code) => {
    const { organization, app } = await opened();
    const { key } = await organization.withScopes('members.view');
    const answer = await refused(app, key, query, { headers });
    expect(answer.status).toBe(status);
    expect(answer.json.errors[0].extensions.code).toBe(code);
  });

  it('refuses HEAD, whose response could not be a stream', async () => {
    const { organization, app } = await opened();
    const answer = await graphql(app, organization.key).request('HEAD', {}, `?${new URLSearchParams({ query: FEED })}`);
    expect(answer.status).toBe(405);
  });

  it('ends with the error when the key is revoked, expires or loses a scope that the operation uses', async () => {
    const { organization, member, app, run } = await opened();
    await member();
    for (const [change, code] of [
      [`revoked_at = now()`, 'key_revoked'],
      [`expires_at = now()`, 'key_expired'],
      [`scopes = array_remove(scopes, 'tags.view')`, 'missing_scope'],
    ]) {
      const key = await organization.withScopes(...ALL_SCOPES);
      const stream = await subscribe(app, key.key, RECORDS);
      await stream.take(1);
      await run(`UPDATE api_key SET ${change} WHERE id = '${key.keyId}'`);
      expect(await stream.take(2)).toMatchObject([
        { event: 'next', id: undefined, data: { errors: [{ extensions: { code } }] } },
        { event: 'complete' },
      ]);
      expect(await stream.next()).toBeUndefined();
    }
  });

  it('goes on when the key loses a scope that the operation does not use', async () => {
    const { organization, member, app, run } = await opened();
    const key = await organization.withScopes(...ALL_SCOPES);
    const stream = await subscribe(app, key.key, RECORDS);
    await run(`UPDATE api_key SET scopes = array_remove(scopes, 'members.create') WHERE id = '${key.keyId}'`);
    const other = await subscribe(app, organization.key, RECORDS);
    await member();
    expect(await other.take(1)).toHaveLength(1);
    expect(await stream.take(1)).toHaveLength(1);
  });

  it.each([
    ['the database', /./],
    ['the feed', /change_feed/],
    ['the records', /FROM (?!change_feed|api_key)/],
  ])('pauses while %s cannot be read, and misses no change', async (_name, statements) => {
    const { organization, member } = await feedOf(service);
    let failures = 0;
    const db = faulty(service.store.db, (text) =>
      failures > 0 && statements.test(text) && failures-- > 0
        ? Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
        : undefined,
    );
    const ids = [await member()];
    const stream = await subscribe(appOn(service, { changes, db }), organization.key, RECORDS);
    const events = await stream.take(1);
    failures = 4;
    for (let count = 0; count < 3; count++) ids.push(await member());
    events.push(...(await stream.take(3)));
    expect(events.map(({ data }) => [data.errors, data.data.changes.id])).toEqual(ids.map((id) => [undefined, id]));
    expect(failures).toBe(0);
  });

  it('ends without completion when the service stops, so that clients connect again', async () => {
    const { organization, member } = await feedOf(service);
    const stopping = new AbortController();
    const app = appOn(service, { changes, stopping: stopping.signal });
    await member();
    const stream = await subscribe(app, organization.key, FEED);
    await stream.take(1);
    stopping.abort();
    expect(await stream.next()).toBeUndefined();
    expect(await (await subscribe(app, organization.key, FEED)).next()).toBeUndefined();
  });

  describe('points', () => {
    it('are one at the start, and those of records for every 100 changes', async () => {
      const { organization, member } = await feedOf(service);
      await member();
      const rateLimiter = createMemoryRateLimiter(100);
      const app = service.appWith({ changes, rateLimiter });
      const used = async () => 100 - (await rateLimiter.peek(`key:${organization.keyId}`)).remaining;
      const feed = await subscribe(app, organization.key, FEED);
      expect(feed.headers.get('x-ratelimit-remaining')).toBe('99');
      await feed.take(1);
      expect(await used()).toBe(1);
      const records = await subscribe(app, organization.key, RECORDS);
      expect(records.headers.get('x-ratelimit-remaining')).toBe('98');
      await records.take(1);
      // The record, its tags and the members of departments.
      expect(await used()).toBe(5);
      await member();
      await Promise.all([feed.take(1), records.take(1)]);
      expect(await used()).toBe(5);
    });
  });

  describe('the limits of streams', () => {
    it('refuse those of a key beyond its limit, until one is closed', async () => {
      const { organization } = await feedOf(service);
      const app = appOn(service, { changes: { ...changes, maxStreamsPerKey: 2 } });
      const [first] = [await subscribe(app, organization.key, FEED), await subscribe(app, organization.key, FEED)];
      const answer = await refused(app, organization.key, FEED);
      expect(answer.status).toBe(429);
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.json.errors[0]).toMatchObject({ extensions: { code: 'rate_limited' } });
      await first?.close();
      await eventually(() => subscribe(app, organization.key, FEED));
    });

    it('leave half of the streams of an instance to other organizations', async () => {
      const [one, other, third] = [
        await service.organization(),
        await service.organization(),
        await service.organization(),
      ];
      const app = appOn(service, { changes: { ...changes, maxStreams: 4 } });
      for (const { key } of [one, one, other, other]) await subscribe(app, key, FEED);
      expect((await refused(app, third.key, FEED)).status).toBe(503);
      const crowded = appOn(service, { changes: { ...changes, maxStreams: 2 } });
      await subscribe(crowded, one.key, FEED);
      expect((await refused(crowded, one.key, FEED)).status).toBe(429);
      await subscribe(crowded, other.key, FEED);
    });
  });
});
