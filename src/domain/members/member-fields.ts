import type { Context } from '../core/context.ts';
import { invalidRequest, notAnId } from '../core/errors.ts';
import { idOfAnotherKind } from '../values/ids.ts';
import { parsePhoneNumber } from '../values/phone.ts';

/** The error for an invalid phone number. */
export const INVALID_PHONE_NUMBER = {
  field: 'phone_number',
  message: 'must be a phone number, best with a leading plus and country code',
};

/**
 * Parses the phone number of a member for storage.
 *
 * @throws {ServiceError} `invalid_request` if it is not a phone number.
 */
export function normalizePhoneNumber(context: Context, text: string | null | undefined): string | null {
  if (text == null) return null;
  const stored = parsePhoneNumber(text, context.caller.organization.country);
  if (!stored) throw invalidRequest(INVALID_PHONE_NUMBER);
  return stored;
}

/** The foreign key that ensures that the designation belongs to the organization. */
const DESIGNATION_CONSTRAINT = 'member_organization_id_designation_id_fkey';

/** Returns the error for a violated constraint of `member`, if the input caused it. */
export function constraintError(
  constraint: string | undefined,
  { designation_id }: { readonly designation_id?: string | null | undefined },
): Error | undefined {
  if (constraint !== DESIGNATION_CONSTRAINT) return undefined;
  const otherId = idOfAnotherKind('dsg', designation_id ?? '');
  const wrongKind = otherId === undefined ? '' : `; ${notAnId(otherId, 'designation')}`;
  return invalidRequest({ field: 'designation_id', message: `unknown designation${wrongKind}` });
}
