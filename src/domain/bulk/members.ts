import { z } from 'zod';
import { join, raw, sql } from '../../store/sql.ts';
import { designation } from '../designation.ts';
import { MAX_TAGS } from '../limits.ts';
import { NO_PHONE_NUMBER, newMember } from '../member-fields.ts';
import { parsePhoneNumber } from '../phone.ts';
import { searchPhoneOf, searchTextOf } from '../search.ts';
import { optionalText, requiredText } from '../text.ts';
import type { Batch, FieldKind, ParsedRow, Said } from './batch.ts';
import { rejected } from './batch.ts';
import { identityOf } from './entity-kind.ts';
import { exportedId, type Identity, ownIdsWith, resolveNames, unresolved } from './external-id.ts';
import { externalId, parserOf, times } from './input.ts';
import {
  checkAddresses,
  insertMembers,
  MEMBER_COLUMNS,
  releaseAddresses,
  SEARCH_COLUMNS,
  takeAddresses,
} from './member-write.ts';
import { columnsSaid, newIdsWith, type Row } from './record-kind.ts';
import { defineRecords } from './records.ts';
import { tagIdentity } from './tags.ts';

/** A member is found by the address too. */
export const memberIdentity: Identity = {
  name: 'members',
  table: 'member',
  ownId: ownIdsWith('mem'),
  key: { of: (address) => address.normalize('NFC').trim().toLowerCase().normalize('NFC'), find: findByAddress },
};

function findByAddress({ rows, organization }: Batch, keys: readonly string[]) {
  return rows<{ key: string; id: string }>(sql`
    SELECT email_address AS key, id FROM member
    WHERE organization_id = ${organization.id} AND email_address = ANY(${[...keys]}::text[])`);
}

const parseFields = parserOf(
  newMember.omit({ designation_id: true }).extend({
    external_id: externalId.optional(),
    designation: optionalText(),
    is_guest: z.boolean().optional(),
    tags: z
      .array(requiredText())
      .max(MAX_TAGS, { error: `must name at most ${MAX_TAGS} tags` })
      .optional(),
    ...times,
  }),
);

function parse(values: Said, country: string): ParsedRow {
  const row = parseFields(values);
  const written = values.phone_number;
  const phone_number = typeof written === 'string' ? parsePhoneNumber(written, country) : written;
  if (typeof written === 'string' && phone_number === undefined) {
    return { said: {}, errors: [...(row.errors ?? row.missing ?? []), NO_PHONE_NUMBER] };
  }
  return row.said.phone_number === undefined ? row : { ...row, said: { ...row.said, phone_number } };
}

const fields: Readonly<Record<string, FieldKind>> = {
  external_id: 'text',
  first_name: 'text',
  last_name: 'text',
  email_address: 'text',
  phone_number: 'text',
  gender: 'enum',
  marital_status: 'text',
  date_of_birth: 'date',
  address: 'text',
  city: 'text',
  state: 'text',
  zip_code: 'text',
  country: 'text',
  designation: 'text',
  is_guest: 'boolean',
  tags: 'list',
  created_at: 'timestamp',
  updated_at: 'timestamp',
};

const MEMBER_TIMES = ['created_at', 'updated_at'];

