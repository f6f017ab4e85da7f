import { parsePhoneNumber } from '../../domain/core/phone.ts';
import { designation } from '../../domain/entities/designation.ts';
import { member, searchColumnsOf } from '../../domain/entities/member.ts';
import { NO_PHONE_NUMBER } from '../../domain/entities/member-fields.ts';
import { sql } from '../../store/sql.ts';
import type { Batch, ParsedRow, RowValues } from '../records/batch.ts';
import { rejected } from '../records/batch.ts';
import { columnsOf, identityOf, kindOf } from '../records/entity-definition.ts';
import { exportedId, type Identity, resolveNames, unresolved } from '../records/external-id.ts';
import { defineRecords } from '../records/import-resource.ts';
import { givenColumns, type Row } from '../records/resource-definition.ts';
import { checkAddresses, insertMembers, releaseAddresses, SEARCH_COLUMNS, takeAddresses } from './member-write.ts';
import { tagIdentity } from './tags.ts';

/** A member is found by the address too. */
export const memberIdentity: Identity = {
  ...identityOf(member),
  key: { of: (address) => address.normalize('NFC').trim().toLowerCase().normalize('NFC'), find: findByAddress },
};

function findByAddress({ rows, organization }: Batch, keys: readonly string[]) {
  return rows<{ key: string; id: string }>(sql`
    SELECT email_address AS key, id FROM member
    WHERE organization_id = ${organization.id} AND email_address = ANY(${[...keys]}::text[])`);
}

const columns = { ...columnsOf(member), designation_id: 'text' } as const;
const times = ['created_at', 'updated_at'];

function readPhoneNumber(row: ParsedRow, { phone_number: written }: RowValues, country: string): ParsedRow {
  if (typeof written !== 'string') return row;
  const phone_number = parsePhoneNumber(written, country);
  if (phone_number === undefined) return { said: {}, errors: [...(row.errors ?? row.missing ?? []), NO_PHONE_NUMBER] };
  return row.said.phone_number === undefined ? row : { ...row, said: { ...row.said, phone_number } };
}

/** Members in bulk, with their tags. A person known elsewhere joins, as by `POST /members`. */
export const importMembers = defineRecords(
  kindOf(member, {
    identity: memberIdentity,
    relatedTables: ['person', 'email_address', 'person_organization', 'member_tag'],
    checkValues: readPhoneNumber,
    keyOf: ({ email_address }) => email_address as string | undefined,
    keyField: 'email_address',
    takenCode: 'member_exists',
    columns,
    derived: SEARCH_COLUMNS,
    derive: searchColumnsOf,
    resolve: resolveReferences,
    check: checkAddresses,
    insert: (batch, rows) => insertMembers(batch, { ...columns, ...SEARCH_COLUMNS }, times, rows),
    beforeUpdate: takeAddresses,
    afterUpdate: releaseAddresses,
    storeRelated: addTags,
    exports: (organizationId) => ({
      columns: {
        designation: sql`named.designation`,
        tags: sql`(
          SELECT coalesce(array_agg(t.slug ORDER BY t.position), '{}')
          FROM member_tag mt JOIN tag t ON t.organization_id = mt.organization_id AND t.id = mt.tag_id
          WHERE mt.organization_id = m.organization_id AND mt.member_id = m.id)`,
      },
      joins: sql`
        LEFT JOIN (
          SELECT d.id, CASE WHEN count(*) OVER (PARTITION BY d.search_text) = 1 THEN d.name
            ELSE ${exportedId('designations', organizationId, sql`d.id`)} END AS designation
          FROM designation d WHERE d.organization_id = ${organizationId}
        ) named ON named.id = m.designation_id`,
    }),
  }),
);

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
    row.values = givenColumns({ columns, times }, row.said);
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
