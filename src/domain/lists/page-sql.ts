import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import { keyAsText, type SortedBy, type SortKey } from '../cursors/order.ts';
import { boundedRows, isBounded, type MaxKilobytes, rowsReadColumn } from '../records/bounded-rows.ts';
import type { SelectedFields } from '../records/projection.ts';
import { fromRows, RECORD, type RecordSource } from '../records/records.ts';
import {
  type Bounds,
  type BoundsSql,
  compareWithPlace,
  comparisonOf,
  directionOf,
  keyColumn,
  orderColumns,
  sortKeyColumns,
} from './keyset.ts';

/** The columns of a `PageRow`. */
export function pageColumns<Node>(
  source: RecordSource<Node>,
  fields: SelectedFields | undefined,
  { keys }: SortedBy,
): Sql {
  const sortKeys = keys.length > 0 ? sql`, json_agg(page.sort_keys) AS sort_keys` : empty;
  const truncated = isBounded(source, fields) ? sql`, max(page.rows_read) > count(*) AS truncated` : empty;
  return sql`json_agg(page.record)::text AS json, array_agg(page.position)::text AS positions${sortKeys}${truncated}`;
}

/** A page to read, with the parts of its statement. */
export interface PageQuery<Node> {
  readonly source: RecordSource<Node>;
  readonly fields: SelectedFields | undefined;
  /** The rows of the list, under the alias of the source. */
  readonly rows: Sql;
  /** The condition of the rows, in addition to the bounds. */
  readonly condition: Sql;
  readonly bounds: Bounds;
  readonly boundsSql: BoundsSql;
  readonly sortedBy: SortedBy;
  /** The maximum size of the long fields of the page. */
  readonly maxKilobytes: MaxKilobytes;
}

/** Returns the SQL that reads the records of a page. */
export function pageSql<Node>(page: PageQuery<Node>): Sql {
  const { source, fields, bounds, sortedBy, maxKilobytes } = page;
  const alias = raw(source.alias);
  const keyColumns = sortedBy.keys.map((_, index) => raw(`${source.alias}.${keyColumn(index)}`));
  const order = orderBy(page, [...keyColumns, sql`${alias}.position`]);
  const rows = sql`(
    SELECT * FROM (${recordsInOrder(page)}
    ) ${alias} LIMIT ${raw(String(limitCeiling(bounds.size)))}
  ) ${alias}`;
  const bounded = boundedRows(source, fields, { rows, order, maxKilobytes });
  const keysAsText = keyColumns.map((column, index) => keyAsText(sortedBy.keys[index] as SortKey, column));
  const sortKeys = keysAsText.length > 0 ? sql`, json_build_array(${join(keysAsText)}) AS sort_keys` : empty;
  return sql`
    SELECT ${RECORD} AS record, ${alias}.position${sortKeys}${rowsReadColumn(source, fields)} ${fromRows(bounded, source, fields)}
    ORDER BY ${order}`;
}

/**
 * Returns the SQL that reads the records within the bounds of a page, in its order, with the sort keys as columns, and one
 * more record, which shows whether there are more.
 */
function recordsInOrder<Node>(page: PageQuery<Node>): Sql {
  const { source, rows, condition, bounds, boundsSql, sortedBy } = page;
  const withinBounds = (['after', 'before'] as const).flatMap((side) => {
    const place = boundsSql[side];
    return place ? [compareWithPlace(source.alias, sortedBy, comparisonOf(side, sortedBy), place)] : [];
  });
  return sql`
      SELECT ${raw(source.alias)}.*${sortKeyColumns(sortedBy)} FROM ${rows}
      WHERE ${join([condition, ...withinBounds], ' AND ')}
      ORDER BY ${orderBy(page, orderColumns(source.alias, sortedBy))} LIMIT ${bounds.size + 1}::int`;
}

/** Returns the ORDER BY list: each column with the direction in which the page is read. */
function orderBy<Node>({ bounds, sortedBy }: PageQuery<Node>, columns: readonly Sql[]): Sql {
  const direction = raw(directionOf(bounds, sortedBy));
  return join(columns.map((column) => sql`${column} ${direction}`));
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
