import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { SortedBy, SortKey } from '../cursors/order.ts';
import type { MemberLink } from '../records/member-relations.ts';
import type { LinkRows, RecordSource } from '../records/records.ts';
import { keyColumn } from './keyset.ts';

/** A filter for members that are linked to any of several records by a join table. */
export interface LinkFilter extends MemberLink {
  /** The ids of these records, at least one. */
  readonly ids: readonly string[];
  /**
   * Returns a SELECT statement for the ids of records that callers can see; absent if they can see all. Links to other
   * records are ignored.
   *
   * @param ids the ids to select: a value, or ANY with an array.
   */
  readonly visibleIds?: (ids: Sql) => Sql;
}

/** A condition on a column of members that is also stored in their links. */
export interface DenormalizedCondition {
  readonly condition: Sql;
  /** The same condition on the column of the row `link`. */
  readonly linkCondition: Sql;
}

/** The link filters of a list, and the parts of the list that determine how they are read. */
interface LinkFilterOptions {
  readonly linkFilters: readonly LinkFilter[];
  /** The other filters that can be checked in the links, so that members that do not match are not read. */
  readonly denormalized: readonly DenormalizedCondition[];
  /** Whether the list is also searched. PostgreSQL can then find members by their text before it checks their links. */
  readonly isSearched: boolean;
}

/**
 * Returns the SQL of the link filters of a list: subqueries for the `links` of a `RecordSource`, and conditions.
 *
 * @param sortedBy an order whose keys all have a `linkColumn`.
 * @param direction the direction in which the page is read.
 */
export function filterByLinks(
  context: Context,
  { alias }: Pick<RecordSource<unknown>, 'alias'>,
  { linkFilters, denormalized, isSearched }: LinkFilterOptions,
  { keys }: SortedBy,
  direction: 'ASC' | 'DESC',
): { readonly links: readonly LinkRows[]; readonly conditions: readonly Sql[] } {
  const filters = linkFilters.map((filter) => ({ ...filter, ids: [...new Set(filter.ids)] }));
  const joined = isSearched ? filters.filter(({ ids }) => ids.length === 1) : filters;
  const isSingleId = joined.length === 1 && joined[0]?.ids.length === 1;
  // PostgreSQL underestimates the rows of joins on sort keys and positions; without ORDER BY, it would read all links.
  const isSorted = !isSearched && !isSingleId && keys.length > 0;
  const conditions = denormalized.map(({ linkCondition }) => linkCondition);
  return {
    links: joined.map((filter) => linkSubquery(context, filter, { conditions, keys, isSorted, direction })),
    conditions: filters
      .filter((filter) => !joined.includes(filter))
      .map(
        (filter) => sql`${raw(alias)}.position IN (
          SELECT link.member_position FROM ${linksToAny(context, filter)})`,
      ),
  };
}

/** Which links of a filter are read, and in which order. */
interface LinkOrder {
  /** Further conditions on the row `link`. */
  readonly conditions: readonly Sql[];
  readonly keys: readonly SortKey[];
  /**
   * Whether PostgreSQL has to read the links of a single id in order. Otherwise the planner chooses the
   * index and the join order.
   */
  readonly isSorted: boolean;
  readonly direction: 'ASC' | 'DESC';
}

/**
 * Returns a subquery with the sort keys and positions of linked members, without duplicates. An index has them in
 * order, so a page reads only as many index entries as it has records, even if linked members are few or recent.
 *
 * @param filter has no id twice.
 */
function linkSubquery(
  context: Context,
  filter: LinkFilter,
  { conditions, keys, isSorted, direction }: LinkOrder,
): LinkRows {
  const organizationId = context.caller.organization.id;
  const columns = [...keys.map((_, index) => keyColumn(index)), 'position'];
  const linkColumns = [...keys.map(({ linkColumn }) => linkColumn), 'member_position'];
  const selected = raw(linkColumns.map((name, index) => `link.${name} AS ${columns[index]}`).join(', '));
  const order = raw(columns.map((_, index) => `${index + 1} ${direction}`).join(', '));
  const rowsById = filter.ids.map((id) => {
    const links = join([linksToOne(context, filter, id), ...conditions], ' AND ');
    return sql`SELECT ${selected} FROM ${links}`;
  });
  const sortedRowsById = rowsById.map((rows) => sql`(${rows} ORDER BY ${order})`);
  if (rowsById.length === 1)
    return { sql: isSorted ? join(sortedRowsById) : sql`(${join(rowsById)})`, columns, organizationId };
  // With ORDER BY and DISTINCT ON, PostgreSQL merges the index scans and stops at the end of the page. With DISTINCT,
  // it would read all members into a hash table.
  const columnList = raw(columns.join(', '));
  const rows = sql`(
    SELECT DISTINCT ON (${columnList}) ${columnList} FROM (${join(sortedRowsById, ' UNION ALL ')}) link
    ORDER BY ${order})`;
  return { sql: rows, columns, organizationId };
}

/** Returns the FROM and WHERE clauses, without the keyword FROM, for the links of a filter to one of its ids. */
export function linksToOne(context: Context, { table, column, visibleIds }: LinkFilter, id: string): Sql {
  const isVisible = visibleIds ? sql` AND EXISTS (${visibleIds(sql`${id}`)})` : empty;
  return sql`${linksFrom(context, table)} AND ${raw(`link.${column}`)} = ${id}${isVisible}`;
}

/** Like {@link linksToOne}, for the links of a filter to any of its ids. */
export function linksToAny(context: Context, { table, column, ids, visibleIds }: LinkFilter): Sql {
  const matching = visibleIds ? sql`ARRAY(${visibleIds(sql`ANY(${ids})`)})` : sql`${ids}`;
  return sql`${linksFrom(context, table)} AND ${raw(`link.${column}`)} = ANY(${matching})`;
}

/** Returns the FROM and WHERE clauses for all rows `link` of a join table that belong to the organization. */
function linksFrom({ caller }: Context, table: string): Sql {
  return sql`${raw(table)} link WHERE link.organization_id = ${caller.organization.id}`;
}
