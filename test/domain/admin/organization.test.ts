import { expect, it } from 'vitest';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import {
  createOrganization,
  findOrganizations,
  listOrganizations,
  readOrganization,
  updateOrganization,
} from '../../../src/domain/admin/organization.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { onOneDatabase } from '../../support/service.ts';

const invalid = (field: string) =>
  expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(field) });

onOneDatabase((service) => {
  it('is created with a name and a country, and listed oldest first', async () => {
    const first = await createOrganization(service.store, { name: ' Grace Chapel ', country: 'ng' }, 'test');
    expect(first).toEqual({
      id: expect.stringMatching(/^org_[0-9a-z]{26}$/),
      name: 'Grace Chapel',
      country: 'NG',
      time_zone: 'UTC',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const second = await createOrganization(service.store, { name: 'Grace Chapel', country: 'GB' }, 'test');
    const own = (await listOrganizations(service.store)).filter(({ id }) => [first.id, second.id].includes(id));
    expect(own).toEqual([first, second]);
  });

  it('stores its time zone and changes it', async () => {
    const input = { name: 'Grace Chapel', country: 'US', time_zone: 'America/New_York' };
    const made = await createOrganization(service.store, input, 'test');
    expect(made.time_zone).toBe('America/New_York');
    const changed = await updateOrganization(service.store, { id: made.id, time_zone: 'Europe/Berlin' }, 'test');
    expect(changed).toEqual({ ...made, time_zone: 'Europe/Berlin' });
    expect(await readOrganization(service.store, made.id)).toEqual(changed);
    const [entry] = await listAudit(service.store, { organization_id: made.id, limit: 10 });
    expect(entry).toMatchObject({ operation: 'updateOrganization', actor: 'test', record_id: made.id });
    await expect(
      updateOrganization(service.store, { id: 'org_unknown', time_zone: 'UTC' }, 'test'),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['Berlin', '+02:00', '', '../UTC', null])('rejects the time zone %j', async (time_zone) => {
    const input = { name: 'Grace Chapel', country: 'US', time_zone };
    await expect(createOrganization(service.store, input, 'test')).rejects.toThrow(invalid('time_zone'));
  });

  it('is found by its id and by any part of its name in any letter case', async () => {
    const name = `100% Chapel_${newId('org')}`;
    const made = await createOrganization(service.store, { name, country: 'GB' }, 'test');
    const find = (q: string, limit = 10) => findOrganizations(service.store, { q, limit });
    expect(await readOrganization(service.store, made.id)).toEqual(made);
    expect(await find(made.id)).toEqual([made]);
    expect(await find(name.slice(2).toUpperCase())).toEqual([made]);
    expect(await find(name.replace('Chapel', 'Ch_pel'))).toEqual([]);
    expect(await find(name.replace('Chapel', 'Ch%l'))).toEqual([]);
    expect(await find('', 1)).toHaveLength(1);
    await expect(readOrganization(service.store, 'org_unknown')).rejects.toMatchObject({ code: 'not_found' });
    await expect(find('a\0')).rejects.toThrow(invalid('q'));
  });

  // The latter are reserved, withdrawn or user-assigned codes: no phone number could be parsed there.
  it.each(['', 'USA', '1A', 'ÄÖ', 840, null, 'UK', 'EU', 'XA', 'ZZ', 'AN', 'SU'])(
    'rejects the country %j',
    async (country) => {
      await expect(createOrganization(service.store, { name: 'X', country }, 'test')).rejects.toThrow(
        invalid('country'),
      );
    },
  );
});
