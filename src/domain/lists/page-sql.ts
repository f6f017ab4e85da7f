import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { keyAsText, keyFromText, type Place, type SortedBy } from '../cursors/order.ts';
import { boundedRows, rowsReadColumn } from './bounded-rows.ts';
import { LATE_POSITION, lateRecordsSql } from './late-records.ts';
import { type LinkedMembers, linkKey } from './linked-members.ts';
import type { Fields } from './projection.ts';
import { fromRows, RECORD, type RecordSource, sqlShape, tableOf } from './records.ts';

/** The bounds of a page. */
export interface Bounds {
  readonly after: Place | null;
  readonly before: Place | null;
  readonly size: number;
  readonly backwards: boolean;
  /** Whether one record beyond the page is read, to determine whether there are more. */
  readonly lookahead: boolean;
}

/** A place as SQL values: its sort keys, then its position. */
type PlaceSql = readonly Sql[];

/** Returns the cache key of a page's statement, in addition to its source and fields. */
export function shapeOf(bounds: Bounds): string {
  const { after, before, size, backwards } = bounds;
  const hasLateRecords = startOf(bounds)?.unseen !== undefined;
  return `${after !== null} ${before !== null} ${limitCeiling(size)} ${backwards} ${hasLateRecords}`;
}

/** Returns the place that a page is read from; null if that is an end of the list. */
export function startOf({ after, before, backwards }: Bounds): Place | null {
  return backwards ? before : after;
}

/** Returns the direction in which the page is read. */
export function directionOf({ backwards }: Bounds, { descending }: SortedBy): 'ASC' | 'DESC' {
  return backwards === descending ? 'ASC' : 'DESC';
}

/** Returns the cache key of an order. */
export function shapeOfOrder({ keys, descending }: SortedBy): string {
  return `${descending} ${keys.map((key) => sqlShape(key.sql)).join()}`;
}

/** The columns of a {@link PageRow}. */
export function pageColumns<Node>(
  source: RecordSource<Node>,
  fields: Fields | undefined,
  { keys }: SortedBy,
  lateRecords: Sql | undefined,
): Sql {
  const isBounded = rowsReadColumn(source, fields) !== empty;
  const positions = sql`array_agg(page.position)::text AS positions`;
  const sortKeys = keys.length > 0 ? sql`, json_agg(page.sort_keys) AS sort_keys` : empty;
  const truncated = isBounded ? sql`, max(page.rows_read) > count(*) AS truncated` : empty;
  const late = lateRecords ? sql`, array_agg(page.${LATE_POSITION})::text AS late_positions` : empty;
  return sql`json_agg(page.record)::text AS json, ${positions}${sortKeys}${truncated}${late}`;
}

/** Converts a place to SQL values. */
export function placeSql(place: Place, { keys }: SortedBy): PlaceSql {
  return [...keys.map((key, index) => keyFromText(key, place.keys[index] ?? '')), sql`${place.position}::bigint`];
}

/** Returns the condition that compares records with a place. */
export function compareWithPlace(
  source: Pick<RecordSource<unknown>, 'alias' | 'links'>,
  sortedBy: SortedBy,
  operator: string,
  place: PlaceSql,
): Sql {
  const { alias, links = [] } = source;
  // The condition for each link, because PostgreSQL does not infer it from the equality of their positions.
  const tables = links.length > 0 ? links.map((_, index) => `link_${index}`) : [alias];
  return join(
    tables.map((table) => {
      const columns = orderColumns({ ...source, table }, sortedBy);
      const [column] = columns;
      if (column && columns.length === 1) return sql`${column} ${raw(operator)} ${place[0] as Sql}`;
      return sql`(${commaSeparated(columns)}) ${raw(operator)} (${commaSeparated(place)})`;
    }),
    ' AND ',
  );
}

/** Returns the sort keys of a record and its position: columns of a table with links, if the records are read by links. */
function orderColumns(
  { alias, links = [], table }: Pick<RecordSource<unknown>, 'alias' | 'links' | 'table'>,
  { keys }: SortedBy,
): readonly Sql[] {
  const isLink = links.length > 0;
  const columns = keys.map((key, index) => (isLink ? raw(`${table}.${linkKey(index)}`) : key.sql));
  return [...columns, raw(`${isLink ? table : alias}.position`)];
}