/** Members in bulk, with their tags. A person known elsewhere joins, as by `POST /members`. */
export const bulkMembers = defineRecords({
  name: 'members',
  record: 'Member',
  identity: memberIdentity,
  relatedTables: ['person', 'email_address', 'person_organization', 'member_tag'],
  fields,
  parse,
  keyOf: ({ email_address }) => email_address as string | undefined,
  keyField: 'email_address',
  takenCode: 'member_exists',
  columns: MEMBER_COLUMNS,
  derived: SEARCH_COLUMNS,
  derive: (values) => {
    const { first_name, last_name, email_address, address, phone_number } = values as Record<string, string | null>;
    return {
      search_text: searchTextOf(first_name, last_name, email_address, address, phone_number),
      search_phone: searchPhoneOf(phone_number),
    };
  },
  times: MEMBER_TIMES,
  defaults: { is_guest: false },
  newIds: newIdsWith('mem'),
  resolve: resolveReferences,
  check: checkAddresses,
  insert: (batch, rows) => insertMembers(batch, MEMBER_TIMES, rows),
  beforeUpdate: takeAddresses,
  afterUpdate: releaseAddresses,
  storeRelated: addTags,
  exported: (organizationId) => sql`
    WITH named AS (
      SELECT d.id, CASE WHEN count(*) OVER (PARTITION BY d.search_text) = 1 THEN d.name
        ELSE ${exportedId('designations', organizationId, sql`d.id`)} END AS designation
      FROM designation d WHERE d.organization_id = ${organizationId}
    )
    SELECT ${exportedId('members', organizationId, sql`m.id`)} AS external_id,
      ${join(Object.keys(MEMBER_COLUMNS).map((name) => (name === 'designation_id' ? sql`named.designation` : raw(`m.${name}`))))},
      (SELECT coalesce(array_agg(t.slug ORDER BY t.position), '{}')
       FROM member_tag mt JOIN tag t ON t.organization_id = mt.organization_id AND t.id = mt.tag_id
       WHERE mt.organization_id = m.organization_id AND mt.member_id = m.id) AS tags,
      m.created_at, m.updated_at
    FROM member m LEFT JOIN named ON named.id = m.designation_id
    WHERE m.organization_id = ${organizationId} ORDER BY m.position`,
});

/** The tags that rows name. */
const tagsOfRow = new WeakMap<Row, readonly string[]>();

async function resolveReferences(batch: Batch, rows: readonly Row[]): Promise<void> {
  const namesOf = ({ said }: Row) => (said.tags ?? []) as readonly string[];
  const designations = await resolveNames(
    batch,
    identityOf(designation),
    rows.flatMap(({ said }) => (typeof said.designation === 'string' ? [said.designation] : [])),
  );
  const tags = await resolveNames(batch, tagIdentity, rows.flatMap(namesOf));
  for (const row of rows) {
    const { designation } = row.said;
    row.values = columnsSaid({ columns: MEMBER_COLUMNS, times: MEMBER_TIMES }, row.said);
    const wrong = [];
    if (typeof designation === 'string') {
      const id = designations.get(designation);
      if (typeof id === 'string') row.values.designation_id = id;
      else wrong.push({ field: 'designation', message: unresolved('designation', designation, id) });
    } else if (designation === null) row.values.designation_id = null;
    const ids: string[] = [];
    for (const name of namesOf(row)) {
      const id = tags.get(name);
      if (typeof id === 'string') ids.push(id);
      else wrong.push({ field: 'tags', message: unresolved('tag', name, id) });
    }
    tagsOfRow.set(row, ids);
    if (wrong.length > 0) row.outcome = rejected(...wrong);
  }
}

/** Adds the tags that rows name; an import takes none away. @returns the rows whose members got one. */
async function addTags(batch: Batch, rows: readonly Row[]): Promise<Set<Row>> {
  const pairs = rows.flatMap((row) => (tagsOfRow.get(row) ?? []).map((tagId) => ({ row, tagId })));
  if (pairs.length === 0 || batch.planned) return new Set();
  const added = await batch.rows<{ member_id: string }>(sql`
    INSERT INTO member_tag (organization_id, member_id, tag_id)
    SELECT ${batch.organization.id}, s.member_id, s.tag_id
    FROM unnest(${pairs.map(({ row }) => row.id)}::text[], ${pairs.map(({ tagId }) => tagId)}::text[])
      AS s (member_id, tag_id)
    ON CONFLICT DO NOTHING RETURNING member_id`);
  const ids = new Set(added.map(({ member_id }) => member_id));
  return new Set(rows.filter(({ id }) => ids.has(id as string)));
}
