import { expect, it } from 'vitest';
import { expectInvalid } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { onOneStore } from '../support/service.ts';

const INVALID = { first_name: ' ', phone_number: 'call me' };

onOneStore((service) => {
  it('lists an invalid phone number together with other invalid fields', async () => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    expectInvalid(await organization.post('/members', person(INVALID)), 'first_name', 'phone_number');
    expectInvalid(await organization.patch(`/members/${id}`, INVALID), 'first_name', 'phone_number');
  });

  it('reports an overlong phone number only once', async () => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    const tooLong = { first_name: ' ', phone_number: '1'.repeat(256) };
    expectInvalid(await organization.patch(`/members/${id}`, tooLong), 'first_name', 'phone_number');
  });

  it('has an entry of userErrors for an invalid phone number beside another invalid field', async () => {
    const organization = await service.organization();
    const { id } = (await organization.post('/members', person())).json.data;
    const { json } = await graphql(service.app, organization.key)(
      `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { record { id } userErrors { field } } }`,
      { input: { id, firstName: ' ', phoneNumber: 'call me' } },
    );
    expect(json.data.updateMember.userErrors).toEqual([{ field: ['firstName'] }, { field: ['phoneNumber'] }]);
  });
});
