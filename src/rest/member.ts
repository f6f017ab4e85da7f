import { z } from 'zod';
import { GENDERS } from '../domain/member.ts';
import { day, field, flag, formatted, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A member (specification, "Member"). */
export const memberRecord = defineRecord(
  z
    .object({
      id: text('The person’s id, the same in every organization.', 'mem_01j00000000000000000000001'),
      first_name: text('Given name.', 'Amara'),
      last_name: text('Family name.', 'Okafor'),
      email_address: formatted('email', 'Email address, in lower case.', 'amara.okafor@example.org'),
      phone_number: text('Phone number in E.164, an extension as `;ext=`.', '+12025550100').nullable(),
      gender: field(z.enum(GENDERS), 'Gender.', 'Female').nullable(),
      marital_status: text('Marital status, free text.', 'Married').nullable(),
      date_of_birth: day('Date of birth.', '1973-06-27').nullable(),
      address: text('Street and number.', '1612 Chestnut Drive').nullable(),
      city: text('City.', 'Washington').nullable(),
      state: text('State or province.', 'DC').nullable(),
      zip_code: text('Postal code.', '20011').nullable(),
      country: text('Country, free text.', 'United States').nullable(),
      designation: text('The name of the designation.', 'Senior Pastor').nullable(),
      is_guest: flag('Whether the person is a guest.', false),
      created_at: moment('When the member entered the organization.', '2026-01-05T12:00:00.000Z'),
      updated_at: moment('When the member was last changed.', '2026-01-11T03:00:00.000Z'),
    })
    .meta({ id: 'Member', description: 'A person as the key’s organization knows them.' }),
);
