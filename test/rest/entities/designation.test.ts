import { expect, it } from 'vitest';
import { kindsOf, listIn, recordIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it('lists designations by id and name', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const usher = await records.designation({ name: 'Usher' });
    const deacon = await records.designation({ name: 'Deacon' });
    const listed = listIn(await organization.get('/designations'));
    expect(listed).toEqual([
      { id: usher.id, name: 'Usher' },
      { id: deacon.id, name: 'Deacon' },
    ]);
    expect(kindsOf(listed[0])).toEqual({ id: 'string', name: 'string' });
  });

  it('lists ids that are valid as designation_id of a new member', async () => {
    const organization = await service.organization();
    await recordsOf(service, organization.id).designation({ name: 'Deacon' });
    const [{ id }] = listIn(await organization.get('/designations'));
    const member = recordIn(await organization.post('/members', person({ designation_id: id })), 201);
    expect(member.designation).toBe('Deacon');
  });

  it('does not list a designation of another organization', async () => {
    const other = await service.organization();
    await recordsOf(service, other.id).designation();
    const organization = await service.organization();
    expect(listIn(await organization.get('/designations'))).toEqual([]);
  });
});
