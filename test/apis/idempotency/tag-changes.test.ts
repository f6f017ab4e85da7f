import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { newId } from '../../../src/domain/values/ids.ts';
import { sql } from '../../../src/store/sql.ts';
import { expectInvalid } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { newIdempotencyKey } from './key.ts';

onOneDatabase((service) => {
  describe('of a tag change', () => {
    const CHANGE = `mutation ($input: UpdateMemberTagsInput!) {
      updateMemberTags(input: $input) { tags { id } ignoredTagIds } }`;
    const outcomesOf = ({ id }: TestOrganization) =>
      service.store.db.rows<{ outcome: string }>(
        sql`SELECT outcome::text AS outcome FROM idempotency_record WHERE organization_id = ${id}`,
      );

    it('neither stores nor queries malformed tag ids, and returns them in every response as ignored', async () => {
      const organization = await service.organization();
      const { id } = (await organization.post('/members', person())).json.data;
      const unknown = newId('tag');
      const malformed = times(90, (n) => `never stored ${n} ${'x'.repeat(200)}`);
      const input = { id, add: [...malformed.slice(0, 50), unknown, unknown], remove: malformed.slice(50) };
      const name = randomUUID();
      const query = vi.spyOn(pg.Client.prototype, 'query');
      const first = await graphql(service.app, organization.key)(CHANGE, { input }, { 'Idempotency-Key': name });
      const sent = JSON.stringify(query.mock.calls.map(([statement]) => statement));
      query.mockRestore();
      expect(first.json.data.updateMemberTags).toEqual({
        tags: [],
        ignoredTagIds: [...malformed.slice(0, 50), unknown, ...malformed.slice(50)],
      });
      expect(sent).not.toContain('never stored');
      const again = await graphql(service.app, organization.key)(CHANGE, { input }, { 'Idempotency-Key': name });
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
      expect(again.json.data).toEqual(first.json.data);
      const [stored] = await outcomesOf(organization);
      expect([stored?.outcome.includes(unknown), stored?.outcome.includes('never stored')]).toEqual([true, false]);
      expect(stored?.outcome.length).toBeLessThan(200);
    });

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
      expect(other.json.error.message).toBe('This Idempotency-Key was used for another request');
    });
  });
});
