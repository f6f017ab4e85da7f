import { join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { SortedBy, SortKey } from '../cursors/order.ts';
import type { MemberLink } from './member-relations.ts';
import type { LinkRows } from './records.ts';

/** The members that a table links to any of several records. */
export interface LinkedMembers extends MemberLink {
  /** The ids of these records. */
  readonly ids: readonly string[];
}

/**
 * Returns the filters by links of a list: subqueries for the `links` of a `RecordSource`, and conditions.
 *
 * @param sortedBy an order whose keys all have a `linkColumn`.
 * @param direction the direction in which the page is read.
 */
export function filterByLinks(
  context: Context,
  linked: readonly LinkedMembers[],
  { keys }: SortedBy,
  direction: 'ASC' | 'DESC',
): { readonly links: readonly LinkRows[]; readonly conditions: readonly Sql[] } {
  const links = linked.filter(({ ids }) => ids.length > 0);
  return {
    links: links.map((one) => linkedPositions(context, one, keys, direction)),
    // A filter without ids matches no record.
    conditions: links.length < linked.length ? [sql`false`] : [],
  };
}

/**
 * Returns a subquery with the sort keys and positions of linked members, without duplicates. An index has them in
 * order, so a page reads only as many index entries as it has records, even if linked members are few or recent.
 *
 * @param linked has at least one id.
 */
function linkedPositions(
  context: Context,
  linked: LinkedMembers,
  keys: readonly SortKey[],
  direction: 'ASC' | 'DESC',
): LinkRows {
  const organizationId = context.caller.organization.id;
  const columns = [...keys.map((_, index) => `key_${index}`), 'position'];
  const ofTable = [...keys.map(({ linkColumn }) => linkColumn), 'member_position'];
  const selected = raw(ofTable.map((name, index) => `link.${name} AS ${columns[index]}`).join(', '));
  const order = raw(columns.map((_, index) => `${index + 1} ${direction}`).join(', '));
  const [first, ...others] = [...new Set(linked.ids)].map(
    (id) => sql`(SELECT ${selected} FROM ${linksTo(context, linked, sql`${id}`)} ORDER BY ${order})`,
  );
  if (others.length === 0) return { sql: first as Sql, columns, organizationId };
  // With ORDER BY and DISTINCT ON, PostgreSQL merges the index scans and stops at the end of the page. With DISTINCT,
  // it would read all members into a hash table.
  const list = raw(columns.join(', '));
  const rows = sql`(
    SELECT DISTINCT ON (${list}) ${list} FROM (${join([first, ...others], ' UNION ALL ')}) link
    ORDER BY ${order})`;
  return { sql: rows, columns, organizationId };
}

/**
 * Returns the FROM and WHERE clauses, without the word FROM, for the rows `link` that link members to other records.
 *
 * @param ids the ids of the other records: a value, or ANY with an array.
 */
export function linksTo({ caller }: Context, { table, column }: MemberLink, ids: Sql): Sql {
  return sql`
    ${raw(table)} link WHERE link.organization_id = ${caller.organization.id} AND ${raw(`link.${column}`)} = ${ids}`;
}
