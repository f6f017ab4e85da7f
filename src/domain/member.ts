import type { Database } from '../store/database.ts';
import { isoDate, isoTimestamp, raw, type Sql, sql } from '../store/sql.ts';
import type { Context } from './context.ts';
import { notFound } from './errors.ts';
import { defineFind, defineGet } from './find.ts';
import { isId } from './ids.ts';
import { defineOperation } from './operation.ts';
import { listInput, type Page } from './page.ts';
import { type RecordSource, readPage } from './records.ts';
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

/** The columns of a {@link Member}, from the table (or the written row) `m`. */
export const memberColumns: Sql = sql`
  m.id, m.first_name, m.last_name, m.email_address, m.phone_number, m.gender, m.marital_status,
  ${isoDate('m.date_of_birth')} AS date_of_birth, m.address, m.city, m.state, m.zip_code, m.country,
  (SELECT d.name FROM designation d
   WHERE d.organization_id = m.organization_id AND d.id = m.designation_id) AS designation,
  m.is_guest, ${isoTimestamp('m.created_at')} AS created_at, ${isoTimestamp('m.updated_at')} AS updated_at`;

const members: RecordSource = { name: 'members', columns: memberColumns, from: sql`member m`, alias: 'm' };

/** `GET /members`: search matches names, phone number, email address and address. */
export const listMembers = defineOperation({
  scope: 'members.view',
  input: listInput,
  run: (context, input): Promise<Page<Member>> => {
    const { country } = context.caller.organization;
    return readPage<Member>(context, members, input, matchesSearch('m', input.search, { country }));
  },
});

/** Members by id. */
export const findMembers = defineFind<Member>('members.view', members, 'mem');

/** `GET /members/{object_id}`. */
export const getMember = defineGet(findMembers, 'Member');

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
  if (!row) throw notFound('Member');
  return row;
}
