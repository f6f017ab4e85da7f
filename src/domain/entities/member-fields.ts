import type { Context } from '../core/context.ts';
import { invalidRequest, notAnId } from '../core/errors.ts';
import { idOfAnotherKind } from '../core/ids.ts';
import { parsePhoneNumber } from '../core/phone.ts';

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
