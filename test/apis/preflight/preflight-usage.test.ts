import { beforeAll, expect, it } from 'vitest';
import type { FailedRequests } from '../../../src/auth/failed-requests.ts';
import type { KeyUsage } from '../../../src/auth/key-usage.ts';
import { revokeApiKey } from '../../../src/domain/admin/api-key.ts';
import { createMemoryRateLimiter } from '../../../src/rate-limit/rate-limiter.ts';
import { appOn, UNCOUNTED } from '../../support/apps.ts';
import { client } from '../../support/client.ts';
import { times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { statementsDuring } from '../../support/stores/statements.ts';

const PREFLIGHT = { Preflight: 'true' };
const QUERY = '{ members { nodes { id tags { id } } } }';

onOneStore((service) => {
  const person = { first_name: 'A', last_name: 'B', email_address: 'preflight@example.org' };
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await service.organization();
  });

  it('runs no statement except the key lookup, and records no use of the key', async () => {
    const fresh = await service.organization();
    const { key } = fresh;
    const uses: unknown[] = [];
    const keyUsage: KeyUsage = {
      ...UNCOUNTED,
      recordUse: () => uses.push('use'),
      charge: () => uses.push('charge'),
      countScopes: (_key, scopeUses) => uses.push(...scopeUses),
    };
    const failedRequests: FailedRequests = {
      record: (_key, request) => uses.push(request),
      flush: async () => {},
      close: async () => {},
    };
    const app = appOn(service, { keyUsage, failedRequests });
    const statements = await statementsDuring(async () => {
      await fresh.through(app).get('/members?q=a&count=true', PREFLIGHT);
      await fresh.through(app).post('/members', person, { ...PREFLIGHT, 'Idempotency-Key': 'once' });
      await graphql(app, key)(QUERY, undefined, PREFLIGHT);
      await graphql(app, key)('{ viewer { organization { name } } }', undefined, PREFLIGHT);
      // The requests below fail.
      await fresh.through(app).get('/members?limit=0', PREFLIGHT);
      await fresh.through(app).get('/nothing', PREFLIGHT);
      await graphql(app, key)('{ nothing }', undefined, PREFLIGHT);
      await graphql(app, key)('{ members(first: 0) { nodes { id } } }', undefined, PREFLIGHT);
    });

    expect(statements.filter((text) => !text.includes('FROM api_key k JOIN organization'))).toEqual([]);
    expect(uses).toEqual([]);
    expect(await service.store.prisma.idempotencyRecord.count({ where: { apiKeyId: fresh.keyId } })).toBe(0);
    expect(await service.store.prisma.auditEntry.count({ where: { apiKeyId: fresh.keyId } })).toBe(0);
  });

  it('charges no points to the key, and has a separate limit of 120 a minute', async () => {
    const app = appOn(service, { limit: 3, keyUsage: UNCOUNTED });
    const { key, ...own } = (await service.organization()).through(app);
    expect((await own.get('/members')).headers.get('X-RateLimit-Remaining')).toBe('2');
    for (let left = 119; left >= 118; left -= 1) {
      const { headers } = await own.get('/members', PREFLIGHT);
      expect([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')]).toEqual(['120', String(left)]);
    }
    for (let left = 118; left > 0; left -= 1) await graphql(app, key)(QUERY, undefined, PREFLIGHT);
    const refused = await graphql(app, key)(QUERY, undefined, PREFLIGHT);
    expect([refused.status, refused.headers.get('Retry-After') !== null]).toEqual([429, true]);
    expect((await own.get('/members', PREFLIGHT)).json.error.code).toBe('rate_limited');
    expect((await own.get('/members')).headers.get('X-RateLimit-Remaining')).toBe('1');
  });

  it('is limited to 600 a minute for all keys of an organization', async () => {
    const first = await service.organization();
    const others = await Promise.all(times(5, () => first.withScopes('members.view')));
    const last = others.pop() as TestOrganization;
    for (const own of [first, ...others]) {
      const answers = await Promise.all(times(120, () => own.get('/members', PREFLIGHT)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    const refused = await last.get('/members', PREFLIGHT);
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited']);
    expect(refused.json.error.message).toBe('The organization’s limit of 600 preflights/minute is used up');
    expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect([refused.headers.get('X-RateLimit-Limit'), refused.headers.get('X-RateLimit-Remaining')]).toEqual([
      '120',
      '120',
    ]);
    expect((await last.get('/members')).status).toBe(200);
    expect((await (await service.organization()).get('/members', PREFLIGHT)).status).toBe(200);
  });

  it('takes nothing from the budget of the key if the organization’s limit is used up', async () => {
    const rateLimiter = createMemoryRateLimiter(100);
    const own = await service.organization();
    const through = own.through(appOn(service, { rateLimiter }));
    const ask = graphql(appOn(service, { rateLimiter }), own.key);
    const organizationBudget = [`preflight:${own.id}`, 599, 600] as const;
    await rateLimiter.charge(...organizationBudget);
    expect((await through.get('/tags', PREFLIGHT)).headers.get('X-RateLimit-Remaining')).toBe('119');
    const refused = await Promise.all([
      ...times(3, () => through.get('/tags', PREFLIGHT)),
      ...times(3, () => ask(QUERY, undefined, PREFLIGHT)),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(times(6, () => 429));
    expect(await rateLimiter.peek(`preflight:${own.keyId}`, 120)).toMatchObject({ remaining: 119 });
    expect((await ask(QUERY, undefined, PREFLIGHT)).headers.get('X-RateLimit-Remaining')).toBe('119');
    expect((await ask(QUERY, undefined, PREFLIGHT)).json.extensions.rateLimit).toMatchObject({
      cost: 0,
      remaining: 119,
    });
  });

  it.each(['1', 'yes', 'true, true'])('executes nothing when the header is %s', async (value) => {
    const answer = await organization.post('/members', person, { Preflight: value });
    expect([answer.status, answer.json.error.details[0].field]).toEqual([400, 'Preflight']);
  });

  it('checks an invalid header in the order of all checks: after key, rate limit, path, method and scope', async () => {
    const app = appOn(service, { limit: 6, keyUsage: UNCOUNTED });
    const own = (await organization.withScopes('events.view')).through(app);
    const invalid = { Preflight: 'yes' };
    const answers = [
      await client(app, 'cms_unknown').get('/events', invalid),
      await own.get('/nothing', invalid),
      await own.request('DELETE', '/events', { headers: invalid }),
      await own.get('/members', invalid),
      await own.get('/events?limit=0', invalid),
      await graphql(app, own.key)('{', undefined, invalid),
      await own.get('/events'),
      await own.get('/events', invalid),
    ];
    expect(answers.map(({ status, json }) => [status, json.error?.code ?? json.errors?.[0].extensions.code])).toEqual([
      [401, 'invalid_api_key'],
      [404, 'not_found'],
      [405, 'method_not_allowed'],
      [403, 'missing_scope'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [200, undefined],
      [429, 'rate_limited'],
    ]);
    expect(answers[4]?.json.error.details).toEqual([{ field: 'Preflight', message: 'must be true or false' }]);
    expect(answers[5]?.json.errors[0].extensions.details[0].field).toBe('Preflight');
  });

  it.each(['TRUE', 'True'])('is recognized by the header %s', async (value) => {
    const { json } = await organization.post('/members', person, { Preflight: value });
    expect(json.preflight.refusal).toBeNull();
  });

  it('predicts an invalid cursor of a list with a filter', async () => {
    for (const filter of ['tag_id=tag_01j00000000000000000000001', 'updated_since=2026-01-31']) {
      const path = `/members?${filter}&cursor=x`;
      const statements = await statementsDuring(async () => {
        expect((await organization.get(path, PREFLIGHT)).json.preflight.refusal.code).toBe('invalid_cursor');
        expect((await organization.get(path)).json.error.code).toBe('invalid_cursor');
      });
      expect(statements.filter((text) => /FROM (tag|organization|member)\b/.test(text))).toEqual([]);
    }
  });

  it('validates a persisted operation by its id, and rejects an unknown id like the request', async () => {
    const app = appOn(service, { persistedOperations: { mode: 'only', documents: new Map([['a1', QUERY]]) } });
    const ask = graphql(app, organization.key);
    const { cost, rest } = (await ask.post({ documentId: 'a1' }, PREFLIGHT)).json.extensions.preflight;
    expect([cost, rest.requests[0].path]).toEqual([2, '/v1/members']);
    for (const request of [{ documentId: 'a2' }, { query: QUERY }]) {
      const [foreseen, actual] = [await ask.post(request, PREFLIGHT), await ask.post(request)];
      expect([foreseen.status, foreseen.json.errors]).toEqual([actual.status, actual.json.errors]);
    }
  });

  it('records no failed request for a revoked key', async () => {
    const codes: string[] = [];
    const failedRequests: FailedRequests = {
      record: (_key, { code }) => codes.push(code),
      flush: async () => {},
      close: async () => {},
    };
    const app = appOn(service, { keyUsage: UNCOUNTED, failedRequests });
    const own = (await service.organization()).through(app);
    await revokeApiKey(service.store, own.keyId, 'test');
    expect((await own.get('/tags', PREFLIGHT)).json.error.code).toBe('key_revoked');
    expect(codes).toEqual([]);
    await own.get('/tags');
    expect(codes).toEqual(['key_revoked']);
  });
});
