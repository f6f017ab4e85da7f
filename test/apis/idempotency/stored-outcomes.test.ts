import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import type { Context } from '../../../src/domain/core/context.ts';
import { ServiceError } from '../../../src/domain/core/errors.ts';
import { purgeIdempotencyRecords, runIdempotently } from '../../../src/domain/core/idempotency.ts';
import type { Scope } from '../../../src/domain/core/scopes.ts';
import { type Sql, sql } from '../../../src/store/sql.ts';
import { expectInvalid } from '../../support/contract.ts';
import { newIdempotencyKey, person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';

onOneDatabase((service) => {
  it('does not replay transient errors', async () => {
    const { id, keyId } = await service.organization();
    const caller = {
      keyId,
      scopes: new Set<Scope>(),
      organization: { id, country: 'US', timeZone: 'UTC' },
    };
    const { db, appSecret } = service.store;
    const context: Context = {
      caller,
      db,
      appSecret,
      apiRequest: { api: 'rest', requestId: 'test' },
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

  const outcomesOf = ({ id }: TestOrganization) =>
    service.store.db.rows<{ outcome: string }>(
      sql`SELECT outcome::text AS outcome FROM idempotency_record WHERE organization_id = ${id}`,
    );

  it('rejects an overlong tag id with its path, and stores nothing', async () => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    const add = ['a', 'b', 'c', 'd'.repeat(256)];
    const answer = await organization.patch(`/members/${id}/tags`, { add }, newIdempotencyKey());
    expectInvalid(answer, 'add.3');
    expect(answer.json.error.message).toBe('add.3: must be at most 255 characters');
    expectInvalid(await organization.patch(`/members/${id}/tags`, { remove: ['e'.repeat(100_000)] }), 'remove.0');
    expect((await organization.patch(`/members/${id}/tags`, { add: ['d'.repeat(255)] })).status).toBe(200);
    expect(await outcomesOf(organization)).toEqual([]);
  });

  it('stores no response larger than 128 KB, but applies the change once and returns it', async () => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    const records = recordsOf(service, organization.id);
    const tags = await Promise.all(times(14, () => records.tag({ description: 'é'.repeat(5_000) })));
    const [first, last] = [tags.slice(0, 12), tags.slice(12)].map((some) => some.map(({ id }) => id));
    const path = `/members/${id}/tags`;
    const [small, large] = [newIdempotencyKey(), newIdempotencyKey()];
    expect((await organization.patch(path, { add: first }, small)).json.data).toHaveLength(12);
    const headers = (await organization.patch(path, { add: first }, small)).headers;
    expect(headers.get('Idempotency-Replayed')).toBe('true');
    const answer = await organization.patch(path, { add: last }, large);
    expect([answer.status, answer.json.data.length]).toEqual([200, 14]);
    await organization.patch(path, { remove: last });
    const again = await organization.patch(path, { add: last }, large);
    expectRefusal(again, 409, 'idempotency_conflict');
    expect(again.json.error.message).toMatch(/was completed, but its response was too large to store/);
    expect((await organization.patch(path, {})).json.data).toHaveLength(12);
    const other = await organization.patch(path, { add: first }, large);
    expect(other.json.error.message).toBe(
      'This Idempotency-Key was used for another request; use a new key for each request, and the same one to repeat it',
    );
  });
});
