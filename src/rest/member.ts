import { z } from 'zod';
import { gender } from '../domain/member-fields.ts';
import { day, flag, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A member (specification, "Member"). */
export const memberRecord = defineRecord(
  z.object({
    id: text('The person’s id, the same in every organization.'),
    first_name: text('Given name.'),
    last_name: text('Family name.'),
    email_address: text('Email address, in lower case.'),
    phone_number: text('Phone number in E.164, an extension as `;ext=`.').nullable(),
    gender: gender.nullable().describe('Gender.'),
    marital_status: text('Marital status, free text.').nullable(),
    date_of_birth: day('Date of birth.').nullable(),
    address: text('Street and number.').nullable(),
    city: text('City.').nullable(),
    state: text('State or province.').nullable(),
    zip_code: text('Postal code.').nullable(),
    country: text('Country, free text.').nullable(),
    designation: text('The name of the designation.').nullable(),
    is_guest: flag('Whether the person is a guest.'),
    created_at: moment('When the member entered the organization.'),
    updated_at: moment('When the member was last changed.'),
  }),
  {
    id: 'Member',
    description: 'A person as the key’s organization knows them.',
    example: {
      id: 'mem_01j00000000000000000000001',
      first_name: 'Amara',
      last_name: 'Okafor',
      email_address: 'amara.okafor@example.org',
      phone_number: '+12025550100',
      gender: 'Female',
      marital_status: 'Married',
      date_of_birth: '1973-06-27',
      address: '1612 Chestnut Drive',
      city: 'Washington',
      state: 'DC',
      zip_code: '20011',
      country: 'United States',
      designation: 'Senior Pastor',
      is_guest: false,
      created_at: '2026-01-05T12:00:00.000Z',
      updated_at: '2026-01-11T03:00:00.000Z',
    },
  },
);
