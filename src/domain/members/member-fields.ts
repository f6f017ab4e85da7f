import type { Context } from '../core/context.ts';
import { type FieldError, invalidRequest } from '../core/errors.ts';
import { unvalidatedField } from '../core/parse-input.ts';
import { unknownDesignation } from '../entities/designation.ts';
import { parsePhoneNumber } from '../values/phone.ts';
import { text } from '../values/text.ts';

/**
 * Parses the phone number of a member for storage.
 *
 * @throws {ServiceError} `invalid_request` if it is not a valid phone number.
 */
export function normalizePhoneNumber(context: Context, number: string | null | undefined): string | null {
  if (number == null) return null;
  const parsed = parsePhoneNumber(number, context.caller.organization.country);
  if ('problem' in parsed) throw invalidRequest({ field: 'phone_number', message: parsed.problem });
  return parsed.number;
}

const phoneText = text();

/** Returns the error for the phone number of unvalidated fields of a member, if it is text but not valid. */
export function phoneNumberErrors({ caller }: Context, fields: unknown): FieldError[] {
  const { success, data: number } = phoneText.safeParse(unvalidatedField(fields, 'phone_number'));
  if (!success) return [];
  const parsed = parsePhoneNumber(number, caller.organization.country);
  return 'problem' in parsed ? [{ field: 'phone_number', message: parsed.problem }] : [];
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
