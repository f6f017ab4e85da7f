import { takeNumbers } from '../../domain/core/counter.ts';
import { designation } from '../../domain/entities/designation.ts';
import { member, searchColumnsOf } from '../../domain/entities/member.ts';
import { checkMemberFields, type MemberRules } from '../../domain/members/member-fields.ts';
import { normalizeEmail } from '../../domain/values/text.ts';
import { sql } from '../../store/sql.ts';
import type { Batch, ParsedRow } from '../records/batch.ts';
import { importResourceFor, matcherFor } from '../records/entity-definition.ts';
import { externalIdSql, type Matcher, referenceSql } from '../records/external-id.ts';
import { parsedRow } from '../records/parser.ts';
import type { Row } from '../records/resource-definition.ts';
import { findByAddress, sharedKeyOf, verifyMembers } from './member-identity.ts';
import {
  checkEmailAddresses,
  insertMembers,
  moveAddresses,
  releaseUnusedAddresses,
  SEARCH_COLUMNS,
} from './member-write.ts';
import { lockAddresses, removeMembers } from './remove-members.ts';
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
  derived: SEARCH_COLUMNS,
  derive: searchColumnsOf,
  check: checkEmailAddresses,
  insert: insertMembers,
  beforeUpdate: moveAddresses,
  afterUpdate: releaseUnusedAddresses,
  storeRelated: addTags,
  lock: lockAddresses,
  remove: removeMembers,
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
