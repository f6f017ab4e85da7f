import { expect, it } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { person } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { recordsOf } from '../support/records.ts';
import { onOneDatabase } from '../support/service.ts';

onOneDatabase((service) => {
  const entries = (organizationId: string) =>
    service.store.db.rows(sql`
      SELECT channel, operation, record_id, result, api_key_id, request_id FROM audit_entry
      WHERE organization_id = ${organizationId} AND channel <> 'cli' ORDER BY id`);

  const refusals = async (organizationId: string) => {
    const all = (await entries(organizationId)) as { operation: string; result: string; record_id: string | null }[];
    return all.filter(({ result }) => result !== 'ok').map((one) => [one.operation, one.result, one.record_id]);
  };

  it('records every write with its key, API, operation, record and request', async () => {
    const organization = await service.organization();
    const headers = { 'X-Request-Id': 'asked-1' };
    const { json } = await organization.post('/members', person(), headers);
    await organization.patch(`/members/${json.data.id}`, { city: 'Springfield' }, headers);
    await organization.patch(`/members/${json.data.id}/tags`, { add: [] }, headers);
    const request = await organization.post('/prayer-requests', { description: 'Rain' }, headers);
    const form = await recordsOf(service, organization.id).form({ isPublished: true, acceptingResponse: true });
    const response = await organization.post(`/forms/${form.id}/responses`, { answers: {} }, headers);
    const common = { channel: 'rest', result: 'ok', api_key_id: organization.keyId, request_id: 'asked-1' };
    expect(await entries(organization.id)).toEqual([
      { ...common, operation: 'createMember', record_id: json.data.id },
      { ...common, operation: 'updateMember', record_id: json.data.id },
      { ...common, operation: 'updateMemberTags', record_id: json.data.id },
      { ...common, operation: 'submitPrayerRequest', record_id: request.json.data.id },
      { ...common, operation: 'submitFormResponse', record_id: response.json.data.id },
    ]);
  });

  it('records the id of a refused write from its path or input', async () => {
    const organization = await service.organization();
    const [holder, other] = [person(), person()];
    await organization.post('/members', holder);
    const { id } = (await organization.post('/members', other)).json.data;
    const unknown = 'mem_01kw00000000000000000000zz';
    await organization.patch(`/members/${unknown}`, { city: 'Springfield' });
    await organization.patch(`/members/${unknown}/tags`, { add: [] });
    await organization.patch(`/members/${id}`, { email_address: holder.email_address });
    await organization.patch(`/members/${id}`, { email_address: holder.email_address }, { 'Idempotency-Key': 'once' });
    const mutation = 'mutation ($id: ID!) { updateMember(input: { id: $id, city: "A" }) { member { id } } }';
    await graphql(service.app, organization.key)(mutation, { id: unknown });
    const form = await recordsOf(service, organization.id).form();
    await organization.post(`/forms/${form.id}/responses`, { answers: {} });
    expect(await refusals(organization.id)).toEqual([
      ['updateMember', 'not_found', unknown],
      ['updateMemberTags', 'not_found', unknown],
      ['updateMember', 'email_in_use', id],
      ['updateMember', 'email_in_use', id],
      ['updateMember', 'not_found', unknown],
      ['submitFormResponse', 'form_closed', `form_${form.id}`],
    ]);
  });

  it('does not record malformed ids', async () => {
    const organization = await service.organization();
    const sent = ['ada@example.org', organization.key, `mem_${'x'.repeat(200)}`, 'mem_\u202e', 'mem_'];
    for (const id of sent) await organization.patch(`/members/${encodeURIComponent(id)}`, { city: 'Springfield' });
    const nothing = ['updateMember', 'not_found', null];
    expect(await refusals(organization.id)).toEqual(sent.map(() => nothing));
  });

  it('does not record reads', async () => {
    const organization = await service.organization();
    await organization.get('/members');
    expect(await entries(organization.id)).toEqual([]);
  });

  it('rejects UPDATE, DELETE and TRUNCATE of audit entries', async () => {
    const organization = await service.organization();
    await organization.post('/members', person());
    const own = sql`organization_id = ${organization.id}`;
    await expect(service.store.db.rows(sql`UPDATE audit_entry SET result = 'x' WHERE ${own}`)).rejects.toThrow(
      /append/,
    );
    await expect(service.store.db.rows(sql`DELETE FROM audit_entry WHERE ${own}`)).rejects.toThrow(/append/);
    for (const truncate of [sql`TRUNCATE audit_entry`, sql`TRUNCATE audit_entry RESTART IDENTITY CASCADE`]) {
      // In a transaction, so that a database that allows it remains unchanged.
      const truncated = service.store.db.transaction(async (transaction) => {
        await transaction.rows(truncate);
        throw new Error('this was allowed');
      });
      await expect(truncated).rejects.toThrow(/append/);
    }
  });
});
