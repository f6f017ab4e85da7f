import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { keyAsText, type SortedBy, type SortKey } from '../cursors/order.ts';
import { boundedRows, isBounded, type MaxKilobytes, rowsReadColumn } from '../records/bounded-rows.ts';
import type { SelectedFields } from '../records/projection.ts';
import { fromRows, RECORD, type RecordSource, sqlShape, tableOf } from '../records/records.ts';
import type { FilteredList } from './filtered-list.ts';
import {
  type Bounds,
  type BoundsSql,
  type Comparison,
  compareWithPlace,
  comparisonWithin,
  directionOf,
  keyColumn,
  limitOf,
  orderColumns,
  type PlaceSql,
  sortKeyColumns,
  startOf,
} from './keyset.ts';
import { LATE_POSITION } from './late-records.ts';
import { type ListSource, recordAt, recordsFrom } from './list-source.ts';
import { orderedSearchSql, type SearchPlan } from './ordered-search.ts';

/**
 * Returns the part of the cache key of a page's statement that depends on its bounds and order. It must differ whenever
 * the text of {@link pageSql} differs, except for source and fields, because a cached text is used with new values. The
 * statements of filtered lists are not cached.
 */
export function shapeOfPage(bounds: Bounds, sortedBy: SortedBy): string {
  const { keys, descending } = sortedBy;
  const { after, before, size, backwards } = bounds;
  const hasLateRecords = startOf(bounds)?.unseen !== undefined;
  const order = `${descending} ${keys.map((key) => sqlShape(key.sql)).join()}`;
  const comparisons = [
    after && comparisonWithin('after', after, sortedBy),
    before && comparisonWithin('before', before, sortedBy),
  ];
  return `${comparisons} ${limitCeiling(size)} ${backwards} ${hasLateRecords} ${order}`;
}

/** The columns of a {@link PageRow}. */
export function pageColumns<Node>(
  source: RecordSource<Node>,
  fields: SelectedFields | undefined,
  { keys }: SortedBy,
  lateRecords: Sql | undefined,
): Sql {
  const positions = sql`array_agg(page.position)::text AS positions`;
  const sortKeys = keys.length > 0 ? sql`, json_agg(page.sort_keys) AS sort_keys` : empty;
  const truncated = isBounded(source, fields) ? sql`, max(page.rows_read) > count(*) AS truncated` : empty;
  const late = lateRecords ? sql`, array_agg(page.${LATE_POSITION})::text AS late_positions` : empty;
  return sql`json_agg(page.record)::text AS json, ${positions}${sortKeys}${truncated}${late}`;
}

/** A page to read, with the parts of its statement. */
export interface PageQuery<Node> extends Pick<FilteredList<Node>, 'isFilteredByColumns' | 'usesUpdateIndex'> {
  readonly source: ListSource<Node>;
  readonly fields: SelectedFields | undefined;
  /** The condition of the records, in addition to the bounds. */
  readonly condition: Sql;
  /** Only for a search that is sorted by text. */
  readonly searchPlan: SearchPlan | undefined;
  readonly bounds: Bounds;
  readonly boundsSql: BoundsSql;
  readonly sortedBy: SortedBy;
  /** The SQL of {@link lateRecordsSql}, whose records come first; undefined if there are none. */
  readonly lateRecords: Sql | undefined;
  /** The maximum size of the long fields of the page. */
  readonly maxKilobytes: MaxKilobytes;
}

/** Returns the SQL that reads the records of a page. */
export function pageSql<Node>(context: Context, page: PageQuery<Node>): Sql {
  const { source, fields, bounds, sortedBy, lateRecords, maxKilobytes } = page;
  const alias = raw(source.alias);
  const keyColumns = sortedBy.keys.map((_, index) => raw(`${source.alias}.${keyColumn(index)}`));
  const recordOrder = orderBy(page, [...keyColumns, sql`${alias}.position`]);
  const order = lateRecords ? sql`${alias}.${LATE_POSITION}, ${recordOrder}` : recordOrder;
  const inOrder = recordsInOrder(context, page);
  const read = lateRecords
    ? sql`SELECT * FROM ((${lateRecords}) UNION ALL (${inOrder})) ${alias} ORDER BY ${order} LIMIT ${limitParameter(bounds)}`
    : inOrder;
  const rows = sql`(
    SELECT * FROM (${read}
    ) ${alias} LIMIT ${raw(String(limitCeiling(bounds.size)))}
  ) ${alias}`;
  const bounded = boundedRows(source, fields, { rows, order, maxKilobytes });
  const lateColumn = lateRecords ? sql`, ${alias}.${LATE_POSITION}` : empty;
  const keysAsText = keyColumns.map((column, index) => keyAsText(sortedBy.keys[index] as SortKey, column));
  const sortKeys = keysAsText.length > 0 ? sql`, json_build_array(${join(keysAsText)}) AS sort_keys` : empty;
  return sql`
    SELECT ${RECORD} AS record, ${alias}.position${lateColumn}${sortKeys}${rowsReadColumn(source, fields)} ${fromRows(bounded, source, fields)}
    ORDER BY ${order}`;
}

