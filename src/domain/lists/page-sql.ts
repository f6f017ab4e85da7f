import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { SelectedFields } from '../core/operation.ts';
import { type DecodedCursor, keyAsText, keyFromText, type SortedBy, type SortKey } from '../cursors/order.ts';
import { boundedRows, isBounded, rowsReadColumn } from '../records/bounded-rows.ts';
import { fromRows, RECORD, type RecordSource } from '../records/records.ts';
import { MAX_COUNTED_RECORDS } from '../values/limits.ts';

/** The arguments of a page, with its cursors decoded. */
export interface DecodedPageArguments {
  readonly after: DecodedCursor | null;
  readonly before: DecodedCursor | null;
  readonly size: number;
  readonly backwards: boolean;
}

/** Returns the direction in which the page is read. */
function directionOf({ backwards }: DecodedPageArguments, { descending }: SortedBy): 'ASC' | 'DESC' {
  return backwards === descending ? 'ASC' : 'DESC';
}

/** A cursor as SQL values: its sort keys, then its position. */
export type CursorSql = readonly Sql[];

/** The cursors that delimit a page, as SQL values. */
interface PageCursorsSql {
  readonly after: CursorSql | null;
  readonly before: CursorSql | null;
}

/** Converts a cursor to SQL values. */
export function cursorSql(cursor: DecodedCursor, { keys }: SortedBy): CursorSql {
  return [...keys.map((key, index) => keyFromText(key, cursor.sortKeys[index] ?? '')), sql`${cursor.position}::bigint`];
}

/** How records compare with a cursor. */
export type Comparison = '>' | '>=' | '<' | '<=';

/** Returns how the records of a list that follow a cursor, or precede it, compare with it. */
export function comparisonOf(side: 'after' | 'before', { descending }: SortedBy): '>' | '<' {
  return (side === 'after') === descending ? '<' : '>';
}

/** Returns the condition that compares records with a cursor. */
export function compareWithCursor(alias: string, sortedBy: SortedBy, comparison: Comparison, cursor: CursorSql): Sql {
  return sql`(${join(orderColumns(alias, sortedBy))}) ${raw(comparison)} (${join(cursor)})`;
}

/** Returns the columns that a list is sorted by. */
function orderColumns(alias: string, { keys }: SortedBy): readonly Sql[] {
  return [...keys.map((key) => key.sql), raw(`${alias}.position`)];
}

/** Returns the sort keys as columns of a SELECT list, each after a comma, with the names of {@link keyColumn}. */
function sortKeyColumns({ keys }: SortedBy): Sql {
  return keys.reduce((columns, key, index) => sql`${columns}, ${key.sql} AS ${raw(keyColumn(index))}`, empty);
}

/** Returns the name of the column with the values of a sort key in subqueries. */
function keyColumn(index: number): string {
  return `key_${index}`;
}

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
  /** The condition of the records of the list, in addition to the cursors. */
  readonly condition: Sql;
  /** For a search with an index: the condition without the search and the filters. */
  readonly unfilteredCondition?: Sql | undefined;
  readonly arguments: DecodedPageArguments;
  readonly cursors: PageCursorsSql;
  readonly sortedBy: SortedBy;
  /** The maximum size of the long fields of the page, as SQL. */
  readonly maxBytes: Sql;
}

/** Returns the SQL that reads the records of a page. */
export function pageSql<Node>(page: PageQuery<Node>): Sql {
  const { source, fields, sortedBy, maxBytes } = page;
  const alias = raw(source.alias);
  const keyColumns = sortedBy.keys.map((_, index) => raw(`${source.alias}.${keyColumn(index)}`));
  const order = orderBy(page, [...keyColumns, sql`${alias}.position`]);
  const rows = sql`(
    SELECT * FROM (${recordsInOrder(page)}
    ) ${alias} LIMIT ${raw(String(constantLimit(page.arguments.size)))}
  ) ${alias}`;
  const bounded = boundedRows(source, fields, { rows, order, maxBytes });
  const keysAsText = keyColumns.map((column, index) => keyAsText(sortedBy.keys[index] as SortKey, column));
  const sortKeys = keysAsText.length > 0 ? sql`, json_build_array(${join(keysAsText)}) AS sort_keys` : empty;
  return sql`
    SELECT ${RECORD} AS record, ${alias}.position${sortKeys}${rowsReadColumn(source, fields)} ${fromRows(bounded, source, fields)}
    ORDER BY ${order}`;
}

/**
 * Returns the SQL that finds all matches of a search with its index. `OFFSET 0` is an optimization fence: PostgreSQL would
 * otherwise read in the order of the list until it has enough, because it assumes that matches are spread evenly. But
 * members with the same last name are next to each other in the order of names.
 */
export function allMatches({ alias }: { readonly alias: string }, table: Sql, condition: Sql): Sql {
  return sql`(SELECT * FROM ${table} WHERE ${condition} OFFSET 0) ${raw(alias)}`;
}

