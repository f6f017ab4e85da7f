import { beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { createFailedRequests, type FailedRequests } from '../../src/auth/failed-requests.ts';
import { revokeApiKey } from '../../src/domain/admin/api-key.ts';
import { listFailedRequests } from '../../src/domain/admin/failed-request.ts';
import { sql } from '../../src/store/sql.ts';
import { appOn } from '../support/apps.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';

/** Text that the caller sends in every part of a request. */
const PLANTED = 'Zebulon';

onOneStore((service) => {
  let failedRequests: FailedRequests;
  let app: App;
  beforeAll(() => {
    failedRequests = createFailedRequests(service.store.db, () => {});
    app = appOn(service, { failedRequests });
  });

  const send = async (key: string, path: string, init: RequestInit = {}) =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        ...init,
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', ...init.headers },
      }),
    );
  const post = (key: string, path: string, body: unknown, headers?: Record<string, string>, method = 'POST') =>
    send(key, path, {
      method,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(headers && { headers }),
    });
  const ask = (key: string, query: string, others: object = {}) => post(key, '/graphql', { query, ...others });

  /** API, operation, status, code, field and cost of the failed requests of a key, oldest first. */
  const recorded = async ({ keyId }: TestOrganization) => {
    await failedRequests.flush();
    const requests = await listFailedRequests(service.store, keyId);
    return requests
      .map(({ api, operation, status, code, field, cost }) => [api, operation, status, code, field, cost])
      .reverse();
  };

  it('returns the operation, status, code and field of each failure in both APIs', async () => {
    const organization = await service.organization({ app, scopes: ['members.view', 'members.create', 'tags.view'] });
    const { key } = organization;
    const failures: [() => Promise<unknown>, unknown[]][] = [
      [() => send(key, '/v1/members?limit=0'), ['rest', 'listMembers', 400, 'invalid_request', 'limit', 1]],
      [() => send(key, '/v1/tags/tag_x'), ['rest', 'getTag', 404, 'not_found', null, 1]],
      [() => send(key, '/v1/events'), ['rest', 'listEvents', 403, 'missing_scope', 'events.view', 1]],
      [() => send(key, '/v1/nowhere'), ['rest', null, 404, 'not_found', null, 1]],
      [() => send(key, '/v1/tags', { method: 'DELETE' }), ['rest', null, 405, 'method_not_allowed', null, 1]],
      [
        () => post(key, '/v1/members', { first_name: 'A', last_name: 'B', email_address: '@' }),
        ['rest', 'createMember', 400, 'invalid_request', 'email_address', 1],
      ],
      [() => ask(key, '{ tags(first: 0) { nodes { id } } }'), ['graphql', 'tags', 200, 'invalid_request', 'first', 1]],
      [
        () => ask(key, '{ tags { nodes { id } } mine: events { nodes { id } } }'),
        ['graphql', 'events', 200, 'missing_scope', 'events.view', 2],
      ],
      [() => ask(key, '{ nothing }'), ['graphql', null, 400, 'invalid_request', null, 1]],
      [
        () =>
          ask(key, 'mutation ($in: CreateMemberInput!) { createMember(input: $in) { member { id } } }', {
            variables: { in: { firstName: 1, lastName: 'B', emailAddress: 'a@example.org' } },
          }),
        ['graphql', 'createMember', 400, 'invalid_request', 'firstName', 1],
      ],
    ];
    for (const [fail] of failures) await fail();
    expect(await recorded(organization)).toEqual(failures.map(([, expected]) => expected));
  });

  it('stores no text of the request', async () => {
    const organization = await service.organization({ app });
    const { key } = organization;
    const member = { first_name: PLANTED, last_name: PLANTED, email_address: `${PLANTED}@`, [PLANTED]: PLANTED };
    const headers = { 'Idempotency-Key': `${PLANTED} ${PLANTED}`, 'X-Custom': PLANTED, 'User-Agent': PLANTED };
    await send(key, `/v1/members?q=${PLANTED.repeat(40)}`);
    await send(key, `/v1/members?${PLANTED}=${PLANTED}&cursor=${PLANTED}`);
    await send(key, `/v1/members/${PLANTED}`);
    await send(key, `/v1/${PLANTED}`, { method: PLANTED.toUpperCase() });
    await post(key, '/v1/members', member, headers);
    await post(key, '/v1/members', `{"${PLANTED}": `);
    await post(key, '/v1/members', PLANTED, { 'Content-Type': PLANTED });
    await post(key, `/v1/members/${PLANTED}/tags`, { add: [PLANTED], [PLANTED]: 1 }, {}, 'PATCH');
    await ask(key, `query ${PLANTED} { ${PLANTED}: member(id: "${PLANTED}") { id } }`);
    await ask(key, `{ members(search: "${PLANTED.repeat(40)}", ${PLANTED}: 1) { nodes { id } } }`);
    await ask(key, `query ($${PLANTED}: Int!) { tags(first: $${PLANTED}) { nodes { id } } }`, {
      variables: { [PLANTED]: PLANTED },
    });
    await ask(key, 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }', {
      variables: { input: { firstName: PLANTED, lastName: PLANTED, emailAddress: PLANTED, [PLANTED]: PLANTED } },
    });
    expect((await recorded(organization)).length).toBeGreaterThanOrEqual(12);
    const rows = await service.store.db.rows<{ row: string }>(sql`
      SELECT to_json(f)::text AS row FROM api_key_failed_request f WHERE api_key_id = ${organization.keyId}`);
    expect(rows.filter(({ row }) => row.toLowerCase().includes(PLANTED.toLowerCase()))).toEqual([]);
  });

  it('includes requests over the rate limit, with their operation and without cost', async () => {
    const limited = appOn(service, { failedRequests, limit: 1 });
    const organization = await service.organization({ app: limited });
    for (const path of ['/tags', '/tags', '/members/mem_1']) await organization.get(path);
    expect(await recorded(organization)).toEqual([
      ['rest', 'listTags', 429, 'rate_limited', null, 0],
      ['rest', 'getMember', 429, 'rate_limited', null, 0],
    ]);
  });

  it('includes requests with a revoked key, cached or not, and none with an unknown key', async () => {
    const organization = await service.organization({ app });
    await organization.get('/tags');
    await revokeApiKey(service.store, organization.keyId, 'test');
    await organization.get('/tags');
    await organization.get('/tags');
    expect((await send('cms_x', '/v1/tags')).status).toBe(401);
    expect(await recorded(organization)).toEqual(Array(2).fill(['rest', 'listTags', 401, 'key_revoked', null, 1]));
  });
});
