import { takeNumbers } from '../../domain/core/writes.ts';
import { designation } from '../../domain/entities/designation.ts';
import { member, searchColumnsOf } from '../../domain/entities/member.ts';
import { deleteMembers, lockAddresses } from '../../domain/members/addresses.ts';
import { freeSlot } from '../../domain/members/create-member.ts';
import { checkMemberFields, type MemberRules } from '../../domain/members/member-fields.ts';
import { normalizeEmail } from '../../domain/values/text.ts';
import { sql } from '../../store/sql.ts';
import { type Batch, insertion, LostRaceError, type StoredColumns, type StoredRow } from '../records/batch.ts';
import { importResourceFor, matcherFor, parsedRow } from '../records/entity-resource.ts';
import { externalIdSql, type Matcher, referenceSql } from '../records/references.ts';
import type { Row } from '../records/resource.ts';
import type { ParsedRow } from '../records/row.ts';
import { checkEmailAddresses, moveAddresses, releaseUnusedAddresses } from './member-addresses.ts';
import { findByAddress, sharedKeyOf, verifyMembers } from './member-identity.ts';
import { tagMatcher } from './tags.ts';

/** Finds members by external id, id or email address. */
export const memberMatcher: Matcher = {
  ...matcherFor(member),
  key: { normalize: normalizeEmail, find: findByAddress },
};

/** Applies the rules of the organization to the valid values of a row. */
function checkFields({ input, errors = [], missing }: ParsedRow, rules: MemberRules): ParsedRow {
  const checked = checkMemberFields(input, rules);
  const valid: Record<string, unknown> = { ...input, ...checked.values };
  for (const { field } of checked.errors) delete valid[field];
  return parsedRow(valid, [...errors, ...checked.errors], missing);
}

/** Imports members with their tags. A person of another organization joins, as with `POST /members`. */
export const importMembers = importResourceFor(member, {
  matcher: memberMatcher,
  relatedTables: ['person', 'email_address', 'person_organization', 'member_tag'],
  checkValues: checkFields,
  keyOf: ({ email_address }) => email_address as string | undefined,
  keyField: 'email_address',
  hasAddresses: true,
  hasUniqueKeys: true,
  canExchangeKeys: true,
  verifyMatches: verifyMembers,
  sharedKeyOf,
  nameOf: ({ first_name, last_name }) => `${first_name} ${last_name}`,
  references: {
    designation: { matcher: matcherFor(designation), column: 'designation_id' },
    tags: { matcher: tagMatcher },
  },
  derived: { search_text: 'text', search_phone: 'text' },
  derive: searchColumnsOf,
  check: checkEmailAddresses,
  insert: insertMembers,
  beforeUpdate: moveAddresses,
  afterUpdate: releaseUnusedAddresses,
  storeRelated: addTags,
  // The addresses before and after the undo.
  async lock({ query }, changes) {
    const addresses = changes.flatMap(({ before, current }) => [before?.email_address, current?.email_address]);
    await query(lockAddresses(sql`address = ANY(${addresses.filter(Boolean)}::text[])`));
  },
  async remove({ query, organization }, ids) {
    if (ids.length > 0) await deleteMembers(query, organization.id, ids);
  },
  exports: (organizationId) => ({
    columns: {
      designation: sql`named.designation`,
      tags: sql`(
          SELECT coalesce(array_agg(${referenceSql('tags', organizationId, sql`t.id`, sql`t.slug`)} ORDER BY t.position), '{}')
          FROM member_tag mt JOIN tag t ON t.organization_id = mt.organization_id AND t.id = mt.tag_id
          WHERE mt.organization_id = m.organization_id AND mt.member_id = m.id)`,
    },
    joins: sql`
        LEFT JOIN (
          SELECT d.id, CASE WHEN count(*) OVER (PARTITION BY d.search_text) = 1
            THEN ${referenceSql('designations', organizationId, sql`d.id`, sql`d.name`)}
            ELSE ${externalIdSql('designations', organizationId, sql`d.id`)} END AS designation
          FROM designation d WHERE d.organization_id = ${organizationId}
        ) named ON named.id = m.designation_id`,
  }),
});

/**
 * Inserts members, and persons that do not exist yet, by the same rules as `createMember`. Email addresses are locked
 * in order, so that concurrent imports cannot deadlock.
 *
 * @throws {LostRaceError} when a concurrent write took an address or a person's last free slot.
 */
async function insertMembers(
  batch: Batch,
  _table: string,
  columns: StoredColumns,
  timestamps: readonly string[],
  rows: readonly StoredRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const { names, values, recordset } = insertion(rows, 'text', columns, timestamps);
  const organizationId = batch.organization.id;
  const inserted = await batch.query(sql`
    WITH numbers AS (${takeNumbers(organizationId, rows.length)}), s AS MATERIALIZED (SELECT * FROM ${recordset}), address AS (
      INSERT INTO email_address (address, person_id) SELECT email_address, id FROM s ORDER BY email_address
      ON CONFLICT (address) DO UPDATE SET address = EXCLUDED.address
      RETURNING address, person_id
    ), owned AS (
      SELECT s.* FROM s JOIN address a ON a.address = s.email_address AND a.person_id = s.id
    ), new_person AS (
      INSERT INTO person (id) SELECT id FROM owned ON CONFLICT DO NOTHING
    ), membership AS (
      INSERT INTO person_organization (person_id, organization_id, slot)
      SELECT owned.id, ${organizationId}, free.slot
      FROM owned, ${freeSlot(sql`owned.id`)}
      ON CONFLICT DO NOTHING
      RETURNING person_id
    )
    INSERT INTO member (organization_id, id, position, ${names})
    SELECT ${organizationId}, s.id, numbers.previous_number + 1 + s.row_number, ${values}
    FROM owned s JOIN membership ON membership.person_id = s.id, numbers
    RETURNING id`);
  if (inserted.length !== rows.length) throw new LostRaceError();
}

/** Adds the tags of rows; an import removes none. @returns the rows whose members got a new tag. */
async function addTags(batch: Batch, rows: readonly Row[]): Promise<Set<Row>> {
  const pairs = rows.flatMap((row) => (row.references.tags ?? []).map((tagId) => ({ row, tagId })));
  if (pairs.length === 0) return new Set();
  const added = await batch.query<{ member_id: string }>(sql`
    WITH numbers AS (${takeNumbers(batch.organization.id, pairs.length)})
    INSERT INTO member_tag (organization_id, member_id, tag_id, position)
    SELECT ${batch.organization.id}, s.member_id, s.tag_id, numbers.previous_number + s.ordinal
    FROM numbers, unnest(${pairs.map(({ row }) => row.id)}::text[], ${pairs.map(({ tagId }) => tagId)}::text[])
      WITH ORDINALITY AS s (member_id, tag_id, ordinal)
    ON CONFLICT DO NOTHING RETURNING member_id`);
  const ids = new Set(added.map(({ member_id }) => member_id));
  return new Set(rows.filter(({ id }) => ids.has(id as string)));
}