/** The size of the sample from which a search estimates whether its words are frequent, in page sizes. */
const PAGES_IN_SAMPLE = 10;

/**
 * The maximum number of records that a search for frequent words reads in order, in page sizes. Words are frequent if the
 * sample has matches for a seventh of a page: 70 page sizes then probably fill the page, for about the cost of finding all
 * matches by the index.
 */
const PAGES_IN_ORDER = 100;

/**
 * Returns the SQL that reads the records between the cursors of a page, in its order, with the sort keys as columns, and one
 * more record, which shows whether there are more.
 *
 * Matches of frequent words are read in the order of the list, because they soon fill the page. If the words are rare, or if
 * reading in order neither fills the page nor reaches the end of the list, all matches are found by the index and sorted.
 * Which words are frequent is estimated from the records with the lowest ids. The first records of the list would be a poor
 * sample: those of a sorted file have one last name, while their ids are random.
 */
function recordsInOrder<Node>(page: PageQuery<Node>): Sql {
  const { source, table, condition, unfilteredCondition, cursors, sortedBy } = page;
  const { size } = page.arguments;
  const alias = raw(source.alias);
  const betweenCursors = (['after', 'before'] as const).flatMap((side) => {
    const cursor = cursors[side];
    return cursor ? [compareWithCursor(source.alias, sortedBy, comparisonOf(side, sortedBy), cursor)] : [];
  });
  const order = orderBy(page, orderColumns(source.alias, sortedBy));
  const select = (from: Sql, conditions: readonly Sql[]) => sql`
      SELECT ${alias}.*${sortKeyColumns(sortedBy)} FROM ${from} WHERE ${join(conditions, ' AND ')}
      ORDER BY ${order} LIMIT ${size + 1}::int`;
  if (!unfilteredCondition) return select(table, [condition, ...betweenCursors]);

  const pages = (count: number) => raw(String(count * constantLimit(size)));
  const unfiltered = join([unfilteredCondition, ...betweenCursors], ' AND ');
  const areFrequent = sql`(SELECT are_frequent FROM words)`;
  const inOrder = sql`(
        SELECT * FROM ${table} WHERE ${areFrequent} AND ${unfiltered} ORDER BY ${order} LIMIT ${pages(PAGES_IN_ORDER)}
      ) ${alias}`;
  const isComplete = sql`(SELECT is_complete FROM completeness)`;
  const byIndex = allMatches(source, table, sql`${condition} AND NOT ${isComplete}`);
  return sql`
      WITH words AS MATERIALIZED (
        SELECT count(*) * 7 >= ${size}::int AS are_frequent
        FROM (
          SELECT * FROM ${table} WHERE ${unfilteredCondition} ORDER BY ${alias}.id LIMIT ${pages(PAGES_IN_SAMPLE)}
        ) ${alias}
        WHERE ${condition}
      ),
      found_in_order AS MATERIALIZED (${select(inOrder, [condition])}),
      completeness AS MATERIALIZED (
        SELECT count(*) > ${size}::int OR ${areFrequent} AND NOT EXISTS (
          SELECT FROM ${table} WHERE ${unfiltered} ORDER BY ${order} LIMIT 1 OFFSET ${pages(PAGES_IN_ORDER)}
        ) AS is_complete
        FROM found_in_order
      )
      SELECT * FROM found_in_order WHERE ${isComplete}
      UNION ALL
      (${select(byIndex, [sql`true`, ...betweenCursors])})`;
}

/** Returns the ORDER BY list: each column with the direction in which the page is read. */
function orderBy<Node>(page: PageQuery<Node>, columns: readonly Sql[]): Sql {
  const direction = raw(directionOf(page.arguments, page.sortedBy));
  return join(columns.map((column) => sql`${column} ${direction}`));
}

/** Page sizes are rounded up to multiples of this, so that there are few different statements to plan. */
const SIZE_STEP = 25;

/**
 * Returns the constant LIMIT of a statement for pages of up to this size, and the record that shows whether there are more.
 * If LIMIT is only a parameter, PostgreSQL estimates that a tenth of the table is returned. Generic plans then seem too
 * expensive, and the statement is planned each time.
 */
function constantLimit(size: number): number {
  return Math.ceil(size / SIZE_STEP) * SIZE_STEP + 1;
}

/** One more than the maximum exact count, to detect that there are more records. */
const COUNT_LIMIT = raw(String(MAX_COUNTED_RECORDS + 1));

/** Returns the statement that counts rows, up to `MAX_COUNTED_RECORDS`. */
export function countSql(rows: Sql, condition: Sql): Sql {
  return sql`SELECT count(*)::int AS count FROM (SELECT FROM ${rows} WHERE ${condition} LIMIT ${COUNT_LIMIT}) counted`;
}

/** Converts the result of {@link countSql}: null if there are more than `MAX_COUNTED_RECORDS`. */
export function countOf(count: number): number | null {
  return count <= MAX_COUNTED_RECORDS ? count : null;
}
