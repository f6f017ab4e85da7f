import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { createRedisRateLimiter } from '../../../src/rate-limit/rate-limiter.ts';
import { appOn } from '../../support/apps.ts';
import { type Answer, client } from '../../support/client.ts';
import { times } from '../../support/data.ts';
import { unloggedFault } from '../../support/faults.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  /** A key with the given rate limit, and its client. */
  async function withLimit(limit = 120) {
    const app = appOn(service, { limit });
    const organization = await service.organization({ app });
    return { app, organization, ask: graphql(app, organization.key) };
  }

  it('does not execute an operation that costs more than the remaining points, and keeps the first point', async () => {
    const { ask, organization } = await withLimit(8);
    await ask(`{ ${aliases(3, 'viewer { keyName }')} }`);
    const submit = 'submitPrayerRequest(input: { description: "Rain" }) { prayerRequest { id } }';
    const rejected = await ask(`mutation { ${aliases(6, submit)} }`);
    expect([rejected.status, rejected.json.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
    expect(rejected.json.errors[0].message).toBe(
      `This operation costs 5 more points, and 4 of the limit of 8 points/minute are left; ${waitOf(rejected)}`,
    );
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(Number(rejected.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    expectRateLimit(rejected, { cost: 1, remaining: 4 });
    expect(await service.store.prisma.prayerRequest.count({ where: { organizationId: organization.id } })).toBe(0);
    expectRateLimit(await ask(`{ ${aliases(4, 'viewer { keyName }')} }`), { cost: 4, remaining: 0 });
    const refused = await ask('{ viewer { keyName } }');
    expect(refused.json.errors[0].message).toBe(`The limit of 8 points/minute is used up; ${waitOf(refused)}`);
  });

  it.each(['/graphql', '/v1/members'])('refuses a request at the limit before its body is read: %s', async (path) => {
    const { app, organization } = await withLimit(1);
    await organization.get('/events');
    let isRead = false;
    const body = new ReadableStream(
      {
        pull(controller) {
          isRead = true;
          controller.enqueue(new TextEncoder().encode('{}'));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'X-Api-Key': organization.key, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' };
    const refused = await app.fetch(new Request(`http://service.test${path}`, init as RequestInit));
    expect([refused.status, isRead]).toEqual([429, false]);
  });

  it.skipIf(!inject('redisUrl'))('charges the points of operations to all instances that share Redis', async () => {
    const options = { url: inject('redisUrl') as string, limit: 3, prefix: randomUUID(), fault: unloggedFault() };
    const limiters = await Promise.all(times(2, () => createRedisRateLimiter(options)));
    const { key } = await service.organization();
    const [one, other] = limiters.map((rateLimiter) => graphql(appOn(service, { rateLimiter }), key));
    await one?.(`{ ${aliases(2, 'viewer { keyName }')} }`);
    const refused = (await other?.(`{ ${aliases(2, 'viewer { keyName }')} }`)) as Answer;
    await Promise.all(limiters.map((limiter) => limiter.close()));
    expect(refused.status).toBe(429);
    expectRateLimit(refused, { cost: 1, remaining: 0 });
  });

  it('counts requests without a valid key by client address, in both APIs together', async () => {
    const { app } = await withLimit(3);
    expectRateLimit(await graphql(app)('{ viewer { keyName } }'), { cost: 1, remaining: 2 });
    expect((await client(app).get('/members')).headers.get('X-RateLimit-Remaining')).toBe('1');
    expectRateLimit(await graphql(app, 'cms_unknown')('{ viewer { keyName } }'), { cost: 1, remaining: 0 });
    const rejected = await graphql(app)('{ viewer { keyName } }');
    expect([rejected.status, rejected.json.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
  });

  describe('returns the cost and the remaining points', () => {
    const post = (body: string, type = 'application/json') => ({
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    });
    const query = (text: string) => post(JSON.stringify({ query: text }));
    const requests: Record<string, [status: number, cost: number, init: RequestInit, search?: string]> = {
      'of a query': [200, 1, query('{ viewer { keyName } }')],
      'of a query by GET': [200, 1, { method: 'GET' }, '?query={viewer{keyName}}'],
      'of a query with a field error': [200, 2, query('{ member(id: "x") { id } events { edges { cursor } } }')],
      'of an unknown field': [400, 1, query('{ nothing }')],
      'of a missing variable': [400, 1, query('query ($id: ID!) { member(id: $id) { id } }')],
      'of invalid JSON': [400, 1, post('{')],
      'of a query that is too complex': [400, 1, query(`{ ${aliases(1_000, '__typename')} }`)],
      'of a mutation by GET': [405, 1, { method: 'GET' }, '?query=mutation{__typename}'],
      'of a body that is too large': [413, 1, post(' '.repeat(200_000))],
      'of a body with an unsupported media type': [415, 1, post('{}', 'text/plain')],
    };

    it.each(Object.entries(requests))('%s', async (_name, [status, cost, init, search]) => {
      const { ask } = await withLimit();
      const answer = await ask.request(init.method ?? '', init, search);
      expect(answer.status).toBe(status);
      expectRateLimit(answer, { cost, remaining: 120 - cost });
    });

    it.each([undefined, 'cms_unknown'])('of a request with the invalid key %s', async (key) => {
      const answer = await graphql(appOn(service, { limit: 120 }), key)('{ viewer { keyName } }');
      expect(answer.status).toBe(401);
      expectRateLimit(answer, { cost: 1, remaining: 119 });
    });

    it('in the headers of HEAD and OPTIONS responses, which have no body', async () => {
      const { ask } = await withLimit();
      const head = await ask.request('HEAD', {}, '?query={viewer{keyName}}');
      expect([head.status, head.text, head.headers.get('X-RateLimit-Remaining')]).toEqual([200, '', '119']);
      const options = await ask.request('OPTIONS');
      expect([options.status, options.text, options.headers.get('X-RateLimit-Remaining')]).toEqual([204, '', '118']);
    });
  });
});

/** Expects the cost and the remaining points, both in the headers and in the extensions. */
function expectRateLimit({ headers, json }: Answer, expected: { cost: number; remaining: number }): void {
  const limit = Number(headers.get('X-RateLimit-Limit'));
  expect(json.extensions.rateLimit).toEqual({ ...expected, limit, resetAt: expect.stringMatching(/^\d{4}-.+T.+Z$/) });
  expect(headers.get('X-RateLimit-Remaining')).toBe(String(expected.remaining));
  const left = Date.parse(json.extensions.rateLimit.resetAt) - Date.now();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(61_000);
}

/** The end of the messages about the rate limit. */
function waitOf({ headers }: Answer): string {
  return `try again in ${headers.get('Retry-After')} seconds`;
}

function aliases(count: number, field: string): string {
  return times(count, (n) => `a${n}: ${field}`).join(' ');
}
