import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import { keyFromText, type Place, type SortedBy } from '../cursors/order.ts';
import { linkAlias, type RecordSource } from '../records/records.ts';

/** The bounds of a page. */
export interface Bounds {
  readonly after: Place | null;
  readonly before: Place | null;
  readonly size: number;
  readonly backwards: boolean;
  /** Whether one record beyond the page is read, to determine whether there are more. */
  readonly lookahead: boolean;
}

/** Returns the place after which the page is read in its direction; null at an end of the list. */
export function startOf({ after, before, backwards }: Bounds): Place | null {
  return backwards ? before : after;
}

/**
 * Whether the records of a page include the one at its cursor. A late record has the place of the record that was read
 * before it. If the page is read in the other direction, it must therefore include that record.
 *
 * @param side the side of the cursor on which the page is.
 */
export function includesPlace({ reading }: Place, side: 'after' | 'before'): boolean {
  return reading?.isLate === true && reading.backwards === (side === 'after');
}

/** Returns the direction in which the page is read. */
export function directionOf({ backwards }: Bounds, { descending }: SortedBy): 'ASC' | 'DESC' {
  return backwards === descending ? 'ASC' : 'DESC';
}

/** Returns how many records are read for the page. */
export function limitOf({ size, lookahead }: Bounds): number {
  return lookahead ? size + 1 : size;
}

/** A place as SQL values: its sort keys, then its position. */
export type PlaceSql = readonly Sql[];

/** The places that delimit a page, as SQL values. */
export interface BoundsSql {
  readonly after: PlaceSql | null;
  readonly before: PlaceSql | null;
}

/** Converts a place to SQL values. */
export function placeSql(place: Place, { keys }: SortedBy): PlaceSql {
  return [...keys.map((key, index) => keyFromText(key, place.keys[index] ?? '')), sql`${place.position}::bigint`];
}

/** Returns the condition that compares records with a place. */
export function compareWithPlace(
  source: Pick<RecordSource<unknown>, 'alias' | 'links'>,
  sortedBy: SortedBy,
  operator: '>' | '>=' | '<' | '<=',
  place: PlaceSql,
): Sql {
  const { links = [] } = source;
  const compare = (columns: readonly Sql[]) => sql`(${join(columns)}) ${raw(operator)} (${join(place)})`;
  if (links.length === 0) return compare(orderColumns(source, sortedBy));
  // Repeated for each link, because PostgreSQL does not infer the condition from the join on equal positions.
  return join(
    links.map((_, index) => compare(orderColumns(source, sortedBy, index))),
    ' AND ',
  );
}

/**
 * Returns the columns that a list is sorted by.
 *
 * @param link if the source has links, the index of the one whose columns are returned.
 */
export function orderColumns(
  { alias, links = [] }: Pick<RecordSource<unknown>, 'alias' | 'links'>,
  { keys }: SortedBy,
  link = 0,
): readonly Sql[] {
  const columns = links[link]?.columns;
  if (columns) return columns.map((column) => raw(`${linkAlias(link)}.${column}`));
  return [...keys.map((key) => key.sql), raw(`${alias}.position`)];
}

/** Returns the sort keys as columns of a SELECT list, each after a comma, with the names of {@link keyColumn}. */
export function sortKeyColumns(source: Pick<RecordSource<unknown>, 'alias' | 'links'>, sortedBy: SortedBy): Sql {
  const keys = orderColumns(source, sortedBy).slice(0, -1);
  return keys.reduce((columns, key, index) => sql`${columns}, ${key} AS ${raw(keyColumn(index))}`, empty);
}

/** Returns the name of the column with the values of a sort key in subqueries. */
export function keyColumn(index: number): string {
  return `key_${index}`;
}
