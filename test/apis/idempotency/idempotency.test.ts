import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { newIdempotencyKey, person, times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneDatabase } from '../../support/service.ts';

onOneDatabase((service) => {
  const CREATE = 'mutation($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }';

  it('replays the first response to a repeated POST, and sets Idempotency-Replayed', async () => {
    const organization = await service.organization();
    const [body, headers] = [person(), newIdempotencyKey()];
    const first = await organization.post('/members', body, headers);
    const again = await organization.post('/members', body, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(first.headers.get('Idempotency-Replayed')).toBeNull();
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await organization.get('/members')).json.data).toHaveLength(1);
  });

  it.each([
    ['/v1/prayer-requests', { description: 'Rain' }],
    ['/graphql', { query: 'mutation { submitPrayerRequest(input: { description: "Rain" }) { record { id } } }' }],
  ])('refuses X-Idempotency-Key at %s, which other services read', async (path, body) => {
    const { key } = await service.organization();
    const headers = { 'X-Api-Key': key, 'X-Idempotency-Key': 'a', 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await service.app.fetch(new Request(`http://service.test${path}`, init));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('X-Idempotency-Key: is not read; send it as Idempotency-Key');
  });

  it('creates one prayer request for five identical submissions', async () => {
    const organization = await service.organization();
    const headers = newIdempotencyKey();
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
    const headers = newIdempotencyKey();
    const body = { email_address: other.email_address };
    const refused = await organization.patch(`/members/${json.data.id}`, body, headers);
    await organization.patch(`/members/${other.id}`, { email_address: person().email_address });
    const again = await organization.patch(`/members/${json.data.id}`, body, headers);
    expect([refused.status, again.status]).toEqual([409, 409]);
    expect(again.text).toBe(refused.text);
  });

  it('rejects the same idempotency key with different input, and for another operation', async () => {
    const organization = await service.organization();
    const headers = newIdempotencyKey();
    const { json } = await organization.post('/members', person(), headers);
    for (const other of [
      await organization.post('/members', person(), headers),
      await organization.patch(`/members/${json.data.id}`, { city: 'Springfield' }, headers),
    ]) {
      expect([other.status, other.json.error.code]).toEqual([409, 'idempotency_conflict']);
    }
  });

  it('scopes idempotency keys to an API key', async () => {
    const [one, two] = [await service.organization(), await service.organization()];
    const headers = newIdempotencyKey();
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
    const again = await graphql(service.app, organization.key)(CREATE, { input }, { 'Idempotency-Key': name });
    expect(again.json.data.createMember.member.id).toBe(first.json.data.id);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  });

  it('replays a request whose JSON objects have the same members in another order', async () => {
    const organization = await service.organization();
    const [body, headers] = [person(), newIdempotencyKey()];
    await organization.post('/members', body, headers);
    const reversed = Object.fromEntries(Object.entries(body).reverse());
    expect((await organization.post('/members', reversed, headers)).headers.get('Idempotency-Replayed')).toBe('true');
  });

  it('distinguishes several mutations of one request, and these from a key that ends with # and a number', async () => {
    const organization = await service.organization();
    const ask = graphql(service.app, organization.key);
    const member = () => ({ firstName: 'A', lastName: 'B', emailAddress: person().email_address });
    const document = `mutation($a: CreateMemberInput!, $b: CreateMemberInput!) {
      a: createMember(input: $a) { member { id } } b: createMember(input: $b) { member { id } } }`;
    const name = randomUUID();
    const variables = { a: member(), b: member() };
    const first = (await ask(document, variables, { 'Idempotency-Key': name })).json.data;
    expect(first.a.member.id).not.toBe(first.b.member.id);
    expect((await ask(document, variables, { 'Idempotency-Key': name })).json.data).toEqual(first);
    const [body, headers] = [person(), { 'Idempotency-Key': `${name}#1` }];
    const created = await organization.post('/members', body, headers);
    expect([created.status, created.headers.get('Idempotency-Replayed')]).toEqual([201, null]);
    const { first_name: firstName, last_name: lastName, email_address: emailAddress } = body as Record<string, string>;
    const again = await ask(CREATE, { input: { firstName, lastName, emailAddress } }, headers);
    expect(again.json.data.createMember.member.id).toBe(created.json.data.id);
  });
});
