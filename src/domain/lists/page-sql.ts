import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import { keyAsText, type SortedBy } from '../cursors/order.ts';
import { boundedRows, MAX_KILOBYTES_OF_PAGE, type MaxKilobytes, rowsReadColumn } from '../records/bounded-rows.ts';
import type { Fields } from '../records/projection.ts';
import { fromRows, RECORD, type RecordSource, sqlShape, tableOf } from '../records/records.ts';
import {
  type Bounds,
  type BoundsSql,
  compareWithPlace,
  directionOf,
  limitOf,
  orderColumns,
  startOf,
} from './keyset.ts';
import { LATE_POSITION } from './late-records.ts';
import { orderedSearchSql, type SearchPlan } from './ordered-search.ts';

/** Returns the cache key of a page's statement, in addition to its source and fields. */
export function shapeOfPage(bounds: Bounds, { keys, descending }: SortedBy): string {
  const { after, before, size, backwards } = bounds;
  const hasLateRecords = startOf(bounds)?.unseen !== undefined;
  const order = `${descending} ${keys.map((key) => sqlShape(key.sql)).join()}`;
  return `${after !== null} ${before !== null} ${limitCeiling(size)} ${backwards} ${hasLateRecords} ${order}`;
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

/** The conditions of a page's records, in addition to its bounds. */
interface PageCondition {
  readonly condition: Sql;
  /** Whether there are filters on columns of the records. An index may contain all columns that such filters need. */
  readonly isFilteredByColumns: boolean;
  /** Only for a search that is sorted by text. */
  readonly searchPlan?: SearchPlan | undefined;
}

/**
 * Returns the SQL that reads the records of a page.
 *
 * @param lateRecords see {@link lateRecordsSql}; they come first.
 * @param maxKilobytes the maximum size of the long fields of the page.
 */
export function pageSql<Node>(
  source: RecordSource<Node>,
  fields: Fields | undefined,
  { condition, isFilteredByColumns, searchPlan }: PageCondition,
  bounds: Bounds,
  sortedBy: SortedBy,
  { after, before }: BoundsSql,
  lateRecords: Sql | undefined,
  maxKilobytes: MaxKilobytes = MAX_KILOBYTES_OF_PAGE,
): Sql {
  const alias = raw(source.alias);
  const { keys, descending } = sortedBy;
  const [later, earlier] = descending ? (['<', '>'] as const) : (['>', '<'] as const);
  const direction = raw(directionOf(bounds, sortedBy));
  const position = sql`${alias}.position`;
  const inDirection = (columns: readonly Sql[]) => join(columns.map((column) => sql`${column} ${direction}`));
  const recordOrder = inDirection(orderColumns({ alias: source.alias }, sortedBy));
  const lateColumn = lateRecords ? sql`, ${alias}.${LATE_POSITION}` : empty;
  const outerOrder = lateRecords ? sql`${alias}.${LATE_POSITION}, ${recordOrder}` : recordOrder;
  const limitValue = sql`${limitOf(bounds)}::int`;
  const limit = sql`LIMIT ${limitValue}`;
  const withinBounds = [
    ...(after ? [compareWithPlace(source, sortedBy, later, after)] : []),
    ...(before ? [compareWithPlace(source, sortedBy, earlier, before)] : []),
  ];
  const innerOrder = inDirection(orderColumns(source, sortedBy));
  const find = (columns: Sql) => sql`
      SELECT ${columns} FROM ${tableOf(source)}
      WHERE ${join([condition, ...withinBounds], ' AND ')} ORDER BY ${innerOrder} ${limit}`;
  const columns = sql`${alias}.*${lateRecords ? sql`, NULL::bigint AS ${LATE_POSITION}` : empty}`;
  // Select the positions first: if few records match, PostgreSQL then finds all of them with an index and sorts them.
  // It would otherwise read the records in the order of the list until enough match, because it assumes that matching
  // records are spread evenly.
  const readInOrder = () =>
    isFilteredByColumns
      ? sql`
      SELECT ${columns} FROM (${find(sql`${alias}.organization_id, ${position}`)}) found
      JOIN ${raw(`${source.table} ${source.alias}`)} USING (organization_id, position)`
      : find(columns);
  const inOrder = searchPlan
    ? orderedSearchSql(source, {
        columns,
        bounds: join([searchPlan.tenantCondition, ...withinBounds], ' AND '),
        hasManyMatches: searchPlan.hasManyMatches,
        condition: join([condition, ...withinBounds], ' AND '),
        order: innerOrder,
        limit: limitValue,
      })
    : readInOrder();
  const read = lateRecords
    ? sql`SELECT * FROM ((${lateRecords}) UNION ALL (${inOrder})) ${alias} ORDER BY ${outerOrder} ${limit}`
    : inOrder;
  const rows = sql`(
    SELECT * FROM (${read}
    ) ${alias} LIMIT ${raw(String(limitCeiling(bounds.size)))}
  ) ${alias}`;
  const bounded = boundedRows(source, fields, rows, outerOrder, maxKilobytes);
  const sortKeys = keys.length > 0 ? sql`, json_build_array(${join(keys.map(keyAsText))}) AS sort_keys` : empty;
  return sql`
    SELECT ${RECORD} AS record, ${position}${lateColumn}${sortKeys}${rowsReadColumn(source, fields)} ${fromRows(bounded, source, fields)}
    ORDER BY ${outerOrder}`;
}

/** Page sizes are rounded up to multiples of this, which limits the number of statements to plan. */
const SIZE_STEP = 25;

/**
 * Returns the constant LIMIT of a statement for pages of up to this size. If LIMIT is only a parameter, PostgreSQL
 * estimates that a tenth of the table is returned. Generic plans then seem too expensive, and the statement is planned
 * each time.
 */
function limitCeiling(size: number): number {
  return Math.ceil(size / SIZE_STEP) * SIZE_STEP + 1;
}
