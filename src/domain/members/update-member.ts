import type { Database } from '../../store/database.ts';
import { violatedConstraint } from '../../store/errors.ts';
import { sql } from '../../store/sql.ts';
import { invalidRequest, recordError, type ServiceError } from '../core/errors.ts';
import { unvalidatedField } from '../core/parse-input.ts';
import { defineUpdate } from '../definition/update.ts';
import { member, memberChanges, searchColumnsOf } from '../entities/member.ts';
import { deleteUnusedAddresses, lockAddresses } from './addresses.ts';
import { checkMemberFields, constraintError, memberFieldsToStore } from './member-fields.ts';
import { isTagRace, setTags } from './member-tags.ts';

/**
 * `PATCH /members/{object_id}`: only the sent fields change. `{}` changes nothing.
 *
 * @throws {ServiceError} `not_found`, `precondition_failed`, `email_in_use`, `invalid_request`.
 */
export const updateMember = defineUpdate(member, {
  name: 'updateMember',
  scope: 'members.update',
  changes: memberChanges,
  contextErrors: ({ caller }, changes) =>
    checkMemberFields({ phone_number: unvalidatedField(changes, 'phone_number') }, caller.organization).errors,
  toStore: ({ caller, checkPrecondition }, { changes, expected_updated_at: expected }) => {
    const isConditional = expected != null || checkPrecondition !== undefined;
    if (isConditional && changes.tag_ids !== undefined) throw tagsWithPrecondition();
    return memberFieldsToStore(changes, caller.organization);
  },
  searchColumns: searchColumnsOf,
  async write({ context, id, current, changes }, updateRow) {
    const { db } = context;
    const oldAddress = current.email_address as string;
    const newAddress = changes.email_address === oldAddress ? undefined : changes.email_address;
    if (newAddress !== undefined) {
      await db.rows(lockAddresses(sql`address = ANY(${[oldAddress, newAddress]}::text[])`));
      await reserveAddress(db, newAddress, id);
    }
    await updateRow();
    if (changes.tag_ids !== undefined) await setTags(context, id, changes.tag_ids ?? []);
    if (newAddress !== undefined) await db.rows(deleteUnusedAddresses(sql`e.address = ${oldAddress}`));
  },
  isRace: (error) => isAddressRace(error) || isTagRace(error),
  errorOf: (error, changes) => constraintError(violatedConstraint(error), changes),
});

/** Tags change neither the ETag nor `updated_at` of a member, so a precondition would not protect them. */
function tagsWithPrecondition(): ServiceError {
  const message =
    'cannot be sent with If-Match or expectedUpdatedAt, which do not cover tags; update them with PATCH /v1/members/{object_id}/tags or updateMemberTags';
  return invalidRequest({ field: 'changes.tag_ids', message });
}

/**
 * Whether a concurrent write caused the error: it started to use the old address before this one deleted it, or gave the
 * person the new address in another organization.
 */
function isAddressRace(error: unknown): boolean {
  const constraint = violatedConstraint(error);
  return constraint === 'member_email_address_id_fkey' || constraint === 'email_address_address_person_id_key';
}

/** @throws {ServiceError} `email_in_use`. */
async function reserveAddress(transaction: Database, address: string, personId: string): Promise<void> {
  const [holder] = await transaction.rows<{ person_id: string }>(sql`
    INSERT INTO email_address (address, person_id) VALUES (${address}, ${personId})
    ON CONFLICT (address) DO UPDATE SET address = EXCLUDED.address
    RETURNING person_id`);
  if (holder?.person_id !== personId) throw recordError('email_in_use');
}
