import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it, vi } from 'vitest';
import {
  createMemoryRateLimiter,
  createRedisRateLimiter,
  type RateLimiter,
} from '../../../src/rate-limit/rate-limiter.ts';
import { appOn, recordingLog } from '../../support/apps.ts';
import { type Answer, client } from '../../support/client.ts';
import { times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  /** A key with the given rate limit, and its client. */
  async function withLimit(limit = 120) {
    const app = appOn(service, { limit });
    const organization = await service.organization({ app });
    return { app, organization, ask: graphql(app, organization.key) };
  }

  it('rejects an operation that costs more than the remaining points without charging or executing it', async () => {
    const { ask, organization } = await withLimit(8);
    await ask(`{ ${aliases(5, 'viewer { keyName }')} }`);
    const submit = 'submitPrayerRequest(input: { description: "Rain" }) { prayerRequest { id } }';
    const rejected = await ask(`mutation { ${aliases(5, submit)} }`);
    expect([rejected.status, rejected.json.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
    expect(rejected.json.errors[0].message).toContain('8 points/minute');
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(Number(rejected.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    expectRateLimit(rejected, { cost: 0, remaining: 3 });
    expect(await service.store.prisma.prayerRequest.count({ where: { organizationId: organization.id } })).toBe(0);
    expectRateLimit(await ask(`{ ${aliases(3, 'viewer { keyName }')} }`), { cost: 3, remaining: 0 });
  });

  it('rejects uncached documents before they are parsed after as many refused operations as the limit', async () => {
    const { ask } = await withLimit(4);
    const viewer = '{ viewer { keyName } }';
    await ask(viewer);
    for (const n of times(4, String)) {
      const refused = await ask(`{ ${aliases(4, 'viewer { keyName }')} } # ${n}`);
      expect(refused.json.errors[0].message).toContain('costs 4 points');
    }
    for (const query of [`${viewer} # uncached`, '{ unknown }', '{', `${viewer} # ${'x'.repeat(4_000)}`]) {
      const refused = await ask(query);
      expect([refused.status, refused.json.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
      expect(refused.json.errors[0].message).toContain('4 operations/minute that cost more than the remaining points');
      expect(refused.headers.get('Retry-After')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expectRateLimit(refused, { cost: 0, remaining: 3 });
    }
    expectRateLimit(await ask(viewer), { cost: 1, remaining: 2 });
  });

  it.skipIf(!inject('redisUrl'))('counts the refused operations of all instances that share Redis', async () => {
    const servers = { urls: [inject('redisUrl') as string] };
    const options = { servers, limit: 3, prefix: randomUUID(), onError: () => {} };
    const limiters = await Promise.all(times(2, () => createRedisRateLimiter(options)));
    const { key } = await service.organization();
    const [one, other] = limiters.map((rateLimiter) => graphql(appOn(service, { rateLimiter }), key));
    await one?.('{ viewer { keyName } }');
    for (const n of times(3, String)) await one?.(`{ ${aliases(3, 'viewer { keyName }')} } # ${n}`);
    const refused = (await other?.('{ unknown }')) as Answer;
    await Promise.all(limiters.map((limiter) => limiter.close()));
    expect(refused.status).toBe(429);
    expectRateLimit(refused, { cost: 0, remaining: 2 });
  });

  it('does not count refused operations of cached documents', async () => {
    const { ask } = await withLimit(3);
    await ask('{ viewer { keyName } }');
    const expensive = `{ ${aliases(3, 'viewer { keyName }')} }`;
    for (const _ of times(4, String)) expect((await ask(expensive)).status).toBe(429);
    expectRateLimit(await ask('{ viewer { keyName } }'), { cost: 1, remaining: 1 });
  });

  it('charges nothing if a new window begins while an operation is refused because no points remain', async () => {
    const limiter = createMemoryRateLimiter(2);
    const charge = vi.fn(limiter.charge);
    const peek: RateLimiter['peek'] = async (budget, limit) => {
      return { ...(await limiter.peek(budget, limit)), ...(budget.startsWith('key:') && { remaining: 0 }) };
    };
    const { key } = await service.organization();
    const refused = await graphql(appOn(service, { rateLimiter: { ...limiter, charge, peek } }), key)('{ unknown }');
    expect([refused.status, refused.json.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
    expectRateLimit(refused, { cost: 0, remaining: 0 });
    expect(charge).not.toHaveBeenCalled();
  });

  it('returns and logs an internal error even if no points remain to charge for it', async () => {
    const limiter = createMemoryRateLimiter(2);
    const cause = new TypeError('broken');
    const peek: RateLimiter['peek'] = async (budget, limit) => {
      if (budget.startsWith('key:')) throw cause;
      return limiter.peek(budget, limit);
    };
    const { key, keyId } = await service.organization();
    const { log, lines } = recordingLog();
    await limiter.charge(`key:${keyId}`, 2);
    const failed = await graphql(appOn(service, { rateLimiter: { ...limiter, peek }, log }), key)('{ unknown }');
    expect([failed.status, failed.json.errors[0].extensions.code]).toEqual([500, 'internal_error']);
    expect(lines).toContainEqual(expect.objectContaining({ err: expect.objectContaining({ message: 'broken' }) }));
  });

  it('exhausts a limit of 120 with 60 REST requests and 60 queries of one field', async () => {
    const { ask, organization } = await withLimit();
    const answers = await Promise.all(
      times(120, (n) => (n % 2 ? organization.get('/events') : ask('{ events { edges { cursor } } }'))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const remaining = answers.map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')));
    expect(remaining.sort((a, b) => a - b)).toEqual(times(120, (n) => n));
    expect((await ask('{ events { edges { cursor } } }')).status).toBe(429);
    expect((await organization.get('/events')).status).toBe(429);
  });

  it('counts each key of an organization separately', async () => {
    const { ask, app, organization } = await withLimit(2);
    const other = await organization.withScopes('events.view');
    expect((await ask('{ a: __typename viewer { keyName } events { edges { cursor } } }')).status).toBe(200);
    expect((await ask('{ viewer { keyName } }')).status).toBe(429);
    expect((await graphql(app, other.key)('{ viewer { keyName } }')).status).toBe(200);
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
    const json = { 'Content-Type': 'application/json' };
    const requests: Record<string, [status: number, cost: number, init: RequestInit, search?: string]> = {
      'of a query': [200, 1, { method: 'POST', headers: json, body: '{"query":"{ viewer { keyName } }"}' }],
      'of a query by GET': [200, 1, { method: 'GET' }, '?query={viewer{keyName}}'],
      'of a query with a field error': [
        200,
        2,
        {
          method: 'POST',
          headers: json,
          body: '{"query":"{ member(id: \\"x\\") { id } events { edges { cursor } } }"}',
        },
      ],
      'of a syntax error': [400, 1, { method: 'POST', headers: json, body: '{"query":"{"}' }],
      'of an unknown field': [400, 1, { method: 'POST', headers: json, body: '{"query":"{ nothing }"}' }],
      'of a missing variable': [
        400,
        1,
        { method: 'POST', headers: json, body: '{"query":"query ($id: ID!) { member(id: $id) { id } }"}' },
      ],
      'of a request without a query': [400, 1, { method: 'POST', headers: json, body: '{}' }],
      'of invalid JSON': [400, 1, { method: 'POST', headers: json, body: '{' }],
      'of a query that is too complex': [
        400,
        1,
        { method: 'POST', headers: json, body: JSON.stringify({ query: `{ ${aliases(1_000, '__typename')} }` }) },
      ],
      'of a mutation by GET': [405, 1, { method: 'GET' }, '?query=mutation{__typename}'],
      'of a method that is not allowed': [405, 1, { method: 'PUT', headers: json, body: '{}' }],
      'of a body that is too large': [413, 1, { method: 'POST', headers: json, body: ' '.repeat(200_000) }],
      'of a body with an unsupported media type': [
        415,
        1,
        { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' },
      ],
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

    it('of a request that exceeds the limit', async () => {
      const { ask } = await withLimit(1);
      await ask('{ viewer { keyName } }');
      const answer = await ask('{ viewer { keyName } }');
      expect(answer.status).toBe(429);
      expectRateLimit(answer, { cost: 0, remaining: 0 });
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

function aliases(count: number, field: string): string {
  return times(count, (n) => `a${n}: ${field}`).join(' ');
}
