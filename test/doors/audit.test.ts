import { expect, it } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import { person } from '../support/data.ts';
import { onEachStore } from '../support/service.ts';

onEachStore((service) => {
  const entries = (organizationId: string) =>
    service.store.db.rows(sql`
      SELECT door, operation, record_id, result, api_key_id, request_id FROM audit_entry
      WHERE organization_id = ${organizationId} AND door <> 'cli' ORDER BY id`);

  it('notes every write with its key, door, operation, record and request', async () => {
    const organization = await service.organization();
    const headers = { 'X-Request-Id': 'asked-1' };
    const { json } = await organization.post('/members', person(), headers);
    await organization.patch(`/members/${json.data.id}`, { city: 'Springfield' }, headers);
    await organization.patch(`/members/${json.data.id}/tags`, { add: [] }, headers);
    const request = await organization.post('/prayer-requests', { description: 'Rain' }, headers);
    const common = { door: 'rest', result: 'ok', api_key_id: organization.keyId, request_id: 'asked-1' };
    expect(await entries(organization.id)).toEqual([
      { ...common, operation: 'createMember', record_id: json.data.id },
      { ...common, operation: 'updateMember', record_id: json.data.id },
      { ...common, operation: 'updateMemberTags', record_id: json.data.id },
      { ...common, operation: 'submitPrayerRequest', record_id: request.json.data.id },
    ]);
  });

  it('notes a write that was refused, and why', async () => {
    const organization = await service.organization();
    const body = person();
    await organization.post('/members', body);
    await organization.post('/members', body);
    await organization.patch('/members/mem_unknown', { city: 'Springfield' });
    const results = (await entries(organization.id)).map((entry) => (entry as { result: string }).result);
    expect(results).toEqual(['ok', 'member_exists', 'not_found']);
  });

  it('notes nothing of reads', async () => {
    const organization = await service.organization();
    await organization.get('/members');
    expect(await entries(organization.id)).toEqual([]);
  });

  it('lets nobody change what was noted', async () => {
    const organization = await service.organization();
    await organization.post('/members', person());
    const own = sql`organization_id = ${organization.id}`;
    await expect(service.store.db.rows(sql`UPDATE audit_entry SET result = 'x' WHERE ${own}`)).rejects.toThrow(
      /append/,
    );
    await expect(service.store.db.rows(sql`DELETE FROM audit_entry WHERE ${own}`)).rejects.toThrow(/append/);
  });
});
