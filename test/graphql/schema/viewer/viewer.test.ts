import { PrismaPg } from '@prisma/adapter-pg';
import { expect, it } from 'vitest';
import { PrismaClient } from '../../../../src/store/generated/client.ts';
import { sql } from '../../../../src/store/sql.ts';
import { appOn, UNCOUNTED } from '../../../support/apps.ts';
import { codesIn, graphql } from '../../../support/graphql.ts';
import { onOneStore } from '../../../support/service.ts';
import { viewerClient, WITH_FRAGMENT, WITHOUT_FRAGMENT } from './viewer-client.ts';

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

onOneStore((service) => {
  const { createOrganization, createOrganizationWithLists, query, ...insert } = viewerClient(service);
  const { insertUsage, insertAuditEntries, insertFailedRequests } = insert;

  it('returns the organization, the key, its usage by day and scope, and its audit entries', async () => {
    const organization = await createOrganization();
    await insertUsage(organization.keyId, 3);
    const created = await organization.post('/prayer-requests', { description: 'Rain' });
    const viewer = (await query(organization, WITH_FRAGMENT)).json.data.viewer;
    expect(viewer).toEqual({
      organization: { id: organization.id, name: 'Test organization', country: 'US', createdAt: TIMESTAMP },
      keyName: 'Test',
      scopes: expect.arrayContaining(['tags.view']),
      expiresAt: null,
      rateLimit: 1_000_000,
      key: {
        recentRequests: expect.objectContaining({ edges: [] }),
        scopesCountedSince: TIMESTAMP,
        unusedScopes: null,
        id: organization.keyId,
        name: 'Test',
        scopes: viewer.scopes,
        expiresAt: null,
        createdAt: TIMESTAMP,
        firstUsedAt: null,
        lastUsedAt: null,
        usage: {
          edges: ['2026-02-28', '2026-02-27', '2026-02-26'].map((day, index) => ({
            cursor: expect.stringMatching(/^[\w-]{32}$/),
            node: {
              day,
              points: 3 - index,
              scopes: ['events.view', 'tags.view'].map((scope) => ({ scope, requests: 3 - index })),
            },
          })),
          pageInfo: expect.objectContaining({ hasNextPage: false, hasPreviousPage: false }),
        },
        auditEntries: {
          edges: [
            {
              cursor: viewer.key.auditEntries.pageInfo.endCursor,
              node: {
                id: expect.stringMatching(/^aud_[\w-]{32}$/),
                at: TIMESTAMP,
                api: 'rest',
                operation: 'submitPrayerRequest',
                recordId: created.json.data.id,
                result: 'ok',
                requestId: created.headers.get('X-Request-Id'),
              },
            },
          ],
          pageInfo: expect.objectContaining({ hasNextPage: false, hasPreviousPage: false }),
        },
      },
    });
    expect((await query(organization, WITHOUT_FRAGMENT)).json.data.viewer).toEqual(viewer);
  });

  it('returns failed requests of the last seven days, and scopes that were not used for 90', async () => {
    const organization = await service.organization({ scopes: ['tags.view', 'events.view'] });
    const { keyId } = organization;
    await insertFailedRequests(keyId, 2);
    await service.store.db.rows(sql`
      UPDATE api_key_failed_request SET at = now() - interval '7 days 1 second' WHERE api_key_id = ${keyId} AND id = 1`);
    await service.store.db.rows(sql`
      UPDATE api_key SET scopes_counted_since = now() - interval '91 days' WHERE id = ${keyId}`);
    await service.store.db.rows(sql`
      INSERT INTO api_key_operation_usage (api_key_id, operation, scope, requests, last_used_at)
      VALUES (${keyId}, 'listTags', 'tags.view', 1, now() - interval '91 days'), (${keyId}, 'listEvents', 'events.view', 1, now())`);
    const { key } = (await query(organization, WITH_FRAGMENT)).json.data.viewer;
    expect(key.unusedScopes).toEqual(['tags.view']);
    expect(key.recentRequests.edges.map(({ node }: { node: unknown }) => node)).toEqual([
      {
        at: TIMESTAMP,
        api: 'rest',
        operation: 'getTag',
        status: 404,
        code: 'not_found',
        field: null,
        requestId: '2',
        cost: 1,
      },
    ]);
  });

  it('returns to concurrent callers only data of their own key and organization', async () => {
    const [first, second] = await Promise.all([createOrganization(), createOrganization()]);
    const callers = [first, await first.withScopes('events.view'), second, await second.withScopes('tags.view')];
    for (const [index, caller] of callers.entries()) {
      await insertUsage(caller.keyId, 2, 100 * (index + 1));
      await insertAuditEntries(caller, index + 1);
      await insertFailedRequests(caller.keyId, index + 1);
    }
    // Audit entries of operators have no key.
    await service.store.db.rows(sql`
      INSERT INTO audit_entry (organization_id, actor, channel, operation, result)
      VALUES (${first.id}, 'cli:test', 'cli', 'createApiKey', 'ok')`);
    for (const document of [WITH_FRAGMENT, WITHOUT_FRAGMENT]) {
      const answers = await Promise.all(callers.map((caller) => query(caller, document)));
      for (const [index, caller] of callers.entries()) {
        const { organization, key } = answers[index]?.json.data.viewer ?? {};
        expect([organization.id, key.id]).toEqual([caller.id, caller.keyId]);
        const points = key.usage.edges.map(({ node }: { node: { points: number } }) => node.points);
        expect(points).toEqual([100 * (index + 1) + 1, 100 * (index + 1)]);
        expect(key.auditEntries.edges).toHaveLength(index + 1);
        expect(key.recentRequests.edges).toHaveLength(index + 1);
      }
    }
  });

  it('returns the maximum of Int for days with more points', async () => {
    const organization = await createOrganization();
    await insertUsage(organization.keyId, 2, 2 ** 31 - 1);
    const { usage } = (await query(organization, WITH_FRAGMENT)).json.data.viewer.key;
    expect(usage.edges.map(({ node }: { node: { points: number } }) => node.points)).toEqual([2147483647, 2147483647]);
  });

  it('returns unavailable if Prisma Client cannot connect to the database', async () => {
    const organization = await createOrganization();
    const prisma = new PrismaClient({ adapter: new PrismaPg('postgresql://root@127.0.0.1:1/none') });
    const app = appOn({ store: { ...service.store, prisma } }, { keyUsage: UNCOUNTED });
    const answer = await graphql(app, organization.key)('{ viewer { keyName } events { edges { cursor } } }');
    expect(codesIn(answer)).toEqual(['unavailable']);
    expect(answer.text).not.toMatch(/prisma|127\.0\.0\.1|reach database/i);
  });

  it('exposes no hash, prefix or secret of the key', async () => {
    const organization = await createOrganizationWithLists(1);
    const { hash, prefix } = await service.store.prisma.apiKey.findUniqueOrThrow({ where: { id: organization.keyId } });
    const { text } = await query(organization, WITH_FRAGMENT);
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      expect(text).not.toContain(Buffer.from(hash).toString(encoding));
    }
    expect(text).not.toContain(organization.key);
    expect(prefix).toBeTruthy();
    expect(text).not.toContain(prefix as string);
  });
});
