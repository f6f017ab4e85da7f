import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import { keyFromText, type Place, type SortedBy } from '../cursors/order.ts';
import { type ListSource, matchAlias } from './list-source.ts';

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
 * Whether a page includes the record at its cursor. Usually it does not. But the cursor of a late record has the place of
 * the last record of the previous page, so a page in the other direction has to include that record.
 *
 * @param side the side of the cursor on which the page is.
 */
function includesPlace({ reading }: Place, side: 'after' | 'before'): boolean {
  return reading?.isLate === true && reading.backwards === (side === 'after');
}

/** Whether a list is in the order of entry, which has no sort keys. */
export function isInOrderOfEntry({ keys }: SortedBy): boolean {
  return keys.length === 0;
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

/** Whether a record must be before or after a place. */
export type Comparison = '>' | '>=' | '<' | '<=';

/** Returns how the records on a side of a cursor compare with its place. */
export function comparisonWithin(side: 'after' | 'before', place: Place, { descending }: SortedBy): Comparison {
  const operator = (side === 'after') === descending ? '<' : '>';
  return includesPlace(place, side) ? `${operator}=` : operator;
}

/** Returns the opposite of {@link comparisonWithin}. */
export function comparisonOutside(side: 'after' | 'before', place: Place, sortedBy: SortedBy): Comparison {
  return OPPOSITES[comparisonWithin(side, place, sortedBy)];
}

const OPPOSITES = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' } as const;

/** The parts of a source that the columns of an order depend on. */
type OrderedSource = Pick<ListSource<unknown>, 'alias' | 'matches'>;

/** Returns the condition that compares records with a place. */
export function compareWithPlace(
  source: OrderedSource,
  sortedBy: SortedBy,
  comparison: Comparison,
  place: PlaceSql,
): Sql {
  const { matches = [] } = source;
  const compare = (columns: readonly Sql[]) => sql`(${join(columns)}) ${raw(comparison)} (${join(place)})`;
  if (matches.length === 0) return compare(orderColumns(source, sortedBy));
  // Repeated for each subquery, because PostgreSQL does not infer the condition from the join on equal positions.
  return join(
    matches.map((_, index) => compare(orderColumns(source, sortedBy, index))),
    ' AND ',
  );
}

/**
 * Returns the columns that a list is sorted by.
 *
 * @param match if the source has subqueries, the index of the one whose columns are returned.
 */
export function orderColumns({ alias, matches = [] }: OrderedSource, { keys }: SortedBy, match = 0): readonly Sql[] {
  const columns = matches[match]?.columns;
  if (columns) return columns.map((column) => raw(`${matchAlias(match)}.${column}`));
  return [...keys.map((key) => key.sql), raw(`${alias}.position`)];
}

/** Returns the sort keys as columns of a SELECT list, each after a comma, with the names of {@link keyColumn}. */
export function sortKeyColumns(source: OrderedSource, sortedBy: SortedBy): Sql {
  const keys = orderColumns(source, sortedBy).slice(0, -1);
  return keys.reduce((columns, key, index) => sql`${columns}, ${key} AS ${raw(keyColumn(index))}`, empty);
}

/** Returns the name of the column with the values of a sort key in subqueries. */
export function keyColumn(index: number): string {
  return `key_${index}`;
}