/**
 * Returns the SQL that reads the records within the bounds of a page, in its order, without late records. The sort keys
 * are columns, so that they are only computed here.
 */
function recordsInOrder<Node>(context: Context, page: PageQuery<Node>): Sql {
  const { source, condition, isFilteredByColumns, usesUpdateIndex, searchPlan, bounds, sortedBy, lateRecords } = page;
  const alias = raw(source.alias);
  const latePosition = lateRecords ? sql`, NULL::bigint AS ${LATE_POSITION}` : empty;
  const columns = sql`${alias}.*${sortKeyColumns(source, sortedBy)}${latePosition}`;
  if (usesUpdateIndex) return recordsByUpdateIndex(page, columns);
  const withinBounds = boundConditions(page, (comparison, place) =>
    compareWithPlace(source, sortedBy, comparison, place),
  );
  const order = orderBy(page, orderColumns(source, sortedBy));
  const limit = limitParameter(bounds);
  if (searchPlan) {
    return orderedSearchSql(source, {
      columns,
      bounds: join([searchPlan.tenantCondition, ...withinBounds], ' AND '),
      hasManyMatches: searchPlan.hasManyMatches,
      condition: join([condition, ...withinBounds], ' AND '),
      order,
      limit,
    });
  }
  const select = (selected: Sql) => sql`
      SELECT ${selected} FROM ${recordsFrom(context, source)}
      WHERE ${join([condition, ...withinBounds], ' AND ')} ORDER BY ${order} LIMIT ${limit}`;
  if (!isFilteredByColumns) return select(columns);
  // First select only the positions, in the order of the list. Most indexes for filters of members contain the positions
  // and sort keys, so if few members match, PostgreSQL finds all of them with an index alone and sorts them. It would
  // otherwise read the members in the order of the list until enough match, because it assumes that matching members are
  // spread evenly.
  return sql`
      SELECT ${columns} FROM (${select(sql`${alias}.position`)}) matching ${recordAt(context, source, sql`matching.position`)}`;
}

/** The number of bits of the lower part of a position in the index `member_updated_by_position_idx`. */
const LOWER_BITS = 20;
/** The maximum of the lower part, and the mask that selects it. */
const MAX_LOWER_PART = 2 ** LOWER_BITS - 1;
/** The maximum of the upper part. Positions are never negative, so they have 63 bits. */
const MAX_UPPER_PART = 2 ** (63 - LOWER_BITS) - 1;

/**
 * Like {@link recordsInOrder}, but orders by the distance from the first or the last possible position, as the index
 * `member_updated_by_position_idx` does. Its migration, `member_updates_in_entry_order`, explains why the position is
 * split.
 */
function recordsByUpdateIndex<Node>(page: PageQuery<Node>, columns: Sql): Sql {
  const { source, condition, bounds, sortedBy } = page;
  const column = raw(`${source.alias}.position`);
  // Without sort keys, a place is only a position.
  const withinBounds = boundConditions(
    page,
    (comparison, [position]) => sql`(${column} + 0) ${raw(comparison)} ${position}`,
  );
  const [startOfUpper, startOfLower] =
    directionOf(bounds, sortedBy) === 'ASC' ? [0, 0] : [MAX_UPPER_PART, MAX_LOWER_PART];
  return sql`
      SELECT ${columns} FROM ${tableOf(source)}
      WHERE ${join([condition, ...withinBounds], ' AND ')}
      ORDER BY (${column} >> ${raw(String(LOWER_BITS))}) <-> ${raw(String(startOfUpper))}::bigint,
        (${column} & ${raw(String(MAX_LOWER_PART))}) <-> ${raw(String(startOfLower))}::bigint
      LIMIT ${limitParameter(bounds)}`;
}

/**
 * Returns the conditions that restrict records to the bounds of the page.
 *
 * @param compare returns the condition that compares records with a place.
 */
function boundConditions<Node>(
  { sortedBy, bounds, boundsSql }: PageQuery<Node>,
  compare: (comparison: Comparison, place: PlaceSql) => Sql,
): Sql[] {
  return (['after', 'before'] as const).flatMap((side) => {
    const [place, placeSql] = [bounds[side], boundsSql[side]];
    if (!place || !placeSql) return [];
    return [compare(comparisonWithin(side, place, sortedBy), placeSql)];
  });
}

/** Returns the ORDER BY list: each column with the direction in which the page is read. */
function orderBy<Node>({ bounds, sortedBy }: PageQuery<Node>, columns: readonly Sql[]): Sql {
  const direction = raw(directionOf(bounds, sortedBy));
  return join(columns.map((column) => sql`${column} ${direction}`));
}

function limitParameter(bounds: Bounds): Sql {
  return sql`${limitOf(bounds)}::int`;
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
