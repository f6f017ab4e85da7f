import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { SortedBy, SortKey } from '../cursors/order.ts';
import type { MemberLink } from './member-relations.ts';
import type { LinkRows } from './records.ts';

/** The members that a table links to any of several records. */
export interface LinkedMembers extends MemberLink {
  /** The ids of these records. */
  readonly ids: readonly string[];
}

/** The order and the direction in which links are read. */
export interface LinkOrder {
  readonly keys: readonly SortKey[];
  readonly direction: 'ASC' | 'DESC';
}

/** Returns the order in which links are read for a page; undefined if the links have not all of its sort keys. */
export function linkOrderOf({ keys }: SortedBy, direction: 'ASC' | 'DESC'): LinkOrder | undefined {
  return keys.every(({ linkColumn }) => linkColumn) ? { keys, direction } : undefined;
}

/** Returns the name of a sort key in the subqueries with links. */
export function linkKey(index: number): string {
  return `key_${index}`;
}

/**
 * Returns the filters by links of a list: subqueries for the `links` of a `RecordSource` in orders whose sort keys the links
 * have, and a condition that begins with AND, or is empty, in other orders.
 *
 * @param order in which the page is read; undefined if the links have not its sort keys.
 */
export function filterByLinks(
  context: Context,
  linked: readonly LinkedMembers[],
  order: LinkOrder | undefined,
): { readonly links: readonly LinkRows[]; readonly condition: Sql } {
  const isRead = ({ ids }: LinkedMembers) => order !== undefined && ids.length > 0;
  const links = linked.filter(isRead).map((one) => linkedPositions(context, one, order as LinkOrder));
  const condition = linked
    .filter((one) => !isRead(one))
    .reduce((all, one) => sql`${all} AND ${isLinked(context, one)}`, empty);
  return { links, condition };
}

/**
 * Returns a subquery with the sort keys and positions of linked members, each once. An index has them in order: a page reads as
 * many of its entries as the page has records, however few or recent the linked members are.
 *
 * @param linked with at least one id.
 */
function linkedPositions(
  { caller }: Context,
  { table, column, ids }: LinkedMembers,
  { keys, direction }: LinkOrder,
): LinkRows {
  const columns = [...keys.map((_, index) => linkKey(index)), 'position'];
  const ofTable = [...keys.map(({ linkColumn }) => linkColumn), 'member_position'];
  const selected = raw(ofTable.map((name, index) => `link.${name} AS ${columns[index]}`).join(', '));
  const order = raw(columns.map((_, index) => `${index + 1} ${direction}`).join(', '));
  const [first, ...others] = [...new Set(ids)].map(
    (id) => sql`(
      SELECT ${selected} FROM ${raw(table)} link
      WHERE link.organization_id = ${caller.organization.id} AND ${raw(`link.${column}`)} = ${id}
      ORDER BY ${order})`,
  );
  if (others.length === 0) return { sql: first as Sql, columns };
  // Sorted, and DISTINCT ON, so that PostgreSQL merges the indexes as far as the page needs. For DISTINCT alone, it would
  // read all members into a hash table.
  const list = raw(columns.join(', '));
  const rows = sql`(
    SELECT DISTINCT ON (${list}) ${list} FROM (${join([first, ...others], ' UNION ALL ')}) link
    ORDER BY ${order})`;
  return { sql: rows, columns };
}

/** Returns the condition that a member is linked. EXISTS, so that either side can be read first. */
function isLinked({ caller }: Context, { table, column, ids }: LinkedMembers): Sql {
  return sql`EXISTS (
    SELECT FROM ${raw(table)} link
    WHERE link.organization_id = ${caller.organization.id} AND ${raw(`link.${column}`)} = ANY(${ids})
      AND link.member_position = m.position)`;
}
