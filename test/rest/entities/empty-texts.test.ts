import { expect, it } from 'vitest';
import { expectInvalid } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';

const FILLED = {
  phone_number: '+12025550123',
  gender: 'Female',
  marital_status: 'Single',
  address: '1 Maple Avenue',
  city: 'Salem',
  state: 'OH',
  zip_code: '45501',
  country: 'United States',
};

onOneStore((service) => {
  it('clears every optional field of a member that is set to empty text', async () => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person(FILLED))).json.data;
    const emptied = Object.fromEntries([...Object.keys(FILLED), 'designation_id'].map((name) => [name, ' ']));
    const { data } = (await organization.patch(`/members/${id}`, emptied)).json;
    expect(data).toMatchObject(Object.fromEntries(Object.keys(FILLED).map((name) => [name, null])));
    const created = await organization.post('/members', person({ ...emptied, date_of_birth: '' }));
    expect(created.json.data).toMatchObject({ gender: null, date_of_birth: null, phone_number: null });
  });

  it.each(['first_name', 'last_name', 'email_address'])('says that an empty %s is required', async (field) => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    for (const value of ['', ' \t\n', '\u00a0', null]) {
      const changed = await organization.patch(`/members/${id}`, { [field]: value });
      for (const answer of [changed, await organization.post('/members', person({ [field]: value }))]) {
        expectInvalid(answer, field);
        expect(answer.json.error.details).toEqual([{ field, message: 'required' }]);
      }
    }
  });

  it('clears empty texts of a prayer request', async () => {
    const organization = await service.organization();
    const body = { description: 'Rain', title: '', sender_email: '', sender_phone: '' };
    const { data } = (await organization.post('/prayer-requests', body)).json;
    expect(data).toMatchObject({ title: null, sender_email: null, sender_phone: null });
  });
});
