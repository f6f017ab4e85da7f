import { expect, it, vi } from 'vitest';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { getApiKeyHistory } from '../../src/domain/admin/api-key.ts';
import { StoreBusyError } from '../../src/store/connections/fair-queue.ts';
import { sql } from '../../src/store/sql.ts';
import { times } from '../support/data.ts';
import { onEachStore } from '../support/service.ts';
import { timesOfUse } from './stored-usage.ts';

onEachStore((service) => {
  it('writes the first use immediately', async () => {
    const { keyId } = await service.organization();
    const usage = createKeyUsage(service.store.db, () => {});
    usage.recordUse(keyId, true);
    await usage.close();
    const { first, last } = await timesOfUse(service, keyId);
    expect(first).toBeGreaterThan(Date.now() - 60_000);
    expect(last).toBe(first);
  });

  it('keeps the first use and updates the last one', async () => {
    const { keyId } = await service.organization();
    await service.store.db.rows(sql`
      UPDATE api_key SET first_used_at = '2020-01-01Z', last_used_at = '2020-01-02Z' WHERE id = ${keyId}`);
    const usage = createKeyUsage(service.store.db, () => {});
    usage.recordUse(keyId, false);
    expect((await timesOfUse(service, keyId)).last).toBe(Date.UTC(2020, 0, 2));
    await usage.close();
    const { first, last } = await timesOfUse(service, keyId);
    expect(first).toBe(Date.UTC(2020, 0, 1));
    expect(last).toBeGreaterThan(Date.now() - 60_000);
  });

  it('writes many uses of many keys in one statement', async () => {
    const organizations = await Promise.all(times(3, () => service.organization()));
    const ran: string[] = [];
    const { db } = service.store;
    const write: typeof db.write = (statement) => {
      ran.push(statement.text);
      return db.write(statement);
    };
    const usage = createKeyUsage({ ...db, write }, () => {});
    for (const n of times(30, (n) => n)) usage.recordUse(organizations[n % 3]?.keyId ?? '', false);
    await usage.close();
    expect(ran).toHaveLength(1);
    for (const { keyId } of organizations) expect((await timesOfUse(service, keyId)).last).toBeTypeOf('number');
  });

  it('retries a use that could not be written, and reports the error', async () => {
    const { keyId } = await service.organization();
    const [errors, { db }] = [[] as unknown[], service.store];
    let unreachable = true;
    const write: typeof db.write = (statement) =>
      unreachable ? Promise.reject(new StoreBusyError('unreachable')) : db.write(statement);
    const usage = createKeyUsage({ ...db, write }, (error) => errors.push(error));
    usage.recordUse(keyId, false);
    await usage.flush();
    expect(errors).toEqual([new StoreBusyError('unreachable')]);
    unreachable = false;
    await usage.close();
    expect((await timesOfUse(service, keyId)).first).toBeTypeOf('number');
  });

  it('lists uses by requests in the history of a key', async () => {
    const organization = await service.organization();
    await organization.get('/members');
    await expect
      .poll(async () => (await getApiKeyHistory(service.store, organization.keyId)).map(({ event }) => event))
      .toEqual(['created', 'first_used', 'last_used']);
  });

  it('stores the time of a use, not the time at which it is written', async () => {
    const { keyId } = await service.organization();
    const usage = createKeyUsage(service.store.db, () => {});
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() - 60_000);
    usage.recordUse(keyId, false);
    usage.countScopes(keyId, new Set([{ operation: 'test', scope: 'tags.view' }]));
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
    usage.recordUse(keyId, false);
    await revoke();
    usage.charge(keyId, 1);
    await usage.close();
    const { revokedAt } = await service.store.prisma.apiKey.findUniqueOrThrow({ where: { id: keyId } });
    expect((await timesOfUse(service, keyId)).last).toBeLessThanOrEqual(revokedAt?.getTime() ?? 0);
  });

  it('keeps the latest use when instances write out of order', async () => {
    const { keyId } = await service.organization();
    const [early, late] = [createKeyUsage(service.store.db, () => {}), createKeyUsage(service.store.db, () => {})];
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() - 60_000);
    early.recordUse(keyId, false);
    now.mockRestore();
    late.recordUse(keyId, false);
    await late.close();
    const last = (await timesOfUse(service, keyId)).last;
    await early.close();
    expect((await timesOfUse(service, keyId)).last).toBe(last);
  });
});
