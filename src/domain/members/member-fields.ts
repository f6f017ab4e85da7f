import type { Caller } from '../core/context.ts';
import { type FieldError, invalidRequest } from '../core/errors.ts';
import { unvalidatedField } from '../core/parse-input.ts';
import { unknownDesignation } from '../entities/designation.ts';
import { parsePhoneNumber } from '../values/phone.ts';
import { calendarDate, text } from '../values/text.ts';
import { DAY_MS, dayAt } from '../values/time-zone.ts';
import { withValue } from '../values/words.ts';

/** The attributes of an organization on which the values of its members depend. */
export type MemberRules = Omit<Caller['organization'], 'id'>;

const phoneText = text();

/**
 * Checks those fields of a member whose values depend on the organization. Blank texts, which clear a field, are ignored, as
 * are values that are invalid in every organization: the schema reports them.
 *
 * @param fields the fields, not validated yet.
 * @returns the phone number as it is stored, if there is one, and the errors.
 */
export function checkMemberFields(
  fields: unknown,
  { country, timeZone }: MemberRules,
): { readonly values: { readonly phone_number?: string }; readonly errors: readonly FieldError[] } {
  const validText = (schema: typeof phoneText | typeof calendarDate, name: string) => {
    const value = unvalidatedField(fields, name);
    const isEmpty = value == null || (typeof value === 'string' && value.trim() === '');
    return isEmpty ? undefined : schema.safeParse(value).data;
  };
  const number = validText(phoneText, 'phone_number');
  const birth = validText(calendarDate, 'date_of_birth');
  const phone = number === undefined ? undefined : parsePhoneNumber(number, country);
  const errors: FieldError[] = [];
  if (phone && 'problem' in phone) errors.push({ field: 'phone_number', message: withValue(phone.problem, number) });
  if (birth !== undefined && !isDateOfBirth(birth, timeZone))
    errors.push({ field: 'date_of_birth', message: withValue(NO_DATE_OF_BIRTH, birth) });
  return { values: phone && 'number' in phone ? { phone_number: phone.number } : {}, errors };
}

/**
 * Converts validated fields of a member for storage.
 *
 * @throws {ServiceError} `invalid_request` with the errors of {@link checkMemberFields}.
 */
export function memberFieldsToStore<Fields extends object>(fields: Fields, rules: MemberRules): Fields {
  const { values, errors } = checkMemberFields(fields, rules);
  if (errors.length > 0) throw invalidRequest(...errors);
  return { ...fields, ...values };
}

const FIRST_DATE_OF_BIRTH = '1850-01-01';
const NO_DATE_OF_BIRTH = `must be a date from ${FIRST_DATE_OF_BIRTH} to today`;

/** Whether a date is possible as the date of birth of a member. @param now for tests. */
export function isDateOfBirth(date: string, timeZone: string, now = new Date()): boolean {
  if (date < FIRST_DATE_OF_BIRTH) return false;
  // Time zone lookups are slow. A date up to yesterday in UTC is not in the future in any time zone.
  const yesterday = new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10);
  return date <= yesterday || date <= dayAt(now, timeZone);
}

/** The foreign key that ensures that the designation belongs to the organization. */
const DESIGNATION_CONSTRAINT = 'member_organization_id_designation_id_fkey';

/** Returns the error for a violated constraint of `member`, if the input caused it. */
export function constraintError(
  constraint: string | undefined,
  { designation_id }: { readonly designation_id?: string | null | undefined },
): Error | undefined {
  if (constraint !== DESIGNATION_CONSTRAINT) return undefined;
  return invalidRequest({ field: 'designation_id', message: unknownDesignation(designation_id ?? '') });
}
