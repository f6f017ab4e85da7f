import { join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { SortedBy, SortKey } from '../cursors/order.ts';
import type { MemberLink } from '../records/member-relations.ts';
import type { RecordSource } from '../records/records.ts';
import { isInOrderOfEntry, keyColumn } from './keyset.ts';
import type { MatchSubquery } from './list-source.ts';

/** A filter for members that are linked to any of several records by rows of a join table. */
export interface LinkFilter extends MemberLink {
  /** The ids of these records, each once. */
  readonly ids: readonly string[];
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
 * Returns the SQL of the link filters of a list: subqueries for the `matches` of a `ListSource`, and conditions.
 *
 * @param sortedBy an order whose keys all have a `linkColumn`.
 * @param direction the direction in which the page is read.
 */
export function filterByLinks(
  context: Context,
  { alias }: Pick<RecordSource<unknown>, 'alias'>,
  { linkFilters, denormalized, isSearched }: LinkFilterOptions,
  sortedBy: SortedBy,
  direction: 'ASC' | 'DESC',
): { readonly matches: readonly MatchSubquery[]; readonly conditions: readonly Sql[] } {
  // A filter without ids matches no member.
  if (linkFilters.some(({ ids }) => ids.length === 0)) return { matches: [], conditions: [sql`false`] };
  const joined = isSearched ? linkFilters.filter(({ ids }) => ids.length === 1) : linkFilters;
  const isSingleId = joined.length === 1 && joined[0]?.ids.length === 1;
  // PostgreSQL underestimates the rows of joins on sort keys and positions. It would read all links if the subqueries
  // were not sorted.
  const isSorted = !isSearched && !isSingleId && !isInOrderOfEntry(sortedBy);
  const { keys } = sortedBy;
  const conditions = denormalized.map(({ linkCondition }) => linkCondition);
  return {
    matches: joined.map((filter) => linkSubquery(context, filter, { conditions, keys, isSorted, direction })),
    conditions: linkFilters
      .filter((filter) => !joined.includes(filter))
      .map(
        (filter) => sql`${raw(alias)}.position IN (
          SELECT link.member_position FROM ${linkRowsSql(context, filter, sql`ANY(${filter.ids})`)})`,
      ),
  };
}

/** Which links of a filter are read, and in which order. */
interface LinkOrder {
  /** Further conditions on the row `link`. */
  readonly conditions: readonly Sql[];
  readonly keys: readonly SortKey[];
  /** Whether a filter by a single id has an ORDER BY. Filters by several ids always have one. */
  readonly isSorted: boolean;
  readonly direction: 'ASC' | 'DESC';
}

/**
 * Returns a subquery with the sort keys and positions of linked members, without duplicates. An index contains the links
 * to each record in this order, so a page reads only its own entries, wherever they are in the list.
 *
 * @param filter has at least one id.
 */
function linkSubquery(
  context: Context,
  filter: LinkFilter,
  { conditions, keys, isSorted, direction }: LinkOrder,
): MatchSubquery {
  const columns = [...keys.map((_, index) => keyColumn(index)), 'position'];
  const linkColumns = [...keys.map(({ linkColumn }) => linkColumn), 'member_position'];
  const selected = raw(linkColumns.map((name, index) => `link.${name} AS ${columns[index]}`).join(', '));
  const order = raw(columns.map((_, index) => `${index + 1} ${direction}`).join(', '));
  const rowsById = filter.ids.map((id) => {
    const links = join([linkRowsSql(context, filter, sql`${id}`), ...conditions], ' AND ');
    return sql`SELECT ${selected} FROM ${links}`;
  });
  const sortedRowsById = rowsById.map((rows) => sql`(${rows} ORDER BY ${order})`);
  if (rowsById.length === 1) return { sql: isSorted ? join(sortedRowsById) : sql`(${join(rowsById)})`, columns };
  // With ORDER BY and DISTINCT ON, PostgreSQL merges the index scans and stops at the end of the page. With DISTINCT,
  // it would read all members into a hash table.
  const columnList = raw(columns.join(', '));
  const rows = sql`(
    SELECT DISTINCT ON (${columnList}) ${columnList} FROM (${join(sortedRowsById, ' UNION ALL ')}) link
    ORDER BY ${order})`;
  return { sql: rows, columns };
}

/**
 * Returns the FROM and WHERE clauses, without the keyword FROM, for the rows `link` of a join table.
 *
 * @param ids the ids of the other records: a value, or ANY with an array.
 */
export function linkRowsSql({ caller }: Context, { table, column }: MemberLink, ids: Sql): Sql {
  return sql`
    ${raw(table)} link WHERE link.organization_id = ${caller.organization.id} AND ${raw(`link.${column}`)} = ${ids}`;
}
