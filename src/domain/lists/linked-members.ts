import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { MemberLink } from './member-relations.ts';

/** The members that a table links to any of several records. */
export interface LinkedMembers extends MemberLink {
  /** The ids of these records. */
  readonly ids: readonly string[];
}

/**
 * Returns the filters by links of a list: subqueries for the `links` of a `RecordSource` in the order of entry, and a condition
 * that begins with AND, or is empty, in other orders.
 *
 * @param direction in which a page in the order of entry is read; undefined in other orders.
 */
export function filterByLinks(
  context: Context,
  linked: readonly LinkedMembers[],
  direction: 'ASC' | 'DESC' | undefined,
): { readonly links: readonly Sql[]; readonly condition: Sql } {
  const isRead = ({ ids }: LinkedMembers) => direction !== undefined && ids.length > 0;
  const links = linked.filter(isRead).map((one) => linkedPositions(context, one, direction as 'ASC' | 'DESC'));
  const condition = linked
    .filter((one) => !isRead(one))
    .reduce((all, one) => sql`${all} AND ${isLinked(context, one)}`, empty);
  return { links, condition };
}

/**
 * Returns a subquery with the positions of linked members, each once. An index has them in order: a page in the order of
 * entry reads as many of its entries as the page has records, however few or recent the linked members are.
 *
 * @param linked with at least one id.
 * @param direction in which the page is read.
 */
function linkedPositions({ caller }: Context, { table, column, ids }: LinkedMembers, direction: 'ASC' | 'DESC'): Sql {
  const order = raw(direction);
  const [first, ...others] = [...new Set(ids)].map(
    (id) => sql`(
      SELECT link.member_position AS position FROM ${raw(table)} link
      WHERE link.organization_id = ${caller.organization.id} AND ${raw(`link.${column}`)} = ${id}
      ORDER BY link.member_position ${order})`,
  );
  if (others.length === 0) return first as Sql;
  // Sorted, and DISTINCT ON, so that PostgreSQL merges the indexes as far as the page needs. For DISTINCT alone, it would
  // read all members into a hash table.
  return sql`(
    SELECT DISTINCT ON (position) position FROM (${join([first, ...others], ' UNION ALL ')}) link
    ORDER BY position ${order})`;
}

/** Returns the condition that a member is linked. EXISTS, so that either side can be read first. */
function isLinked({ caller }: Context, { table, column, ids }: LinkedMembers): Sql {
  return sql`EXISTS (
    SELECT FROM ${raw(table)} link
    WHERE link.organization_id = ${caller.organization.id} AND ${raw(`link.${column}`)} = ANY(${ids})
      AND link.member_position = m.position)`;
}
