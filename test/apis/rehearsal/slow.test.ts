import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { createMemoryRateLimiter } from '../../../src/rate-limit/rate-limiter.ts';
import { answerOf, client } from '../../support/client.ts';
import { expectError } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';
import { eventually } from '../../support/time/eventually.ts';

const LONGEST = { Rehearse: 'slow=30000' };

onOneStore((service) => {
  /** An app that counts requests, and a client with a rehearsal key. */
  async function rehearsing() {
    const { id, get } = await service.organization();
    const input = { organization_id: id, name: 'Tests', scopes: ALL_SCOPES, expires_in_days: null, rehearsal: true };
    const created = await createApiKey(service.store, input, 'cli:test');
    const rateLimiter = createMemoryRateLimiter(120);
    const stopping = new AbortController();
    const app = service.appWith({ rateLimiter, stopping: stopping.signal });
    const charged = () =>
      eventually(async () => expect((await rateLimiter.peek(`key:${created.id}`)).remaining).toBe(119));
    return { app, key: created.key, stopping, charged, members: async () => (await get('/members')).json.data };
  }

  it('delays a read and returns its data, in both APIs', async () => {
    const { app, key } = await rehearsing();
    const headers = { Rehearse: 'slow=1' };
    expect((await client(app, key).get('/tags', headers)).status).toBe(200);
    const { json } = await graphql(app, key)('{ viewer { keyName } }', undefined, headers);
    expect(json.data).toEqual({ viewer: { keyName: 'Tests' } });
  });

  it('does not execute a write', async () => {
    const { app, key, members } = await rehearsing();
    const answer = await client(app, key).post('/members', person(), { Rehearse: 'slow=1' });
    expectError(answer, 503, 'unavailable');
    expect(answer.headers.get('Retry-After')).toBe('1');
    expect(await members()).toEqual([]);
  });

  describe('the longest delay', () => {
    it('holds no database connection, and ends with 503 when the service stops', async () => {
      const { app, key, stopping, charged } = await rehearsing();
      const answers = [client(app, key).get('/tags', LONGEST)];
      await charged();
      const { pool } = service.store;
      await eventually(() => expect([pool.queuedCount, pool.totalCount - pool.idleCount]).toEqual([0, 0]));
      stopping.abort();
      for (const answer of await Promise.all(answers)) expectError(answer, 503, 'unavailable');
    });

    it('is limited to 100 concurrent requests of an organization, so that sockets remain free', async () => {
      const { app, key, stopping } = await rehearsing();
      const other = await rehearsing();
      const delayed = Array.from({ length: 100 }, () => client(app, key).get('/tags', LONGEST));
      const refused = await client(app, key).get('/tags', LONGEST);
      expectError(refused, 503, 'unavailable', 'At most 100 requests of an organization can be delayed at once');
      expect((await client(other.app, other.key).get('/tags', { Rehearse: 'slow=1' })).status).toBe(200);
      stopping.abort();
      await Promise.all(delayed);
      expect((await client(app, key).get('/tags')).status).toBe(200);
    });

    it('ends when the client disconnects', async () => {
      const { app, key, charged } = await rehearsing();
      const outgoing = Object.assign(new EventEmitter(), { writableFinished: false });
      const request = new Request('http://service.test/v1/tags', { headers: { 'X-Api-Key': key, ...LONGEST } });
      const answer = Promise.resolve(app.fetch(request, { outgoing })).then(answerOf);
      await charged();
      outgoing.emit('close');
      expectError(await answer, 503, 'unavailable', 'The client closed its connection');
    });
  });
});
