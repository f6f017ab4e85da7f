import { MAX_ORGANIZATIONS_PER_PERSON } from '../domain/core/limits.ts';
import { searchTextFor } from '../domain/definition/entity.ts';
import { searchColumnsOf } from '../domain/entities/member.ts';
import { ENTITIES, type EntityName } from '../domain/entities/registry.ts';
import { freeSlot } from '../domain/members/free-slot.ts';
import { newId } from '../domain/values/ids.ts';
import type { Prisma } from '../store/generated/client.ts';
import { join, raw, sql, sqlName } from '../store/sql.ts';
import { DEMO_ORGANIZATION_ID as organizationId } from './organization-id.ts';

/** The transaction that replaces all records. */
export type Transaction = Prisma.TransactionClient;

/** The columns of a row that the data contains; empty ones can be left out. */
type Row = Readonly<Record<string, unknown>>;

interface Member extends Row {
  readonly id: string;
  readonly email_address: string;
  /** The slugs of the member's tags. */
  readonly tags: readonly string[];
}
interface Department extends Row {
  readonly id: string;
  readonly head_id: string;
  /** The ids of its members, in order. */
  readonly members: readonly string[];
}
interface Form extends Row {
  readonly id: number;
  readonly fields: readonly Row[];
}
interface Tag extends Row {
  readonly id: string;
  readonly slug: string;
  readonly created_by: string;
}

/** The records of the demo organization, by the names of their lists. */
interface Records extends Readonly<Record<EntityName, readonly Row[]>> {
  readonly members: readonly Member[];
  readonly tags: readonly Tag[];
  readonly departments: readonly Department[];
  readonly forms: readonly Form[];
}

/** Inserts the records of the demo organization, which must have none. @returns the number of rows of each list. */
export async function insertRecords(tx: Transaction, records: Records): Promise<Record<string, number>> {
  const { members, idOf } = await replaceTakenPersons(tx, records.members);
  await insertPersons(tx, members);
  const tagId = new Map(records.tags.map(({ slug, id }) => [slug, id]));
  const insertEntities = (name: EntityName, rows: readonly Row[] = records[name]) => {
    const { entity } = ENTITIES[name];
    return insertRows(
      tx,
      entity.table,
      rows.map((row) => ({ ...row, ...searchColumns(name, row) })),
    );
  };
  return {
    designations: await insertEntities('designations'),
    members: await insertEntities(
      'members',
      members.map(({ tags, ...member }) => member),
    ),
    tags: await insertEntities(
      'tags',
      records.tags.map((tag) => ({ ...tag, created_by: idOf(tag.created_by) })),
    ),
    member_tags: await insertRows(
      tx,
      'member_tag',
      members.flatMap(({ id, tags }) => tags.map((slug) => ({ member_id: id, tag_id: tagId.get(slug) }))),
    ),
    departments: await insertEntities(
      'departments',
      records.departments.map(({ members, ...department }) => ({ ...department, head_id: idOf(department.head_id) })),
    ),
    department_members: await insertRows(
      tx,
      'department_member',
      records.departments.flatMap(({ id, members }) =>
        members.map((member) => ({ department_id: id, member_id: idOf(member) })),
      ),
    ),
    forms: await insertEntities(
      'forms',
      records.forms.map(({ fields, ...form }) => form),
    ),
    form_fields: await insertRows(
      tx,
      'form_field',
      records.forms.flatMap(({ id, fields }) => fields.map((field, ordinal) => ({ ...field, form_id: id, ordinal }))),
    ),
    form_responses: await insertEntities('form_responses'),
    events: await insertEntities('events'),
    services: await insertEntities('services'),
    prayer_requests: await insertEntities('prayer_requests'),
  };
}

/** The columns that searches use, which the data does not contain. */
function searchColumns(name: EntityName, row: Row): Row {
  if (name === 'members') return searchColumnsOf(row);
  const { entity } = ENTITIES[name];
  return entity.searched.length > 0 ? { search_text: searchTextFor(entity, row) } : {};
}

/** Inserts rows in order. Each column that a row has must be set in all rows or be nullable. @returns their number. */
function insertRows(tx: Transaction, table: string, rows: readonly Row[]): Promise<number> {
  const columns = join(Object.keys(Object.assign({}, ...rows)).map(sqlName));
  return tx.$executeRaw(sql`
    INSERT INTO ${raw(table)} (organization_id, ${columns})
    SELECT ${organizationId}, ${columns} FROM json_populate_recordset(NULL::${raw(table)}, ${JSON.stringify(rows)}::json)`);
}

/**
 * Replaces each person who cannot join the organization, because the email address is another person's or because of the
 * maximum of organizations, by a new person with an address of their own.
 *
 * @returns the members, and their ids by their ids in the data.
 */
async function replaceTakenPersons(tx: Transaction, members: readonly Member[]) {
  const taken = await tx.$queryRaw<{ id: string }[]>(sql`
    SELECT s.id FROM ${persons(members)} WHERE
      EXISTS (SELECT 1 FROM email_address e WHERE e.address = s.email_address AND e.person_id <> s.id)
      OR (SELECT count(*) FROM person_organization o WHERE o.person_id = s.id) >= ${MAX_ORGANIZATIONS_PER_PERSON}::int`);
  const newIds = new Map(taken.map(({ id }) => [id, newId('mem')]));
  const idOf = (id: string) => newIds.get(id) ?? id;
  const replaced = members.map((member) => {
    const id = newIds.get(member.id);
    return id
      ? { ...member, id, email_address: member.email_address.replace('@', `+${id.slice('mem_'.length)}@`) }
      : member;
  });
  return { members: replaced, idOf };
}

/** Inserts the persons of members, unless they exist, with their email addresses and memberships. */
async function insertPersons(tx: Transaction, members: readonly Member[]): Promise<void> {
  await tx.$executeRaw(sql`INSERT INTO person (id) SELECT s.id FROM ${persons(members)} ON CONFLICT DO NOTHING`);
  await tx.$executeRaw(sql`
    INSERT INTO email_address (address, person_id) SELECT s.email_address, s.id FROM ${persons(members)}
    ON CONFLICT DO NOTHING`);
  await tx.$executeRaw(sql`
    INSERT INTO person_organization (person_id, organization_id, slot)
    SELECT s.id, ${organizationId}, free.slot FROM ${persons(members)}, ${freeSlot(sql`s.id`)}`);
}

function persons(members: readonly Member[]) {
  const rows = members.map(({ id, email_address }) => ({ id, email_address }));
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) AS s (id text, email_address text)`;
}
