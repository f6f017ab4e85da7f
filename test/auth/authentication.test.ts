import { describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { newKey } from '../../src/domain/admin/api-key-secret.ts';
import { createMemoryRateLimiter } from '../../src/rate-limit/rate-limiter.ts';
import { sql } from '../../src/store/sql.ts';
import { appOn, faulty, recordingLog } from '../support/apps.ts';
import { type Answer, answerOf, client } from '../support/client.ts';
import { expectError } from '../support/contract.ts';
import { times } from '../support/data.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';
import { intercepting } from '../support/stores/intercepting.ts';

const limitOf = ({ headers }: Answer) => headers.get('X-RateLimit-Limit');
const remainingOf = ({ headers }: Answer) => headers.get('X-RateLimit-Remaining');

/** A request as it arrives from a socket, without a key unless `headers` contains one. */
const from = async (app: App, address: string, headers: Record<string, string> = {}): Promise<Answer> =>
  answerOf(
    await app.fetch(new Request('http://service.test/v1/members', { headers }), {
      incoming: { socket: { remoteAddress: address } },
    }),
  );

onOneStore((service) => {
  /** An organization, and a separate app with a limit of 120 requests a minute. */
  async function limited(options: { trustProxy?: number; scopes?: readonly ['events.view'] } = {}) {
    const { trustProxy = 0, ...rest } = options;
    const rateLimiter = createMemoryRateLimiter(120);
    const app = service.appWith({ rateLimiter, trustProxy });
    const organization = await service.organization({ app, ...rest });
    return { app, rateLimiter, organization, spend: () => rateLimiter.charge(`key:${organization.keyId}`, 120) };
  }

  const raw = (organization: TestOrganization, body: string, type = 'application/json') =>
    organization.request('POST', '/members', { body, headers: { 'Content-Type': type } });

  it.each([
    [404, 'an unknown path', (organization: TestOrganization) => organization.get('/nowhere')],
    [405, 'an unsupported method', (organization: TestOrganization) => organization.request('DELETE', '/members')],
    [413, 'an oversized body', (organization: TestOrganization) => raw(organization, ' '.repeat(200_000))],
    [415, 'a body of another type', (organization: TestOrganization) => raw(organization, '{}', 'text/plain')],
  ] as const)('charges one point for a request that is refused with %i: %s', async (status, _, request) => {
    const answer = await request((await limited()).organization);
    expect([answer.status, limitOf(answer), remainingOf(answer)]).toEqual([status, '120', '119']);
  });

  it('returns the rate limit of the client address with every 401', async () => {
    const { app, organization } = await limited();
    const expired = await organization.withScopes('members.view');
    await service.store.db.rows(sql`UPDATE api_key SET expires_at = '2020-01-01Z' WHERE id = ${expired.keyId}`);
    const revoked = await organization.withScopes('members.view');
    await revoked.revoke();
    const keys = [undefined, newKey(), 'nonsense', expired.key, revoked.key];
    const shown: unknown[] = [];
    for (const key of keys) {
      const answer = await client(app, key).get('/members');
      shown.push([answer.json.error.code, limitOf(answer), remainingOf(answer)]);
    }
    expect(shown).toEqual([
      ['missing_api_key', '120', '119'],
      ['invalid_api_key', '120', '118'],
      ['invalid_api_key', '120', '117'],
      ['key_expired', '120', '116'],
      ['key_revoked', '120', '115'],
    ]);
  });

  it('allows 120 requests a minute, and rejects the next with Retry-After', async () => {
    const { organization } = await limited();
    for (const n of times(120, (n) => n)) {
      const answer = await organization.get('/events');
      expect([answer.status, remainingOf(answer)]).toEqual([200, String(119 - n)]);
      expect(answer.headers.get('Retry-After')).toBeNull();
    }
    const refused = await organization.get('/events');
    expectError(refused, 429, 'rate_limited', expect.stringContaining('120 requests/minute'));
    expect([limitOf(refused), remainingOf(refused)]).toEqual(['120', '0']);
    expect(refused.headers.get('Retry-After')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  });

  describe('without a valid key', () => {
    it('rejects an address after 120 attempts a minute, and no other address', async () => {
      const { app, organization } = await limited();
      for (const n of times(120, (n) => n)) {
        const key = [{}, { 'X-Api-Key': 'x' }, { 'X-Api-Key': newKey() }][n % 3] as Record<string, string>;
        expect((await from(app, '192.0.2.1', key)).status).toBe(401);
      }
      const refused = await from(app, '192.0.2.1');
      expectError(refused, 429, 'rate_limited', expect.stringContaining('120 requests/minute'));
      expect(refused.headers.get('Retry-After')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect([limitOf(refused), remainingOf(refused)]).toEqual(['120', '0']);
      expectError(await from(app, '192.0.2.2'), 401, 'missing_api_key');
      const valid = await from(app, '192.0.2.1', { 'X-Api-Key': organization.key });
      expect([valid.status, remainingOf(valid)]).toEqual([200, '119']);
    });

    it('returns and logs an internal error of the key check even if the budget of the address is used up', async () => {
      const { key } = await service.organization();
      const cause = new TypeError('broken');
      const db = faulty(service.store.db, (text) => (text.includes('FROM api_key') ? cause : undefined));
      const limiter = createMemoryRateLimiter(120);
      const charge = async () => ({ ...(await limiter.peek('address')), allowed: false, remaining: 0 });
      const { log, lines } = recordingLog();
      const app = appOn(service, { db, rateLimiter: { ...limiter, charge }, log });
      expectError(await from(app, '192.0.2.1', { 'X-Api-Key': key }), 500, 'internal_error');
      expect(lines).toContainEqual(expect.objectContaining({ err: expect.objectContaining({ message: 'broken' }) }));
    });

    it('does not look up the key of every request of a rate-limited address', async () => {
      let lookups = 0;
      const db = intercepting(service.store.db, ({ text }) => {
        if (text.includes('FROM api_key')) lookups += 1;
      });
      const app = appOn(service, { db, limit: 3 });
      const keys = times(12, newKey);
      const statuses: number[] = [];
      for (const key of keys.slice(0, 3)) statuses.push((await from(app, '192.0.2.1', { 'X-Api-Key': key })).status);
      expect([statuses, lookups]).toEqual([[401, 401, 401], 3]);
      const refused: Promise<Answer>[] = [];
      for (const key of keys.slice(3)) {
        refused.push(from(app, '192.0.2.1', { 'X-Api-Key': key }));
        for (const _ of times(3, (n) => n)) await new Promise((resolve) => setImmediate(resolve));
      }
      for (const answer of await Promise.all(refused)) expectError(answer, 429, 'rate_limited');
      expect(lookups).toBe(4);
    });

    it('counts by the address that a trusted proxy adds, and all addresses of an IPv6 network together', async () => {
      const { app } = await limited({ trustProxy: 1 });
      const seen = (forwarded: string) => from(app, '10.0.0.1', { 'X-Forwarded-For': forwarded }).then(remainingOf);
      expect(await seen('2001:db8::1')).toBe('119');
      expect(await seen('6.6.6.6, [2001:db8::2]:443')).toBe('118');
      expect(await seen('2001:db8:0:1::1')).toBe('119');
      expect([await seen('garbage'), remainingOf(await from(app, '10.0.0.1'))]).toEqual(['119', '118']);
    });
  });

  describe('the order of checks', () => {
    it('checks the key before the path and the method', async () => {
      for (const key of [undefined, newKey()]) {
        const code = key ? 'invalid_api_key' : 'missing_api_key';
        expectError(await client(service.app, key).get('/nowhere'), 401, code);
        expectError(await client(service.app, key).request('DELETE', '/members'), 401, code);
      }
    });

    it('checks the key before its rate limit', async () => {
      const { organization, spend } = await limited();
      await spend();
      await organization.revoke();
      expectError(await organization.get('/members'), 401, 'key_revoked');
    });

    it('checks the rate limit before the path, the method, the scope, the input and the record', async () => {
      const { organization, spend } = await limited({ scopes: ['events.view'] });
      await spend();
      const answers = [
        await organization.get('/nowhere'),
        await organization.request('DELETE', '/events'),
        await organization.get('/members'),
        await organization.get('/events?limit=0'),
        await raw(organization, '{'),
        await organization.get('/members/unknown'),
      ];
      for (const answer of answers) expectError(answer, 429, 'rate_limited');
    });

    it('checks the path and the method before the scope', async () => {
      const { organization } = await limited({ scopes: ['events.view'] });
      expectError(await organization.get('/nowhere'), 404, 'not_found');
      const answer = await organization.request('DELETE', '/members');
      expectError(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('Allow')).toBe('GET, HEAD, POST, OPTIONS');
    });
  });
});
