import { z } from 'zod';
import type { Database } from '../../store/database.ts';
import { violatedConstraint } from '../../store/errors.ts';
import { isoTimestamp, join, raw, type Sql, sql } from '../../store/sql.ts';
import { auditWrite } from '../core/audit.ts';
import type { Context } from '../core/context.ts';
import { lockCounter } from '../core/counter.ts';
import { invalidRequest, recordError, type ServiceError } from '../core/errors.ts';
import { defineWrite } from '../core/operation.ts';
import { retryLostRaces } from '../core/retry.ts';
import { unvalidatedField } from '../core/unvalidated-field.ts';
import { writableFields } from '../definition/create.ts';
import { lockMember, type Member, member, memberAsJson, memberChanges, searchColumnsOf } from '../entities/member.ts';
import { timestamp } from '../values/text.ts';
import { checkMemberFields, constraintError, memberFieldsToStore } from './member-fields.ts';
import { isTagRace, setTags } from './member-tags.ts';

type Changes = z.output<typeof memberChanges>;

/**
 * Whether the write lost a race against a concurrent one. That one either started to use the old address, after this
 * write had found it unused, or gave the same person the same new address in another organization.
 */
function isAddressRace(error: unknown): boolean {
  const constraint = violatedConstraint(error);
  return constraint === 'member_email_address_id_fkey' || constraint === 'email_address_address_person_id_key';
}

/** The current values that are needed to update the search columns, and the time of the last update. */
const lockedColumns = `${member.searched.join(', ')}, ${isoTimestamp('updated_at').text} AS updated_at`;

/**
 * `PATCH /members/{object_id}`: only the sent fields change. `{}` changes nothing.
 *
 * @throws {ServiceError} `not_found`, `precondition_failed`, `email_in_use`, `invalid_request`.
 */
export const updateMember = defineWrite({
  name: 'updateMember',
  scope: 'members.update',
  input: z.strictObject({
    id: z.string(),
    changes: memberChanges,
    expected_updated_at: timestamp
      .nullish()
      .describe('The `updatedAt` of the member as it was read. The update is refused if the member was updated since.'),
  }),
  contextErrors: ({ caller }, input) => {
    const phone_number = unvalidatedField(unvalidatedField(input, 'changes'), 'phone_number');
    return checkMemberFields({ phone_number }, caller.organization).errors;
  },
  record: { prefix: 'mem', idOf: ({ id }) => id },
  run: async (context, { id, changes, expected_updated_at: expected }): Promise<Member> => {
    const isConditional = expected != null || context.checkPrecondition !== undefined;
    if (isConditional && changes.tag_ids !== undefined) throw tagsAreNotCovered();
    const sent = memberFieldsToStore(changes, context.caller.organization);
    return retryLostRaces(
      () =>
        context.db
          .transaction((transaction) => changeMember(context, transaction, id, sent, expected))
          .catch((error: unknown) => {
            throw constraintError(violatedConstraint(error), changes) ?? error;
          }),
      { isRace: (error) => isAddressRace(error) || isTagRace(error) },
    );
  },
});

/** Neither the state of a member nor the time of its update depends on its tags, so a precondition does not protect them. */
function tagsAreNotCovered(): ServiceError {
  const message =
    'cannot be sent with a precondition, which does not cover tags; update the tags of the member instead';
  return invalidRequest({ field: 'changes.tag_ids', message });
}

/** @param expected the time of the last update that the member must have; any if null or undefined. */
async function changeMember(
  context: Context,
  transaction: Database,
  id: string,
  changes: Changes,
  expected: string | null | undefined,
): Promise<Member> {
  const organizationId = context.caller.organization.id;
  await transaction.rows(lockCounter(organizationId));
  const current = await lockMember<Member>(context, transaction, id, lockedColumns);
  if (expected != null && expected !== current.updated_at) throw recordError('precondition_failed');
  await context.checkPrecondition?.({ ...context, db: transaction });
  const newAddress = changes.email_address === current.email_address ? undefined : changes.email_address;
  if (newAddress !== undefined) {
    await lockAddresses(transaction, [current.email_address, newAddress]);
    await reserveAddress(transaction, newAddress, id);
  }
  const columns = assignments(changes);
  if (columns.length > 0) {
    const { search_text, search_phone } = searchColumnsOf({ ...current, ...changes });
    columns.push(
      sql`search_text = ${search_text}`,
      sql`search_phone = ${search_phone}`,
      sql`updated_at = greatest(now(), updated_at)`,
    );
    await transaction.rows(sql`
      UPDATE member SET ${join(columns)} WHERE organization_id = ${organizationId} AND id = ${id}`);
  }
  if (changes.tag_ids !== undefined) await setTags(context, transaction, id, changes.tag_ids ?? []);
  if (newAddress !== undefined) await releaseUnusedAddress(transaction, current.email_address);
  await transaction.rows(auditWrite(context, 'updateMember', sql`${id}`));
  const [row] = await transaction.rows<{ member: Member }>(sql`
    WITH m AS (SELECT * FROM member WHERE organization_id = ${organizationId} AND id = ${id})
    SELECT (${memberAsJson}) AS member`);
  return row?.member as Member;
}

const columnNames = writableFields(member, 'update').map(([name]) => name);

/** `column = value` for each field that was sent. Column names come from the schema, never from the caller. */
function assignments(changes: Changes): Sql[] {
  return columnNames.flatMap((field) => {
    const value = changes[field as keyof Changes];
    return value === undefined ? [] : [sql`${raw(field)} = ${value}`];
  });
}

/** Locks addresses in one order, so that two organizations that exchange the addresses of a person do not deadlock. */
async function lockAddresses(transaction: Database, addresses: readonly string[]): Promise<void> {
  await transaction.rows(sql`
    SELECT FROM email_address WHERE address = ANY(${addresses}::text[]) ORDER BY address COLLATE "C" FOR UPDATE`);
}

/** @throws {ServiceError} `email_in_use`. */
async function reserveAddress(transaction: Database, address: string, personId: string): Promise<void> {
  const [holder] = await transaction.rows<{ person_id: string }>(sql`
    INSERT INTO email_address (address, person_id) VALUES (${address}, ${personId})
    ON CONFLICT (address) DO UPDATE SET address = EXCLUDED.address
    RETURNING person_id`);
  if (holder?.person_id !== personId) throw recordError('email_in_use');
}

/** Deletes an address that no organization uses any more. */
async function releaseUnusedAddress(transaction: Database, address: string): Promise<void> {
  await transaction.rows(sql`
    DELETE FROM email_address e
    WHERE e.address = ${address} AND NOT EXISTS (SELECT 1 FROM member m WHERE m.email_address = e.address)`);
}
