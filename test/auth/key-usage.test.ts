import { expect, it, vi } from 'vitest';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { findKeyIds, getApiKeyHistory } from '../../src/domain/admin/api-key.ts';
import { StoreBusyError } from '../../src/store/connections/fair-queue.ts';
import { raw, sql } from '../../src/store/sql.ts';
import { appOn } from '../support/apps.ts';
import { times } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { onOneDatabase } from '../support/service.ts';
import { intercepting } from '../support/stores/intercepting.ts';

const USES = (['tags.view', 'events.view', 'forms.view'] as const).map((scope) => ({ operation: 'test', scope }));

/** A use of each scope by one operation. */
const used = (...scopes: string[]) => new Set(USES.filter(({ scope }) => scopes.includes(scope)));

onOneDatabase((service) => {
  /** When a key was first and last used, in milliseconds since 1970. */
  const timesOfUse = async (keyId: string) => {
    const { firstUsedAt, lastUsedAt } = await service.store.prisma.apiKey.findUniqueOrThrow({ where: { id: keyId } });
    return { first: firstUsedAt?.getTime(), last: lastUsedAt?.getTime() };
  };
  /** The points of a key on each day. */
  const pointsOf = async (keyId: string) => {
    const rows = await service.store.prisma.apiKeyUsage.findMany({ where: { apiKeyId: keyId } });
    return rows.map(({ points }) => Number(points));
  };
  /** The number of requests by scope, over all days. */
  const requestsByScope = async (keyId: string) => {
    const rows = await service.store.prisma.apiKeyScopeUsage.findMany({ where: { apiKeyId: keyId } });
    return Object.fromEntries(rows.map(({ scope, requests }) => [scope, Number(requests)]));
  };

  it.each(['revoked', 'expired'])('counts no request that is refused because the key is %s', async (state) => {
    const usage = createKeyUsage(service.store.db, () => {});
    const organization = await service.organization({ app: appOn(service, { limit: 100, keyUsage: usage }) });
    await organization.get('/members');
    await usage.flush();
    const before = await timesOfUse(organization.keyId);
    if (state === 'revoked') await organization.revoke();
    else
      await service.store.db.rows(
        sql`UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = ${organization.keyId}`,
      );
    for (const _ of times(3, () => {})) expect((await organization.get('/members')).status).toBe(401);
    await usage.close();
    expect(await pointsOf(organization.keyId)).toEqual([1]);
    expect(await requestsByScope(organization.keyId)).toEqual({ 'members.view': 1 });
    expect(await timesOfUse(organization.keyId)).toEqual(before);
  });

  it('adds a batch once if its response was lost, and adds what was counted meanwhile', async () => {
    const { keyId } = await service.organization();
    const { db } = service.store;
    let lost = 2;
    const write: typeof db.write = async (statement) => {
      const answer = await db.write(statement);
      if (lost-- > 0) throw new StoreBusyError('lost');
      return answer as never;
    };
    const errors: unknown[] = [];
    const usage = createKeyUsage({ ...db, write }, (error) => errors.push(error));
    usage.charge(keyId, 2);
    usage.countRequest(keyId, used('tags.view'), false);
    await usage.flush();
    usage.charge(keyId, 3);
    usage.countRequest(keyId, used('tags.view', 'events.view'), false);
    await usage.flush();
    expect(await pointsOf(keyId)).toEqual([2]);
    await usage.close();
    expect(errors).toHaveLength(2);
    expect([await pointsOf(keyId), await requestsByScope(keyId)]).toEqual([[5], { 'tags.view': 2, 'events.view': 1 }]);
  });

  it('drops a batch that cannot be stored, reports it, and stores the next one', async () => {
    const [invalid, valid] = await Promise.all([service.organization(), service.organization()]);
    const errors: unknown[] = [];
    const usage = createKeyUsage(service.store.db, (_, isDropped) => errors.push(isDropped));
    usage.charge(invalid.keyId, 0.5);
    await usage.flush();
    usage.charge(valid.keyId, 2);
    await usage.close();
    expect([await pointsOf(invalid.keyId), await pointsOf(valid.keyId), errors]).toEqual([[], [2], [true]]);
  });

  it('deletes batches after a day', async () => {
    const { keyId } = await service.organization();
    const { db, prisma } = service.store;
    await db.rows(sql`INSERT INTO api_key_usage_batch (id, written_at) VALUES
      (${`${keyId} old`}, now() - interval '25 hours'), (${`${keyId} new`}, now() - interval '23 hours')`);
    const usage = createKeyUsage(db, () => {});
    usage.charge(keyId, 1);
    await usage.close();
    const left = async () => {
      const batches = await prisma.apiKeyUsageBatch.findMany({ where: { id: { startsWith: keyId } } });
      return batches.map(({ id }) => id);
    };
    // The instance of another test may delete the same batch at this moment.
    await expect.poll(left).toEqual([`${keyId} new`]);
  });

  it('sums the points of concurrent instances', async () => {
    const keys = await Promise.all(times(5, async () => (await service.organization()).keyId));
    const errors: unknown[] = [];
    const instances = times(6, () => createKeyUsage(service.store.db, (error) => errors.push(error)));
    for (const [n, instance] of instances.entries()) {
      for (const keyId of n % 2 ? keys : keys.toReversed()) {
        instance.charge(keyId, n + 1);
        instance.countRequest(
          keyId,
          used(...(n % 2 ? ['tags.view', 'forms.view'] : ['forms.view', 'tags.view'])),
          false,
        );
      }
    }
    await Promise.all(instances.map((instance) => instance.close()));
    expect(errors).toEqual([]);
    for (const keyId of keys) {
      expect([await pointsOf(keyId), await requestsByScope(keyId)]).toEqual([
        [21],
        { 'tags.view': 6, 'forms.view': 6 },
      ]);
    }
  });

  it('counts admitted requests of both APIs at their cost, and the first point of a refused operation', async () => {
    const usage = createKeyUsage(service.store.db, () => {});
    const app = appOn(service, { limit: 7, keyUsage: usage });
    const organization = await service.organization({ app });
    await organization.get('/members');
    await organization.get('/nowhere');
    const query = '{ members { edges { node { id } } } tags { edges { node { id } } } events { nodes { id } } }';
    for (const _ of [1, 2]) await graphql(app, organization.key)(query);
    expect((await organization.get('/members')).status).toBe(200);
    expect((await organization.get('/members')).status).toBe(429);
    await usage.close();
    expect(await pointsOf(organization.keyId)).toEqual([7]);
  });

  it('counts requests by day and hour, and those that were refused or failed', async () => {
    const usage = createKeyUsage(service.store.db, () => {});
    const app = appOn(service, { limit: 4, keyUsage: usage });
    const organization = await service.organization({ app });
    await organization.get('/members');
    await organization.get('/nowhere');
    await graphql(app, organization.key)('{ unknown }');
    await graphql(app, organization.key)('{ viewer { keyName } }');
    expect((await organization.get('/members')).status).toBe(429);
    await usage.close();
    const counts = { points: 4, requests: 5, failed: 3 };
    for (const table of ['api_key_usage', 'api_key_hourly_usage']) {
      expect(
        await service.store.db.rows(sql`
          SELECT points::int, requests::int, failed::int FROM ${raw(table)} WHERE api_key_id = ${organization.keyId}`),
      ).toEqual([counts]);
    }
  });

  it('counts no scope that a key lacks, and none of a refused request', async () => {
    const usage = createKeyUsage(service.store.db, () => {});
    const app = appOn(service, { keyUsage: usage, limit: 2 });
    const organization = await service.organization({ app, scopes: ['events.view'] });
    for (const [path, status] of [
      ['/members', 403],
      ['/events', 200],
      ['/events', 429],
    ] as const) {
      expect((await organization.get(path)).status).toBe(status);
    }
    await usage.close();
    expect(await requestsByScope(organization.keyId)).toEqual({ 'events.view': 1 });
  });

  it('keeps the first use and updates the last one', async () => {
    const { keyId } = await service.organization();
    await service.store.db.rows(sql`
      UPDATE api_key SET first_used_at = '2020-01-01Z', last_used_at = '2020-01-02Z' WHERE id = ${keyId}`);
    const usage = createKeyUsage(service.store.db, () => {});
    usage.recordUse(keyId);
    expect((await timesOfUse(keyId)).last).toBe(Date.UTC(2020, 0, 2));
    await usage.close();
    const { first, last } = await timesOfUse(keyId);
    expect(first).toBe(Date.UTC(2020, 0, 1));
    expect(last).toBeGreaterThan(Date.now() - 60_000);
  });

  it('lists uses by requests in the history of a key', async () => {
    const organization = await service.organization();
    await organization.get('/members');
    await expect
      .poll(async () =>
        (await getApiKeyHistory(service.store, await findKeyIds(service.store, organization.keyId))).map(
          ({ event }) => event,
        ),
      )
      .toEqual(['created', 'first_used', 'last_used']);
  });

  it('stores the time of a use, not the time at which it is written', async () => {
    const { keyId } = await service.organization();
    const usage = createKeyUsage(service.store.db, () => {});
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() - 60_000);
    usage.recordUse(keyId);
    usage.countRequest(keyId, new Set([{ operation: 'test', scope: 'tags.view' }]), false);
    now.mockRestore();
    await usage.close();
    const [ages] = await service.store.db.rows<{ key: number; operation: number }>(sql`
      SELECT extract(epoch FROM now() - k.last_used_at)::float8 AS key,
        extract(epoch FROM now() - o.last_used_at)::float8 AS operation
      FROM api_key k JOIN api_key_operation_usage o ON o.api_key_id = k.id WHERE k.id = ${keyId}`);
    expect(ages?.key).toBeGreaterThan(59);
    expect(ages?.operation).toBeGreaterThan(59);
  });

  it('never stores a use after the revocation of the key', async () => {
    const { keyId, revoke } = await service.organization();
    const usage = createKeyUsage(service.store.db, () => {});
    usage.recordUse(keyId);
    await revoke();
    usage.charge(keyId, 1);
    await usage.close();
    const { revokedAt } = await service.store.prisma.apiKey.findUniqueOrThrow({ where: { id: keyId } });
    expect((await timesOfUse(keyId)).last).toBeLessThanOrEqual(revokedAt?.getTime() ?? 0);
  });

  it('keeps the latest use when instances write out of order', async () => {
    const { keyId } = await service.organization();
    const [early, late] = [createKeyUsage(service.store.db, () => {}), createKeyUsage(service.store.db, () => {})];
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() - 60_000);
    early.recordUse(keyId);
    now.mockRestore();
    late.recordUse(keyId);
    await late.close();
    const last = (await timesOfUse(keyId)).last;
    await early.close();
    expect((await timesOfUse(keyId)).last).toBe(last);
  });

  // A statement for all of them takes longer than the statement timeout, and would be repeated without end.
  it('stores the usage of thousands of keys in statements of at most 1,000 rows', async () => {
    const uses = new Set([
      { operation: 'listTags', scope: 'tags.view' },
      { operation: 'listEvents', scope: 'events.view' },
    ] as const);
    const counts: number[] = [];
    const db = intercepting(service.store.db, (statement) => {
      const values = statement.values.flat().map(String);
      counts.push(values.filter((value) => value.startsWith('key_')).length);
    });
    const usage = createKeyUsage(db, () => {});
    for (const n of times(3_000, (n) => n)) {
      usage.charge(`key_${n}`, 2);
      usage.countRequest(`key_${n}`, uses, false);
    }
    await usage.close();
    expect(Math.max(...counts)).toBeLessThanOrEqual(1_000);
    expect(counts.reduce((sum, count) => sum + count)).toBe(5 * 3_000);
  });
});
