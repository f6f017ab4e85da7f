import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import type { Context } from '../../../src/domain/core/context.ts';
import { ServiceError } from '../../../src/domain/core/errors.ts';
import { purgeIdempotencyRecords, runIdempotently } from '../../../src/domain/core/idempotency.ts';
import type { Scope } from '../../../src/domain/core/scopes.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { type Sql, sql } from '../../../src/store/sql.ts';
import { answerOf } from '../../support/client.ts';
import { expectInvalid } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { expectRefusal } from '../../support/requests/refusal.ts';
import { onEachStore, type TestOrganization } from '../../support/service.ts';

onEachStore((service) => {
  const graphql = async (organization: TestOrganization, query: string, variables: object, key: string) =>
    answerOf(
      await service.app.fetch(
        new Request('http://service.test/graphql', {
          method: 'POST',
          headers: { 'X-Api-Key': organization.key, 'Content-Type': 'application/json', 'Idempotency-Key': key },
          body: JSON.stringify({ query, variables }),
        }),
      ),
    );
  const CREATE = 'mutation($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }';
  const CREATE_TWO = `mutation($a: CreateMemberInput!, $b: CreateMemberInput!) {
    a: createMember(input: $a) { member { id } } b: createMember(input: $b) { member { id } } }`;
  const memberInput = () => ({ firstName: 'A', lastName: 'B', emailAddress: person().email_address });
  const key = () => ({ 'Idempotency-Key': randomUUID() });

  it('replays the first response to a repeated POST, and sets Idempotency-Replayed', async () => {
    const organization = await service.organization();
    const [body, headers] = [person(), key()];
    const first = await organization.post('/members', body, headers);
    const again = await organization.post('/members', body, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(first.headers.get('Idempotency-Replayed')).toBeNull();
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await organization.get('/members')).json.data).toHaveLength(1);
  });

  it('creates one prayer request for five identical submissions', async () => {
    const organization = await service.organization();
    const headers = key();
    const answers = await Promise.all(
      times(5, () => organization.post('/prayer-requests', { description: 'Rain' }, headers)),
    );
    for (const { status, json } of answers) {
      expect(status === 201 || json.error.code === 'idempotency_in_flight').toBe(true);
    }
    const [row] = await service.store.db.rows<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM prayer_request WHERE organization_id = ${organization.id}`,
    );
    expect(row?.count).toBe(1);
  });

  it('replays an error even if the request would now succeed', async () => {
    const organization = await service.organization();
    const { json } = await organization.post('/members', person());
    const other = (await organization.post('/members', person())).json.data;
    const headers = key();
    const body = { email_address: other.email_address };
    const refused = await organization.patch(`/members/${json.data.id}`, body, headers);
    await organization.patch(`/members/${other.id}`, { email_address: person().email_address });
    const again = await organization.patch(`/members/${json.data.id}`, body, headers);
    expect([refused.status, again.status]).toEqual([409, 409]);
    expect(again.text).toBe(refused.text);
  });

  it('does not replay transient errors', async () => {
    const { id, keyId } = await service.organization();
    const caller = {
      ...{ keyId, keyName: 'Test', scopes: new Set<Scope>(), expiresAt: null },
      organization: { id, name: 'Test', country: 'US' },
    };
    const { db, cursorSecret } = service.store;
    const context: Context = {
      ...{ caller, confirmed: Promise.resolve(caller), db, cursorSecret },
      origin: { api: 'rest', requestId: 'test' },
    };
    const idempotencyKey = { key: randomUUID(), replayed: () => {} };
    const write = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new ServiceError('unavailable', 'Try again'))
      .mockResolvedValue('written');
    const attempt = () => runIdempotently(context, idempotencyKey, 'test', {}, write);
    await expect(attempt()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await attempt()).toBe('written');
    expect(await attempt()).toBe('written');
    expect(write).toHaveBeenCalledTimes(2);
  });

  it('rejects the same idempotency key with different input', async () => {
    const organization = await service.organization();
    const headers = key();
    await organization.post('/members', person(), headers);
    const other = await organization.post('/members', person(), headers);
    expect([other.status, other.json.error.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('rejects the same idempotency key for another operation', async () => {
    const organization = await service.organization();
    const headers = key();
    const { json } = await organization.post('/members', person(), headers);
    const other = await organization.patch(`/members/${json.data.id}`, { city: 'Springfield' }, headers);
    expect([other.status, other.json.error.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('scopes idempotency keys to an API key', async () => {
    const [one, two] = [await service.organization(), await service.organization()];
    const headers = key();
    const answers = [await one.post('/members', person(), headers), await two.post('/members', person(), headers)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('replays a POST through GraphQL', async () => {
    const organization = await service.organization();
    const { first_name, last_name, email_address } = person();
    const name = randomUUID();
    const first = await organization.post(
      '/members',
      { first_name, last_name, email_address },
      { 'Idempotency-Key': name },
    );
    const input = { firstName: first_name, lastName: last_name, emailAddress: email_address };
    const again = await graphql(organization, CREATE, { input }, name);
    expect(again.json.data.createMember.member.id).toBe(first.json.data.id);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  });

  it.each([randomUUID(), 'x'.repeat(255)])(
    'distinguishes several mutations of one request with the key %s',
    async (name) => {
      const organization = await service.organization();
      const variables = { a: memberInput(), b: memberInput() };
      const first = await graphql(organization, CREATE_TWO, variables, name);
      const again = await graphql(organization, CREATE_TWO, variables, name);
      expect(first.json.data.a.member.id).not.toBe(first.json.data.b.member.id);
      expect(again.json.data).toEqual(first.json.data);
    },
  );

  it.each(['k#1', 'k#0', 'k#1#1'])(
    'the key %s is another key than those of several mutations with the key k',
    async (name) => {
      const organization = await service.organization();
      for (const many of ['k', name]) {
        const { json } = await graphql(organization, CREATE_TWO, { a: memberInput(), b: memberInput() }, many);
        expect(json.errors).toBeUndefined();
      }
      const { status } = await organization.post('/members', person(), { 'Idempotency-Key': `${name}#1` });
      expect(status).toBe(201);
    },
  );

  it.each(['', 'x'.repeat(256), 'a b'])('rejects the key %j', async (name) => {
    const organization = await service.organization();
    const answer = await organization.post('/members', person(), { 'Idempotency-Key': name });
    expect([answer.status, answer.json.error.details[0].field]).toEqual([400, 'Idempotency-Key']);
  });

  it('keeps an outcome for 24 hours', async () => {
    const organization = await service.organization();
    const headers = key();
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
      const first = await graphql(organization, CHANGE, { input }, name);
      const sent = JSON.stringify(query.mock.calls.map(([statement]) => statement));
      query.mockRestore();
      expect(first.json.data.updateMemberTags).toEqual({
        tags: [],
        ignoredTagIds: [...malformed.slice(0, 50), unknown, ...malformed.slice(50)],
      });
      expect(sent).not.toContain('never stored');
      const again = await graphql(organization, CHANGE, { input }, name);
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
      const answer = await organization.patch(`/members/${id}/tags`, { add }, key());
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
      const [small, large] = [key(), key()];
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
