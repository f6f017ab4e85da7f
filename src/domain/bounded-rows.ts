import { empty, raw, type Sql, sql } from '../store/sql.ts';
import { ServiceError } from './errors.ts';
import type { Fields } from './fields.ts';

/** A list inside each record of a kind, which may be as long as records are many. */
export interface EmbeddedList {
  /** The fields that show it or its length. */
  readonly fields: readonly string[];
  /** The SQL of its length, and the column under which rows have that. */
  readonly length: Sql;
  readonly lengthColumn: string;
  /** How many elements the records of one statement show together; more of one record are not shown. */
  readonly max: number;
}

interface BoundedSource {
  readonly alias: string;
  readonly embedded?: EmbeddedList;
}

/** The embedded list of a source, if any of the selected fields depends on it. */
function selectedList({ embedded }: BoundedSource, fields: Fields | undefined): EmbeddedList | undefined {
  if (!embedded) return undefined;
  const isSelected =
    fields === undefined || Object.values(fields).some((field) => embedded.fields.includes(field as string));
  return isSelected ? embedded : undefined;
}

/**
 * As many of some rows, from the first on, as show no more elements of embedded lists together than a statement may; at least
 * one row. The length of each row's list is a column of it. Lists of rows that are left out are not read.
 *
 * @param rows the source's rows, under its alias.
 * @param order in which rows are taken, of the source's columns.
 */
export function boundedRows(source: BoundedSource, fields: Fields | undefined, rows: Sql, order: Sql): Sql {
  const list = selectedList(source, fields);
  if (!list) return rows;
  const [alias, length, max] = [raw(source.alias), raw(list.lengthColumn), raw(String(list.max))];
  return sql`(
    SELECT * FROM (
      SELECT ${alias}.*, row_number() OVER in_order AS row_number, count(*) OVER () AS rows_read,
        sum(least(${alias}.${length}, ${max})) OVER in_order AS length_so_far
      FROM (SELECT ${alias}.*, ${list.length} AS ${length} FROM ${rows}) ${alias}
      WINDOW in_order AS (ORDER BY ${order})
    ) ${alias} WHERE ${alias}.length_so_far <= ${max} OR ${alias}.row_number = 1
  ) ${alias}`;
}

/** A column that says how many rows there were before some were left out, where rows are bounded; begins with a comma. */
export function rowsReadColumn(source: BoundedSource, fields: Fields | undefined): Sql {
  return selectedList(source, fields) ? sql`, ${raw(source.alias)}.rows_read::int AS rows_read` : empty;
}

/**
 * For reads that cannot go on with another page.
 *
 * @throws {ServiceError} `query_too_complex` if rows were left out.
 */
export function requireAllRows(rows: readonly { readonly rows_read?: number }[]): void {
  const [first] = rows;
  if (first?.rows_read !== undefined && first.rows_read > rows.length) {
    throw new ServiceError('query_too_complex', 'These records hold too much for one answer; ask for fewer at once');
  }
}
