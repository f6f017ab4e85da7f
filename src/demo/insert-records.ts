import { searchTextFor } from '../domain/definition/entity.ts';
import type { Field } from '../domain/definition/field.ts';
import { searchColumnsOf } from '../domain/entities/member.ts';
import { ENTITIES, type EntityName } from '../domain/entities/registry.ts';
import { freeSlot } from '../domain/members/create-member.ts';
import { newId } from '../domain/values/ids.ts';
import { MAX_ORGANIZATIONS_PER_PERSON } from '../domain/values/limits.ts';
import type { Prisma } from '../store/generated/client.ts';
import { join, raw, sql, sqlName } from '../store/sql.ts';
import { DEMO_ORGANIZATION_ID as organizationId } from './organization-id.ts';

/** The transaction that replaces all records. */
export type Transaction = Prisma.TransactionClient;

/** The columns of a row that the data contains; empty ones, and those with the default of their field, can be left out. */
type Row = Readonly<Record<string, unknown>>;

/** The properties of records that are rows of other tables: the slugs of tags, the ids of members, and form fields. */
const RELATED = ['tags', 'members', 'fields'];

/** The records of the demo organization, by the names of their lists. */
interface Records extends Readonly<Record<EntityName, readonly Row[]>> {
  readonly tags: readonly { readonly id: string; readonly slug: string }[];
  readonly members: readonly {
    readonly id: string;
    readonly email_address: string;
    readonly tags: readonly string[];
  }[];
  readonly departments: readonly { readonly id: string; readonly members: readonly string[] }[];
  readonly forms: readonly { readonly id: number; readonly fields: readonly Row[] }[];
}

/** Inserts the records of the demo organization, which must have none. @returns the number of rows of each list. */
export async function insertRecords(tx: Transaction, original: Records): Promise<Record<string, number>> {
  const records = await replaceTakenPersons(tx, original);
  const { tags, members, departments, forms } = records;
  await insertPersons(tx, members);
  const counts: Record<string, number> = {};
  for (const name of Object.keys(ENTITIES) as EntityName[]) {
    const rows = records[name].map((row) => ({ ...defaultsOf(name), ...row, ...searchColumns(name, row) }));
    counts[name] = await insertRows(tx, ENTITIES[name].entity.table, rows);
  }
  const tagId = new Map(tags.map(({ slug, id }) => [slug, id]));
  const memberTags = members.flatMap(({ id, tags }) =>
    tags.map((slug) => ({ member_id: id, tag_id: tagId.get(slug) })),
  );
  const departmentMembers = departments.flatMap(({ id, members }) =>
    members.map((member_id) => ({ department_id: id, member_id })),
  );
  const formFields = forms.flatMap(({ id, fields }) =>
    fields.map((field, ordinal) => ({ ...field, form_id: id, ordinal })),
  );
  return {
    ...counts,
    member_tags: await insertRows(tx, 'member_tag', memberTags),
    department_members: await insertRows(tx, 'department_member', departmentMembers),
    form_fields: await insertRows(tx, 'form_field', formFields),
  };
}

/** The values of columns that a record can leave out although they are never null. */
function defaultsOf(name: EntityName): Row {
  const fields = Object.entries<Field>(ENTITIES[name].entity.fields);
  return Object.fromEntries(
    fields.flatMap(([column, field]) => (field.default === undefined ? [] : [[column, field.default]])),
  );
}

/** The columns that searches use, which the data does not contain. */
function searchColumns(name: EntityName, row: Row): Row {
  if (name === 'members') return searchColumnsOf(row);
  const { entity } = ENTITIES[name];
  return entity.searchedFields.length > 0 ? { search_text: searchTextFor(entity, row) } : {};
}

/** Inserts rows in order. Each column that a row has must be set in all rows or be nullable. @returns their number. */
function insertRows(tx: Transaction, table: string, rows: readonly Row[]): Promise<number> {
  const names = Object.keys(Object.assign({}, ...rows)).filter((name) => !RELATED.includes(name));
  const columns = join(names.map(sqlName));
  return tx.$executeRaw(sql`
    INSERT INTO ${raw(table)} (organization_id, ${columns})
    SELECT ${organizationId}, ${columns} FROM json_populate_recordset(NULL::${raw(table)}, ${JSON.stringify(rows)}::json)`);
}

/**
 * Replaces each person who cannot join the organization, because the email address is another person's or because of the
 * maximum of organizations, by a new person with an address of their own.
 */
async function replaceTakenPersons(tx: Transaction, records: Records): Promise<Records> {
  const taken = await tx.$queryRaw<{ id: string }[]>(sql`
    SELECT s.id FROM ${persons(records.members)} WHERE
      EXISTS (SELECT 1 FROM email_address e WHERE e.address = s.email_address AND e.person_id <> s.id)
      OR (SELECT count(*) FROM person_organization o WHERE o.person_id = s.id) >= ${MAX_ORGANIZATIONS_PER_PERSON}::int`);
  const newIds = new Map<unknown, string>(taken.map(({ id }) => [id, newId('mem')]));
  const members = records.members.map((member) => {
    const id = newIds.get(member.id);
    return id
      ? { ...member, email_address: member.email_address.replace('@', `+${id.slice('mem_'.length)}@`) }
      : member;
  });
  // Wherever the ids of these persons occur, also in departments.
  return JSON.parse(JSON.stringify({ ...records, members }), (_, value) => newIds.get(value) ?? value);
}

/** Inserts the persons of members, unless they exist, with their email addresses and memberships. */
async function insertPersons(tx: Transaction, members: Records['members']): Promise<void> {
  await tx.$executeRaw(sql`INSERT INTO person (id) SELECT s.id FROM ${persons(members)} ON CONFLICT DO NOTHING`);
  await tx.$executeRaw(sql`
    INSERT INTO email_address (address, person_id) SELECT s.email_address, s.id FROM ${persons(members)}
    ON CONFLICT DO NOTHING`);
  await tx.$executeRaw(sql`
    INSERT INTO person_organization (person_id, organization_id, slot)
    SELECT s.id, ${organizationId}, free.slot FROM ${persons(members)}, ${freeSlot(sql`s.id`)}`);
}

function persons(members: Records['members']) {
  const rows = members.map(({ id, email_address }) => ({ id, email_address }));
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) AS s (id text, email_address text)`;
}
