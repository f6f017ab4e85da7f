import { z } from 'zod';
import type { Context } from './context.ts';
import { invalidRequest } from './errors.ts';
import { GENDERS } from './member.ts';
import { parsePhoneNumber } from './phone.ts';
import { calendarDate, emailAddress, optionalText, requiredText, text } from './text.ts';

/** The optional fields that creating and updating a member share. */
const optionalFields = {
  phone_number: text().nullish(),
  gender: z.enum(GENDERS).nullish(),
  address: optionalText(),
  city: optionalText(),
  state: optionalText(),
  zip_code: optionalText(),
  country: optionalText(),
  marital_status: optionalText(),
  designation_id: text().nullish(),
};

/** The body of `POST /members`. */
export const newMember = z.strictObject({
  first_name: requiredText(),
  last_name: requiredText(),
  email_address: emailAddress,
  ...optionalFields,
  date_of_birth: calendarDate.nullish(),
});

/** The body of `PATCH /members/{object_id}`: only the sent fields change; null clears an optional one. */
export const memberChanges = z.strictObject({
  first_name: requiredText().optional(),
  last_name: requiredText().optional(),
  email_address: emailAddress.optional(),
  ...optionalFields,
});

/**
 * A member's phone number as it is stored.
 *
 * @throws {ServiceError} `invalid_request` when it is none.
 */
export function storedPhoneNumber(context: Context, written: string | null | undefined): string | null {
  if (written == null) return null;
  const stored = parsePhoneNumber(written, context.caller.organization.country);
  if (!stored) {
    throw invalidRequest({
      field: 'phone_number',
      message: 'must be a phone number, best with a leading plus and country code',
    });
  }
  return stored;
}

/** The foreign key that refuses a designation which this organization does not have. */
const DESIGNATION_CONSTRAINT = 'member_organization_id_designation_id_fkey';

/** The refusal that a violated constraint of a member's row stands for, if its input is to blame. */
export function refusalOf(constraint: string | undefined): Error | undefined {
  if (constraint !== DESIGNATION_CONSTRAINT) return undefined;
  return invalidRequest({ field: 'designation_id', message: 'unknown designation' });
}
