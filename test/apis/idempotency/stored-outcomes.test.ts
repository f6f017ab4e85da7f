import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import type { Context } from '../../../src/domain/core/context.ts';
import { ServiceError } from '../../../src/domain/core/errors.ts';
import { purgeIdempotencyRecords, runIdempotently } from '../../../src/domain/core/idempotency.ts';
import type { Scope } from '../../../src/domain/core/scopes.ts';
import { type Sql, sql } from '../../../src/store/sql.ts';
import { onOneDatabase } from '../../support/service.ts';
import { newIdempotencyKey } from './key.ts';

onOneDatabase((service) => {
  it('does not replay transient errors', async () => {
    const { id, keyId } = await service.organization();
    const caller = {
      keyId,
      scopes: new Set<Scope>(),
      organization: { id, country: 'US', timeZone: 'UTC' },
    };
    const { db, cursorSecret } = service.store;
    const context: Context = {
      caller,
      db,
      cursorSecret,
      origin: { api: 'rest', requestId: 'test' },
    };
    const idempotencyKey = { key: randomUUID(), replayed: () => {} };
    const write = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new ServiceError('unavailable', 'Try again'))
      .mockResolvedValue('written');
    const attempt = () => runIdempotently(context, idempotencyKey, { operation: 'test', input: {}, write });
    await expect(attempt()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await attempt()).toBe('written');
    expect(await attempt()).toBe('written');
    expect(write).toHaveBeenCalledTimes(2);
  });

  it('keeps an outcome for 24 hours', async () => {
    const organization = await service.organization();
    const headers = newIdempotencyKey();
    await organization.post('/prayer-requests', { description: 'Rain' }, headers);
    await service.store.db.rows(sql`
      UPDATE idempotency_record SET created_at = now() - interval '24 hours 1 second' WHERE organization_id = ${organization.id}`);
    const later = await organization.post('/prayer-requests', { description: 'Sun' }, headers);
    expect([later.status, later.headers.get('Idempotency-Replayed')]).toEqual([201, null]);
  });

  it('purges expired outcomes in short batches, and keeps the others', async () => {
    const { id, keyId } = await service.organization();
    const { db } = service.store;
    await db.rows(sql`
      INSERT INTO idempotency_record (organization_id, api_key_id, key, fingerprint, outcome, created_at)
      SELECT ${id}, ${keyId}, n, '', '{}', now() - n * interval '1 minute' FROM generate_series(1439, 3500) AS n`);
    const parts: number[] = [];
    const write: typeof db.write = async <Row>(statement: Sql) => {
      const forgotten = await db.write<Row>(statement);
      parts.push(forgotten.length);
      return forgotten;
    };
    await purgeIdempotencyRecords({ ...db, write });
    expect(parts.slice(0, 2)).toEqual([1_000, 1_000]);
    expect(await db.rows(sql`SELECT key FROM idempotency_record WHERE organization_id = ${id}`)).toEqual([
      { key: '1439' },
    ]);
  });
});
