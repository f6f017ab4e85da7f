import type { z } from 'zod';
import { violatedConstraint } from '../../store/errors.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { auditWrite } from '../core/audit.ts';
import type { Context } from '../core/context.ts';
import { memberExists, recordError } from '../core/errors.ts';
import { defineWrite } from '../core/operation.ts';
import { unvalidatedField } from '../core/parse-input.ts';
import { retryLostRaces, takeNumbers, writeInTransaction } from '../core/writes.ts';
import { insertColumns } from '../definition/create.ts';
import { type Member, member, memberAsJson, newMember, searchColumnsOf } from '../entities/member.ts';
import { newId } from '../values/ids.ts';
import { MAX_ORGANIZATIONS_PER_PERSON } from '../values/limits.ts';
import { checkMemberFields, constraintError, memberFieldsToStore } from './member-fields.ts';
import { isTagRace, setTags } from './member-tags.ts';

const SCOPE_OF_TAG_IDS = [{ scope: 'members.update', field: 'tag_ids' }] as const;

/**
 * `POST /members`: creates a member. If another organization has a member with this email address, the new member is the
 * same person; data of the other organization is neither returned nor changed.
 *
 * @throws {ServiceError} `member_exists`, `org_limit_reached`, `invalid_request`.
 */
export const createMember = defineWrite({
  name: 'createMember',
  scope: 'members.create',
  input: newMember,
  scopesOfInput: (input) => (unvalidatedField(input, 'tag_ids') == null ? [] : SCOPE_OF_TAG_IDS),
  contextErrors: ({ caller }, input) => checkMemberFields(input, caller.organization).errors,
  run: async (context, { tag_ids, ...input }): Promise<Member> => {
    const values = memberFieldsToStore(input, context.caller.organization);
    const options = { isRace: (error: unknown) => isPersonRace(error) || isTagRace(error) };
    return tag_ids?.length
      ? writeInTransaction(context, (inTransaction) => insertTaggedMember(inTransaction, values, tag_ids), options)
      : retryLostRaces(() => context.db.savepoint(() => insertMember(context, values)), options);
  },
});

type NewMember = Omit<z.output<typeof newMember>, 'tag_ids'>;

/** Inserts a member and its tags. Must run in a transaction. */
async function insertTaggedMember(
  context: Context,
  values: NewMember,
  tagIds: readonly string[],
): Promise<Member | undefined> {
  const created = await insertMember(context, values);
  if (created) await setTags(context, created.id, tagIds);
  return created;
}

/** Whether the person or the address was deleted while the statement ran, for example because the demo was reset. */
function isPersonRace(error: unknown): boolean {
  const constraint = violatedConstraint(error);
  return constraint !== undefined && PERSON_CONSTRAINTS.includes(constraint);
}

const PERSON_CONSTRAINTS = [
  'email_address_person_id_fkey',
  'person_organization_person_id_fkey',
  'member_id_organization_id_fkey',
  'member_email_address_id_fkey',
];

const columns = insertColumns(member, searchColumnsOf);

interface InsertResult {
  readonly member: Member | null;
  /** The id of the member of this organization who has the address. */
  readonly existing_member: string | null;
  readonly organizations: number;
}

/**
 * Inserts a member in one statement. After the counter, the row of the email address is inserted or locked, which
 * serializes concurrent creations with the same address. Unique constraints on the organization and slot of a person ensure that a
 * statement with an outdated snapshot inserts nothing.
 *
 * @returns undefined if nothing was inserted; a retry sees the current rows.
 */
async function insertMember(context: Context, input: NewMember): Promise<Member | undefined> {
  const organizationId = context.caller.organization.id;
  const personId = newId('mem');
  const statement = sql`
    WITH numbers AS (${takeNumbers(organizationId, 1)}), address AS (
      INSERT INTO email_address (address, person_id) SELECT ${input.email_address}, ${personId} FROM numbers
      ON CONFLICT (address) DO UPDATE SET address = EXCLUDED.address
      RETURNING person_id
    ), new_person AS (
      INSERT INTO person (id) SELECT person_id FROM address WHERE person_id = ${personId}
    ), membership AS (
      INSERT INTO person_organization (person_id, organization_id, slot)
      SELECT address.person_id, ${organizationId}, free.slot
      FROM address, ${freeSlot(sql`address.person_id`)}
      ON CONFLICT DO NOTHING
      RETURNING person_id
    ), m AS (
      INSERT INTO member (organization_id, id, position, ${columns.names})
      SELECT ${organizationId}, person_id, numbers.previous_number + 1, ${columns.valuesOf(input)} FROM membership, numbers
      RETURNING *
    ), audited AS (${auditWrite(context, 'createMember', sql`m.id`, sql`m`)})
    SELECT
      (${memberAsJson}) AS member,
      (SELECT person_id FROM address JOIN person_organization USING (person_id)
       WHERE organization_id = ${organizationId}) AS existing_member,
      (SELECT count(*) FROM address JOIN person_organization USING (person_id))::int AS organizations`;
  const [result] = await context.db.write<InsertResult>(statement).catch((error: unknown) => {
    throw constraintError(violatedConstraint(error), input) ?? error;
  });
  if (result?.member) return result.member;
  if (result?.existing_member) throw memberExists(result.existing_member);
  if ((result?.organizations ?? 0) >= MAX_ORGANIZATIONS_PER_PERSON) throw recordError('org_limit_reached');
  return undefined;
}

/**
 * Returns a FROM item `free` with the lowest unused slot of a person; without rows if all are used. The organizations of
 * a person have distinct slots from 1 to `MAX_ORGANIZATIONS_PER_PERSON`. If a concurrent statement takes the same slot, the
 * primary key rejects one of the two. Another maximum also needs a migration of `person_organization_slot_check`.
 *
 * @param personId the id of the person, as SQL.
 */
export function freeSlot(personId: Sql): Sql {
  return sql`LATERAL (
    SELECT slot FROM generate_series(1, ${MAX_ORGANIZATIONS_PER_PERSON}::int) AS slot
    WHERE slot NOT IN (SELECT taken.slot FROM person_organization taken WHERE taken.person_id = ${personId})
    ORDER BY slot LIMIT 1
  ) free`;
}