function commaSeparated(parts: readonly Sql[]): Sql {
  return parts.reduce((all, part) => sql`${all}, ${part}`);
}

/**
 * Returns the SQL that reads the late records of a page, see {@link lateRecordsSql}; undefined if its cursor has no unseen
 * positions.
 *
 * @param condition of the list, without its filters by links.
 * @param start the place that the page is read from.
 */
export function lateRecordsOf<Node>(
  context: Context,
  source: RecordSource<Node>,
  { condition, linked }: { readonly condition: Sql; readonly linked: readonly LinkedMembers[] },
  bounds: Bounds,
  sortedBy: SortedBy,
  start: PlaceSql | null,
): Sql | undefined {
  const unseen = startOf(bounds)?.unseen;
  if (!unseen || !start) return undefined;
  const operator = directionOf(bounds, sortedBy) === 'ASC' ? '<' : '>';
  const beforeStart = compareWithPlace({ alias: source.alias }, sortedBy, operator, start);
  return lateRecordsSql(context, source, { unseen, linked }, sql`${condition} AND ${beforeStart}`, limitOf(bounds));
}

/**
 * Returns the SQL that reads the records of a page.
 *
 * @param lateRecords see {@link lateRecordsOf}; they come first.
 */
export function pageSql<Node>(
  source: RecordSource<Node>,
  fields: Fields | undefined,
  condition: Sql,
  bounds: Bounds,
  sortedBy: SortedBy,
  { after, before }: { readonly after: PlaceSql | null; readonly before: PlaceSql | null },
  lateRecords: Sql | undefined,
): Sql {
  const alias = raw(source.alias);
  const { keys, descending } = sortedBy;
  const [greater, less] = descending ? ['<', '>'] : ['>', '<'];
  const direction = raw(directionOf(bounds, sortedBy));
  const position = sql`${alias}.position`;
  const inDirection = (columns: readonly Sql[]) => commaSeparated(columns.map((column) => sql`${column} ${direction}`));
  const sortedRecords = inDirection([...keys.map((key) => key.sql), position]);
  const late = lateRecords ? sql`, ${alias}.${LATE_POSITION}` : empty;
  const sorted = lateRecords ? sql`${alias}.${LATE_POSITION}, ${sortedRecords}` : sortedRecords;
  const limit = sql`LIMIT ${limitOf(bounds)}::int`;
  const inOrder = sql`
      SELECT ${alias}.*${lateRecords ? sql`, NULL::bigint AS ${LATE_POSITION}` : empty} FROM ${tableOf(source)}
      WHERE ${condition} ${after ? sql`AND ${compareWithPlace(source, sortedBy, greater, after)}` : empty} ${before ? sql`AND ${compareWithPlace(source, sortedBy, less, before)}` : empty}
      ORDER BY ${inDirection(orderColumns({ ...source, table: 'link_0' }, sortedBy))} ${limit}`;
  const read = lateRecords
    ? sql`SELECT * FROM ((${lateRecords}) UNION ALL (${inOrder})) ${alias} ORDER BY ${sorted} ${limit}`
    : inOrder;
  const rows = sql`(
    SELECT * FROM (${read}
    ) ${alias} LIMIT ${raw(String(limitCeiling(bounds.size)))}
  ) ${alias}`;
  const bounded = boundedRows(source, fields, rows, sorted);
  const sortKeys =
    keys.length > 0 ? sql`, json_build_array(${commaSeparated(keys.map(keyAsText))}) AS sort_keys` : empty;
  return sql`
    SELECT ${RECORD} AS record, ${position}${late}${sortKeys}${rowsReadColumn(source, fields)} ${fromRows(bounded, source, fields)}
    ORDER BY ${sorted}`;
}

function limitOf({ size, lookahead }: Bounds): number {
  return lookahead ? size + 1 : size;
}

/** Page sizes are rounded up to multiples of this, which limits the number of statements to plan. */
const SIZE_STEP = 25;

/**
 * Returns the constant LIMIT of a statement for pages of about this size. If LIMIT is only a parameter, PostgreSQL assumes a
 * tenth of the table: generic plans then seem too expensive, and the statement is planned each time.
 */
function limitCeiling(size: number): number {
  return Math.ceil(size / SIZE_STEP) * SIZE_STEP + 1;
}
