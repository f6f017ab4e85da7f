import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { expectInvalid } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { newIdempotencyKey } from './key.ts';

onOneDatabase((service) => {
  describe('of a tag change', () => {
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
      expect(other.json.error.message).toMatch(/^This Idempotency-Key was used for another request/);
    });
  });
});
