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
  /** The table, under the alias of the source. */
  readonly table: Sql;
  /** The condition of the records of the list, in addition to the bounds. */
  readonly condition: Sql;
  /** The condition of the records that are searched, if an index finds the matches. */
  readonly searched?: Sql | undefined;
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
 * Returns the SQL that finds all matches of a search with its index. `OFFSET 0` is an optimization fence: PostgreSQL would
 * otherwise read in the order of the list until the page is full, because it assumes that matches are spread evenly. But
 * members with the same last name are next to each other in the order of names.
 */
export function allMatches({ alias }: { readonly alias: string }, table: Sql, condition: Sql): Sql {
  return sql`(SELECT * FROM ${table} WHERE ${condition} OFFSET 0) ${raw(alias)}`;
}

/**
 * How many times as many records as a page has a search reads in the order of the list. Then the matches of a word that 5%
 * of the records have fill the page, and for rare words, reading them costs about as much as the search itself.
 */
const READ_FIRST = 25;

/**
 * Returns the SQL that reads the records within the bounds of a page, in its order, with the sort keys as columns, and one
 * more record, which shows whether there are more.
 *
 * A search first reads some records in the order of the list, because matches of a frequent word soon fill the page. Only
 * if they do not, it finds all matches with its index, and sorts them.
 */
function recordsInOrder<Node>(page: PageQuery<Node>): Sql {
  const { source, table, condition, searched, bounds, boundsSql, sortedBy } = page;
  const alias = raw(source.alias);
  const withinBounds = (['after', 'before'] as const).flatMap((side) => {
    const place = boundsSql[side];
    return place ? [compareWithPlace(source.alias, sortedBy, comparisonOf(side, sortedBy), place)] : [];
  });
  const order = orderBy(page, orderColumns(source.alias, sortedBy));
  const select = (from: Sql, conditions: readonly Sql[]) => sql`
      SELECT ${alias}.*${sortKeyColumns(sortedBy)} FROM ${from} WHERE ${join(conditions, ' AND ')}
      ORDER BY ${order} LIMIT ${bounds.size + 1}::int`;
  if (!searched) return select(table, [condition, ...withinBounds]);
  const first = sql`(
        SELECT * FROM ${table} WHERE ${join([searched, ...withinBounds], ' AND ')}
        ORDER BY ${order} LIMIT ${raw(String(READ_FIRST * limitCeiling(bounds.size)))}
      ) ${alias}`;
  const isPartial = sql`(SELECT count(*) FROM first_match) <= ${bounds.size}::int`;
  return sql`
      WITH first_match AS MATERIALIZED (${select(first, [condition])})
      SELECT * FROM first_match WHERE NOT ${isPartial}
      UNION ALL
      (${select(allMatches(source, table, sql`${condition} AND ${isPartial}`), [sql`true`, ...withinBounds])})`;
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
