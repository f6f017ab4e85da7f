import { describe, expect, it } from 'vitest';
import { createApiKey, findKeyIds, listApiKeys, revokeApiKey } from '../../../src/domain/admin/api-key.ts';
import { rotateApiKey } from '../../../src/domain/admin/api-key-rotation.ts';
import { sql } from '../../../src/store/sql.ts';
import { times } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';

onOneDatabase((service) => {
  describe('the limit of active keys', () => {
    /** An organization with `count` active keys. */
    async function withKeys(count: number) {
      const { id, keyId } = await service.organization();
      await service.store.db.rows(sql`
        INSERT INTO api_key (id, organization_id, name, hash, scopes, created_by)
        SELECT 'key_' || n || ${id}, ${id}, 'Many', sha256((n || ${id})::bytea), ARRAY['tags.view'], 'test'
        FROM generate_series(2, ${count}::int) n`);
      const input = { organization_id: id, name: 'One more', scopes: ['tags.view'], expires_in_days: null };
      const active = async () =>
        (await listApiKeys(service.store, id)).filter(({ state }) => state === 'active').length;
      return { id, keyId, input, active };
    }
    const reached = (count: number) =>
      expect.objectContaining({
        code: 'invalid_request',
        message: `An organization has at most ${count} active keys; revoke one first`,
      });

    it('is 50 for each organization', async () => {
      const { input, active } = await withKeys(49);
      await createApiKey(service.store, input, 'test');
      await expect(createApiKey(service.store, input, 'test')).rejects.toEqual(reached(50));
      expect(await active()).toBe(50);
      const other = await service.organization();
      await createApiKey(service.store, { ...input, organization_id: other.id }, 'test');
    });

    it('counts neither revoked nor expired keys', async () => {
      const { id, keyId, input } = await withKeys(50);
      await revokeApiKey(service.store, await findKeyIds(service.store, keyId), 'test');
      await createApiKey(service.store, input, 'test');
      await expect(createApiKey(service.store, input, 'test')).rejects.toEqual(reached(50));
      await service.store.db.rows(
        sql`UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = ${`key_7${id}`}`,
      );
      await createApiKey(service.store, input, 'test');
      await expect(createApiKey(service.store, input, 'test')).rejects.toEqual(reached(50));
    });

    it('holds for concurrent creations', async () => {
      const { input, active } = await withKeys(47);
      const all = await Promise.allSettled(times(10, () => createApiKey(service.store, input, 'test')));
      expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect(all.filter(({ status }) => status === 'rejected')).toEqual(
        times(7, () => ({ status: 'rejected', reason: reached(50) })),
      );
      expect(await active()).toBe(50);
    });

    it('allows rotation of keys at the limit, with and without an overlap', async () => {
      const { keyId, input, active } = await withKeys(50);
      const { id } = await rotateApiKey(
        service.store,
        await findKeyIds(service.store, keyId),
        { overlap_hours: 0 },
        'test',
      );
      expect(await active()).toBe(50);
      await rotateApiKey(service.store, await findKeyIds(service.store, id), { overlap_hours: 24 }, 'test');
      expect(await active()).toBe(51);
      await expect(createApiKey(service.store, input, 'test')).rejects.toEqual(reached(50));
    });

    it('is at most doubled by rotations that leave old keys active', async () => {
      const { keyId, active } = await withKeys(2);
      const limit = { maxActive: 2 };
      const second = await rotateApiKey(
        service.store,
        await findKeyIds(service.store, keyId),
        { overlap_hours: 8_760 },
        'test',
        limit,
      );
      const third = await rotateApiKey(service.store, second, { overlap_hours: 8_760 }, 'test', limit);
      const rotation = (hours: number) => rotateApiKey(service.store, third, { overlap_hours: hours }, 'test', limit);
      await expect(rotation(24)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/4/),
      });
      expect(await active()).toBe(4);
      await rotation(0);
      expect(await active()).toBe(4);
    });
  });
});
