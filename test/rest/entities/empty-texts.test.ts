import { expect, it } from 'vitest';
import { expectInvalid } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it.each(['address', 'city', 'state', 'zip_code', 'country', 'marital_status'])(
    'clears %s of a member that is set to empty text',
    async (field) => {
      const organization = await service.organization();
      const { id } = (await organization.post('/members', person({ [field]: 'a' }))).json.data;
      expect((await organization.patch(`/members/${id}`, { [field]: '' })).json.data[field]).toBeNull();
    },
  );

  it.each(['phone_number', 'gender', 'designation_id'])('rejects empty text as %s of a member', async (field) => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    expectInvalid(await organization.patch(`/members/${id}`, { [field]: '' }), field);
    expect((await organization.patch(`/members/${id}`, { [field]: null })).status).toBe(200);
  });

  it('rejects an empty date of birth of a member', async () => {
    const organization = await service.organization();
    expectInvalid(await organization.post('/members', person({ date_of_birth: '' })), 'date_of_birth');
  });

  it('rejects an empty email address of the sender of a prayer request, and clears other empty texts', async () => {
    const organization = await service.organization();
    const send = (fields: object) => organization.post('/prayer-requests', { description: 'Rain', ...fields });
    expectInvalid(await send({ sender_email: '' }), 'sender_email');
    const { title, sender_phone } = (await send({ title: '', sender_phone: '' })).json.data;
    expect([title, sender_phone]).toEqual([null, null]);
  });
});
