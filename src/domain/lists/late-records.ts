import { join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { SortedBy } from '../cursors/order.ts';
import { allUnseenSql, rangesSql, type UnseenPositions } from '../cursors/unseen-positions.ts';
import { type RecordSource, tableOf } from '../records/records.ts';
import {
  type Bounds,
  type BoundsSql,
  compareWithPlace,
  directionOf,
  limitOf,
  sortKeyColumns,
  startOf,
} from './keyset.ts';
import { type LinkFilter, linkRowsSql } from './link-filters.ts';
import { matchAlias, recordAt } from './list-source.ts';

/** The column with the position that makes a record late: its own, or that of the link that added it to the list. */
export const LATE_POSITION = raw('late_position');

/** The parts of the SQL of {@link lateRecordsSql}. */
interface LateRecordsParts {
  /** The unseen positions of the cursor. */
  readonly unseen: UnseenPositions;
  /**
   * The conditions of the list, except link filters, and the condition that a record precedes the place of the cursor.
   */
  readonly condition: Sql;
  /**
   * With link filters, a record is also late if it did not match one of them yet when the previous page was read.
   */
  readonly linkFilters: readonly LinkFilter[];
  /** The sort keys of a record, see {@link sortKeyColumns}. */
  readonly sortKeys: Sql;
  readonly limit: Sql;
}

/** The page whose late records are read. */
interface LateRecordsQuery {
  /** The conditions of the list, except link filters. */
  readonly condition: Sql;
  readonly bounds: Bounds;
  readonly boundsSql: BoundsSql;
  readonly sortedBy: SortedBy;
  readonly linkFilters: readonly LinkFilter[];
}

/**
 * Returns the SQL that reads the late records of a page: those that became visible after the previous page was read, but
 * precede the place of the cursor in the direction of reading, so that keyset pagination alone would skip them. They are
 * in the order of their {@link LATE_POSITION}. Undefined if the cursor has no unseen positions.
 */
export function lateRecordsSql<Node>(
  context: Context,
  source: RecordSource<Node>,
  { condition, linkFilters, bounds, boundsSql, sortedBy }: LateRecordsQuery,
): Sql | undefined {
  const unseen = startOf(bounds)?.unseen;
  const start = bounds.backwards ? boundsSql.before : boundsSql.after;
  if (!unseen || !start) return undefined;
  const operator = directionOf(bounds, sortedBy) === 'ASC' ? '<' : '>';
  const precedes = compareWithPlace({ alias: source.alias }, sortedBy, operator, start);
  const late = {
    unseen,
    linkFilters,
    condition: sql`${condition} AND ${precedes}`,
    sortKeys: sortKeyColumns({ alias: source.alias }, sortedBy),
    limit: sql`LIMIT ${limitOf(bounds)}::int`,
  };
  return linkFilters.length > 0 ? lateByLinks(context, source, late) : lateByPosition(source, late);
}

/** Returns the SQL that reads records with unseen positions. */
function lateByPosition<Node>(
  source: RecordSource<Node>,
  { unseen, condition, sortKeys, limit }: LateRecordsParts,
): Sql {
  const alias = raw(source.alias);
  return sql`
    SELECT ${alias}.*${sortKeys}, ${alias}.position AS ${LATE_POSITION}
    FROM unnest(${rangesSql(unseen)}) AS unseen
    CROSS JOIN LATERAL (
      SELECT ${alias}.* FROM ${tableOf(source)}
      WHERE ${condition} AND ${inRange(sql`${alias}.position`)} ORDER BY ${alias}.position ${limit}
    ) ${alias}
    ORDER BY ${LATE_POSITION} ${limit}`;
}

/**
 * Returns the SQL that reads members that match a filter only because of links with unseen positions.
 *
 * Each late record is found once, by the link with its late position. Links are read in the order of their positions, and
 * only until the page is full, because a range that combines others can contain very many.
 */
function lateByLinks<Node>(
  context: Context,
  source: RecordSource<Node>,
  { unseen, condition, linkFilters, sortKeys, limit }: LateRecordsParts,
): Sql {
  const alias = raw(source.alias);
  // For each id, an index has the links in this order; PostgreSQL merges the results.
  const linksInRange = (filter: LinkFilter) =>
    join(
      filter.ids.map(
        (id) => sql`(
          SELECT link.member_position, link.position
          FROM ${linkRowsSql(context, filter, sql`${id}`)} AND ${inRange(sql`link.position`)}
          ORDER BY link.position)`,
      ),
      ' UNION ALL ',
    );
  // For each filter, whether the member matched it when the previous page was read, and its first link since then.
  const links = linkFilters.map(
    (filter, index) => sql`
      CROSS JOIN LATERAL (
        SELECT coalesce(bool_or(NOT link.position <@ ${allUnseenSql(unseen)}), false) AS was_seen,
          min(link.position) FILTER (WHERE link.position <@ ${rangesSql(unseen)}) AS position
        FROM ${linkRowsSql(context, filter, sql`ANY(${filter.ids})`)} AND link.member_position = ${alias}.position
      ) ${raw(matchAlias(index))}`,
  );
  const names = linkFilters.map((_, index) => matchAlias(index));
  const isLinked = names.map((link) => raw(`(${link}.was_seen OR ${link}.position IS NOT NULL)`));
  const latePosition = raw(
    `greatest(${names.map((link) => `CASE WHEN NOT ${link}.was_seen THEN ${link}.position END`).join(', ')})`,
  );
  const found = linkFilters
    .filter(({ ids }) => ids.length > 0)
    .map(
      (filter) => sql`
        SELECT found.* FROM unnest(${rangesSql(unseen)}) AS unseen
        CROSS JOIN LATERAL (
          SELECT ${alias}.position, late_link.position AS ${LATE_POSITION}
          FROM (SELECT * FROM (${linksInRange(filter)}) link ORDER BY link.position) late_link
          ${recordAt(context, source, raw('late_link.member_position'))}
          ${join(links, ' ')}
          WHERE ${condition} AND ${join(isLinked, ' AND ')} AND ${latePosition} = late_link.position
          ORDER BY late_link.position ${limit}
        ) found`,
    );
  if (found.length === 0)
    return sql`SELECT ${alias}.*${sortKeys}, NULL::bigint AS ${LATE_POSITION} FROM ${tableOf(source)} WHERE false`;
  return sql`
    SELECT ${alias}.*${sortKeys}, late.${LATE_POSITION}
    FROM (SELECT * FROM (${join(found, ' UNION ')}) found ORDER BY ${LATE_POSITION} ${limit}) late
    JOIN ${tableOf(source)} ON ${alias}.position = late.position
    WHERE ${alias}.organization_id = ${context.caller.organization.id}
    ORDER BY ${LATE_POSITION} ${limit}`;
}

/** The condition that a position is in the range `unseen`: as comparisons, for which PostgreSQL can use an index. */
function inRange(position: Sql): Sql {
  return sql`${position} >= lower(unseen) AND ${position} < upper(unseen)`;
}
