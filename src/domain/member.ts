import type { Database } from '../store/database.ts';
import { isoDate, isoTimestamp, raw, sql } from '../store/sql.ts';
import type { Context } from './context.ts';
import { notFound } from './errors.ts';
import { type Columns, selectionOf } from './fields.ts';
import { defineFind, defineGet } from './find.ts';
import { idOfAnotherKind, isId } from './ids.ts';
import { defineList } from './list.ts';
import type { RecordSource } from './records.ts';
import { matchesSearch } from './search.ts';

/** A member as callers see it (specification, "Member"); dates are ISO 8601 text. */
export interface Member {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email_address: string;
  readonly phone_number: string | null;
  readonly gender: Gender | null;
  readonly marital_status: string | null;
  readonly date_of_birth: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip_code: string | null;
  readonly country: string | null;
  readonly designation: string | null;
  readonly is_guest: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The values of `gender`, exactly as they are sent. */
export const GENDERS = ['Male', 'Female', 'Others'] as const;
/** One of {@link GENDERS}. */
export type Gender = (typeof GENDERS)[number];

/** The columns of a {@link Member}, from the table (or the written row) `m` with {@link designationOfMember}. */
const memberColumns: Columns<Member> = {
  id: sql`m.id`,
  first_name: sql`m.first_name`,
  last_name: sql`m.last_name`,
  email_address: sql`m.email_address`,
  phone_number: sql`m.phone_number`,
  gender: sql`m.gender`,
  marital_status: sql`m.marital_status`,
  date_of_birth: isoDate('m.date_of_birth'),
  address: sql`m.address`,
  city: sql`m.city`,
  state: sql`m.state`,
  zip_code: sql`m.zip_code`,
  country: sql`m.country`,
  designation: sql`designation.name`,
  is_guest: sql`m.is_guest`,
  created_at: isoTimestamp('m.created_at'),
  updated_at: isoTimestamp('m.updated_at'),
};

/** PostgreSQL leaves this join out where the designation is not asked for: it can add no rows. */
const designationOfMember = sql`
  LEFT JOIN designation ON designation.organization_id = m.organization_id AND designation.id = m.designation_id`;

const members: RecordSource<Member> = {
  name: 'members',
  columns: memberColumns,
  table: 'member',
  alias: 'm',
  joins: designationOfMember,
};

/** The members of departments, in the order in which they joined them. */
export const membersOfDepartments: RecordSource<Member> = {
  name: 'department_members',
  columns: memberColumns,
  table: 'department_member',
  alias: 'dm',
  joins: sql`
    JOIN member m ON m.organization_id = dm.organization_id AND m.id = dm.member_id ${designationOfMember}`,
};

/** The whole of a member as JSON, from the row `m` that a statement wrote or reads. */
export const memberAsJson = sql`
  SELECT row_to_json(record) FROM m ${designationOfMember}
  CROSS JOIN LATERAL (SELECT ${selectionOf(memberColumns, undefined)}) record`;

/** `GET /members`: search matches names, phone number, email address and address. */
export const listMembers = defineList({
  scope: 'members.view',
  source: members,
  matches: (search, { caller }) => matchesSearch('m', search, { country: caller.organization.country }),
});

const byId = { name: 'Member', scope: 'members.view', source: members, prefix: 'mem' } as const;

/** Members by id. */
export const findMembers = defineFind(byId);

/** `GET /members/{object_id}`. */
export const getMember = defineGet(byId);

/**
 * Locks a member until the transaction ends, so that changes to it come one after another.
 *
 * @throws {ServiceError} `not_found`.
 */
export async function lockMember<Row>(
  context: Context,
  transaction: Database,
  id: string,
  columns: string,
): Promise<Row> {
  const [row] = isId('mem', id)
    ? await transaction.rows<Row>(sql`
        SELECT ${raw(columns)} FROM member
        WHERE organization_id = ${context.caller.organization.id} AND id = ${id} FOR UPDATE`)
    : [];
  if (!row) throw notFound('Member', idOfAnotherKind('mem', id));
  return row;
}
