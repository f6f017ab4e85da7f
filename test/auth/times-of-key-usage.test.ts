import { expect, it, vi } from 'vitest';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { sql } from '../../src/store/sql.ts';
import { onEachStore } from '../support/service.ts';

onEachStore((service) => {
  const lastUseOf = async (keyId: string) => {
    const { lastUsedAt } = await service.store.prisma.apiKey.findUniqueOrThrow({ where: { id: keyId } });
    return lastUsedAt?.getTime();
  };

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
    expect(await lastUseOf(keyId)).toBeLessThanOrEqual(revokedAt?.getTime() ?? 0);
  });

  it('keeps the latest use when instances write out of order', async () => {
    const { keyId } = await service.organization();
    const [early, late] = [createKeyUsage(service.store.db, () => {}), createKeyUsage(service.store.db, () => {})];
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() - 60_000);
    early.recordUse(keyId, false);
    now.mockRestore();
    late.recordUse(keyId, false);
    await late.close();
    const last = await lastUseOf(keyId);
    await early.close();
    expect(await lastUseOf(keyId)).toBe(last);
  });
});
