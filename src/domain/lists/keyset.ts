import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import { keyFromText, type Place, type SortedBy } from '../cursors/order.ts';

/** The bounds of a page. */
export interface Bounds {
  readonly after: Place | null;
  readonly before: Place | null;
  readonly size: number;
  readonly backwards: boolean;
}

/** Returns the direction in which the page is read. */
export function directionOf({ backwards }: Bounds, { descending }: SortedBy): 'ASC' | 'DESC' {
  return backwards === descending ? 'ASC' : 'DESC';
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

/** How records compare with a place. */
export type Comparison = '>' | '>=' | '<' | '<=';

/** Returns how the records of a list that follow a place, or precede it, compare with it. */
export function comparisonOf(side: 'after' | 'before', { descending }: SortedBy): '>' | '<' {
  return (side === 'after') === descending ? '<' : '>';
}

/** Returns the condition that compares records with a place. */
export function compareWithPlace(alias: string, sortedBy: SortedBy, comparison: Comparison, place: PlaceSql): Sql {
  return sql`(${join(orderColumns(alias, sortedBy))}) ${raw(comparison)} (${join(place)})`;
}

/** Returns the columns that a list is sorted by. */
export function orderColumns(alias: string, { keys }: SortedBy): readonly Sql[] {
  return [...keys.map((key) => key.sql), raw(`${alias}.position`)];
}

/** Returns the sort keys as columns of a SELECT list, each after a comma, with the names of {@link keyColumn}. */
export function sortKeyColumns({ keys }: SortedBy): Sql {
  return keys.reduce((columns, key, index) => sql`${columns}, ${key.sql} AS ${raw(keyColumn(index))}`, empty);
}

/** Returns the name of the column with the values of a sort key in subqueries. */
export function keyColumn(index: number): string {
  return `key_${index}`;
}
