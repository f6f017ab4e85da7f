import { beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { createFailedRequests, type FailedRequests } from '../../src/auth/failed-requests.ts';
import { findKeyIds, revokeApiKey } from '../../src/domain/admin/api-key.ts';
import { listFailedRequests } from '../../src/domain/admin/failed-request.ts';
import { sql } from '../../src/store/sql.ts';
import { appOn } from '../support/apps.ts';
import { client } from '../support/client.ts';
import { graphql } from '../support/graphql.ts';
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

  /** API, operation, status, code, field and cost of the failed requests of a key, oldest first. */
  const recorded = async ({ keyId }: TestOrganization) => {
    await failedRequests.flush();
    const requests = await listFailedRequests(service.store, await findKeyIds(service.store, keyId));
    return requests
      .map(({ api, operation, status, code, field, cost }) => [api, operation, status, code, field, cost])
      .reverse();
  };

  it('returns the operation, status, code and field of each failure in both APIs', async () => {
    const organization = await service.organization({ app, scopes: ['members.view', 'members.create', 'tags.view'] });
    const { get, post, request, key } = organization;
    const ask = graphql(app, key);
    const create = 'mutation ($in: CreateMemberInput!) { createMember(input: $in) { member { id } } }';
    const invalid = { firstName: 1, lastName: 'B', emailAddress: 'a@example.org' };
    const failures: [() => Promise<unknown>, unknown[]][] = [
      [() => get('/members?limit=0'), ['rest', 'listMembers', 400, 'invalid_request', 'limit', 1]],
      [() => get('/tags/tag_x'), ['rest', 'getTag', 404, 'not_found', null, 1]],
      [() => get('/events'), ['rest', 'listEvents', 403, 'missing_scope', 'events.view', 1]],
      [() => get('/nowhere'), ['rest', null, 404, 'not_found', null, 1]],
      [() => request('DELETE', '/tags'), ['rest', null, 405, 'method_not_allowed', null, 1]],
      [
        () => post('/members', { first_name: 'A', last_name: 'B', email_address: '@' }),
        ['rest', 'createMember', 400, 'invalid_request', 'email_address', 1],
      ],
      [() => ask('{ tags(first: 0) { nodes { id } } }'), ['graphql', 'tags', 200, 'invalid_request', 'tags.first', 1]],
      [
        () => ask('{ tags { nodes { id } } mine: events { nodes { id } } }'),
        ['graphql', 'events', 200, 'missing_scope', 'events.view', 2],
      ],
      [() => ask('{ nothing }'), ['graphql', null, 400, 'invalid_request', null, 1]],
      [
        () => ask('query Page { tags { nodes { id } } all: members { nodes { id nothing } } }'),
        ['graphql', 'members', 400, 'invalid_request', 'members.nodes', 1],
      ],
      [
        () => ask('{ members { nodes { id tags(firts: 1) { nodes { id } } } } }'),
        ['graphql', 'members', 400, 'invalid_request', 'members.nodes.tags', 1],
      ],
      [() => ask(create, { in: invalid }), ['graphql', 'createMember', 400, 'invalid_request', 'firstName', 1]],
    ];
    for (const [fail] of failures) await fail();
    expect(await recorded(organization)).toEqual(failures.map(([, expected]) => expected));
  });

  it('stores no text of the request', async () => {
    const organization = await service.organization({ app });
    const { get, post, patch, request, key } = organization;
    const ask = graphql(app, key);
    const member = { first_name: PLANTED, last_name: PLANTED, email_address: `${PLANTED}@`, [PLANTED]: PLANTED };
    const headers = { 'Idempotency-Key': `${PLANTED} ${PLANTED}`, 'X-Custom': PLANTED, 'User-Agent': PLANTED };
    await get(`/members?q=${PLANTED.repeat(40)}`);
    await get(`/members?${PLANTED}=${PLANTED}&cursor=${PLANTED}`);
    await get(`/members/${PLANTED}`);
    await request(PLANTED.toUpperCase(), `/${PLANTED}`);
    await post('/members', member, headers);
    for (const type of ['application/json', PLANTED]) {
      await request('POST', '/members', { body: `{"${PLANTED}": `, headers: { 'Content-Type': type } });
    }
    await patch(`/members/${PLANTED}/tags`, { add: [PLANTED], [PLANTED]: 1 });
    await ask(`query ${PLANTED} { ${PLANTED}: member(id: "${PLANTED}") { id } }`);
    await ask(`{ members(search: "${PLANTED.repeat(40)}", ${PLANTED}: 1) { nodes { id } } }`);
    await ask(`query ($${PLANTED}: Int!) { tags(first: $${PLANTED}) { nodes { id } } }`, { [PLANTED]: PLANTED });
    await ask('mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }', {
      input: { firstName: PLANTED, lastName: PLANTED, emailAddress: PLANTED, [PLANTED]: PLANTED },
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
    await revokeApiKey(service.store, await findKeyIds(service.store, organization.keyId), 'test');
    await organization.get('/tags');
    await organization.get('/tags');
    expect((await client(app, 'cms_x').get('/tags')).status).toBe(401);
    expect(await recorded(organization)).toEqual(Array(2).fill(['rest', 'listTags', 401, 'key_revoked', null, 1]));
  });
});
