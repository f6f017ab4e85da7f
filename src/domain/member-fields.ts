import { z } from 'zod';
import type { Context } from './context.ts';
import { invalidRequest, notAnId } from './errors.ts';
import { idOfAnotherKind } from './ids.ts';
import { GENDERS } from './member.ts';
import { parsePhoneNumber } from './phone.ts';
import { calendarDate, emailAddress, optionalText, requiredText, text } from './text.ts';
import { refuseFields } from './unknown-fields.ts';

/** The gender of a member; one schema, so that the description has it once. */
export const gender = z.enum(GENDERS).meta({ id: 'Gender', description: 'The gender of a member.' });

/** The optional fields that creating and updating a member share. */
const optionalFields = {
  phone_number: text()
    .nullish()
    .describe('Any format that libphonenumber accepts; without a country code read in the organization’s country.'),
  gender: gender.nullish().describe('Gender.'),
  address: optionalText().describe('Street and number.'),
  city: optionalText().describe('City.'),
  state: optionalText().describe('State or province.'),
  zip_code: optionalText().describe('Postal code.'),
  country: optionalText().describe('Country, free text.'),
  marital_status: optionalText().describe('Marital status, free text.'),
  designation_id: text().nullish().describe('The id of one of the organization’s designations.'),
};

const firstName = requiredText().describe('Given name.');
const lastName = requiredText().describe('Family name.');
const address = emailAddress.describe('Email address; trimmed, and kept in lower case.');

/** The body of `POST /members`. */
export const newMember = z
  .strictObject({
    first_name: firstName,
    last_name: lastName,
    email_address: address,
    ...optionalFields,
    date_of_birth: calendarDate.nullish().describe('Date of birth; set on creation only.'),
  })
  .meta({ id: 'NewMember', description: 'A new member.' });
refuseFields(newMember, { designation: 'use designation_id' });

/** The body of `PATCH /members/{object_id}`: only the sent fields change; null clears an optional one. */
export const memberChanges = z
  .strictObject({
    first_name: firstName.optional(),
    last_name: lastName.optional(),
    email_address: address.optional(),
    ...optionalFields,
  })
  .meta({ id: 'MemberChanges', description: 'What changes of a member; null clears an optional field.' });
refuseFields(memberChanges, {
  date_of_birth: 'is set on creation only',
  designation: 'use designation_id',
});

/** What is wrong with a phone number that is none. */
export const NO_PHONE_NUMBER = {
  field: 'phone_number',
  message: 'must be a phone number, best with a leading plus and country code',
};

/**
 * A member's phone number as it is stored.
 *
 * @throws {ServiceError} `invalid_request` when it is none.
 */
export function storedPhoneNumber(context: Context, written: string | null | undefined): string | null {
  if (written == null) return null;
  const stored = parsePhoneNumber(written, context.caller.organization.country);
  if (!stored) throw invalidRequest(NO_PHONE_NUMBER);
  return stored;
}

/** The foreign key that refuses a designation which this organization does not have. */
const DESIGNATION_CONSTRAINT = 'member_organization_id_designation_id_fkey';

/** The refusal that a violated constraint of a member's row stands for, if its input is to blame. */
export function refusalOf(
  constraint: string | undefined,
  { designation_id }: { readonly designation_id?: string | null | undefined },
): Error | undefined {
  if (constraint !== DESIGNATION_CONSTRAINT) return undefined;
  const otherId = idOfAnotherKind('dsg', designation_id ?? '');
  const wrongKind = otherId === undefined ? '' : `; ${notAnId(otherId, 'designation')}`;
  return invalidRequest({ field: 'designation_id', message: `unknown designation${wrongKind}` });
}
