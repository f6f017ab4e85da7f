import { join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { allUnseenSql, rangesSql, type UnseenPositions } from '../cursors/unseen-positions.ts';
import type { LinkedMembers } from './linked-members.ts';
import type { RecordSource } from './records.ts';

/** Which records of a list are late: they appeared before the place of a cursor after its page was read. */
export interface LateRecords {
  /** Of the cursor. */
  readonly unseen: UnseenPositions;
  /** The filters by links. With filters, a record is late if it did not match one of them when the page was read. */
  readonly linked: readonly LinkedMembers[];
}

/** The column with the position that makes a record late: its own, or that of the link that added it to the list. */
export const LATE_POSITION = raw('late_position');

/**
 * Returns the SQL that reads the late records of a list in the order of their {@link LATE_POSITION}.
 *
 * @param condition of the list, without its filters by links, and with the condition that a record precedes the cursor.
 */
export function lateRecordsSql<Node>(
  context: Context,
  source: RecordSource<Node>,
  { unseen, linked }: LateRecords,
  condition: Sql,
  limit: number,
): Sql {
  const alias = raw(source.alias);
  if (linked.length > 0) return lateLinksSql(context, source, { unseen, linked }, condition, limit);
  return sql`
    SELECT ${alias}.*, ${alias}.position AS ${LATE_POSITION}
    FROM unnest(${rangesSql(unseen)}) AS unseen
    CROSS JOIN LATERAL (
      SELECT ${alias}.* FROM ${raw(source.table)} ${alias}
      WHERE ${condition} AND ${inRange(sql`${alias}.position`)} ORDER BY ${alias}.position LIMIT ${limit}::int
    ) ${alias}
    ORDER BY ${LATE_POSITION} LIMIT ${limit}::int`;
}

/**
 * The same for lists that are filtered by links: members that match a filter only by links with unseen positions.
 *
 * Each late record is found by the link with its late position. The links of a range are read in the order of their
 * positions until there are enough records, because a range that combines others can have very many.
 */
function lateLinksSql<Node>(
  { caller }: Context,
  { table, alias: name }: RecordSource<Node>,
  { unseen, linked }: LateRecords,
  condition: Sql,
  limit: number,
): Sql {
  const alias = raw(name);
  const linksOf = ({ table, column }: LinkedMembers, ids: Sql) => sql`
    ${raw(table)} link WHERE link.organization_id = ${caller.organization.id} AND ${raw(`link.${column}`)} = ${ids}`;
  // For each id, an index has the links in order; PostgreSQL merges them.
  const linksInRange = (one: LinkedMembers) =>
    join(
      [...new Set(one.ids)].map(
        (id) => sql`(
          SELECT link.member_position, link.position FROM ${linksOf(one, sql`${id}`)} AND ${inRange(sql`link.position`)}
          ORDER BY link.position)`,
      ),
      ' UNION ALL ',
    );
  const links = linked.map(
    (one, index) => sql`
      CROSS JOIN LATERAL (
        SELECT coalesce(bool_or(NOT link.position <@ ${allUnseenSql(unseen)}), false) AS was_seen,
          min(link.position) FILTER (WHERE link.position <@ ${rangesSql(unseen)}) AS position
        FROM ${linksOf(one, sql`ANY(${one.ids})`)} AND link.member_position = ${alias}.position
      ) ${raw(`link_${index}`)}`,
  );
  const names = linked.map((_, index) => `link_${index}`);
  const isLinked = names.map((link) => raw(`(${link}.was_seen OR ${link}.position IS NOT NULL)`));
  const latePosition = raw(
    `greatest(${names.map((link) => `CASE WHEN NOT ${link}.was_seen THEN ${link}.position END`).join(', ')})`,
  );
  const found = linked
    .filter(({ ids }) => ids.length > 0)
    .map(
      (one) => sql`
        SELECT late.* FROM unnest(${rangesSql(unseen)}) AS unseen
        CROSS JOIN LATERAL (
          SELECT ${alias}.position, late_link.position AS ${LATE_POSITION}
          FROM (SELECT * FROM (${linksInRange(one)}) link ORDER BY link.position) late_link
          JOIN ${raw(table)} ${alias} ON ${alias}.position = late_link.member_position + 0
          ${join(links, ' ')}
          WHERE ${condition} AND ${join(isLinked, ' AND ')} AND ${latePosition} = late_link.position
          ORDER BY late_link.position LIMIT ${limit}::int
        ) late`,
    );
  if (found.length === 0)
    return sql`SELECT ${alias}.*, NULL::bigint AS ${LATE_POSITION} FROM ${raw(table)} ${alias} WHERE false`;
  return sql`
    SELECT ${alias}.*, late.${LATE_POSITION}
    FROM (SELECT * FROM (${join(found, ' UNION ')}) late ORDER BY ${LATE_POSITION} LIMIT ${limit}::int) late
    JOIN ${raw(table)} ${alias} ON ${alias}.position = late.position
    WHERE ${alias}.organization_id = ${caller.organization.id}
    ORDER BY ${LATE_POSITION} LIMIT ${limit}::int`;
}

/** The condition that a position is in the range `unseen`: as comparisons, for which PostgreSQL can use an index. */
function inRange(position: Sql): Sql {
  return sql`${position} >= lower(unseen) AND ${position} < upper(unseen)`;
}
