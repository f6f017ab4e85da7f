import { empty, raw, type Sql, sql } from '../../store/sql.ts';
import { ServiceError } from '../core/errors.ts';
import type { Fields } from './projection.ts';

/** A list in each record of an entity that can have many elements, such as the member ids of a department. */
export interface EmbeddedList {
  /** The field with the list. */
  readonly field: string;
  /** The field with its length, also a column of the bounded rows. */
  readonly lengthField: string;
  /** The FROM clause that returns one row for each element. */
  readonly elements: Sql;
  /** Maximum number of elements in all records of one statement; a longer list of a single record is truncated. */
  readonly max: number;
}

interface BoundedSource {
  readonly alias: string;
  readonly embedded?: EmbeddedList;
}

function isSelected(field: string, fields: Fields | undefined): boolean {
  return fields === undefined || Object.values(fields).includes(field);
}

/** The embedded list of a source, if it is selected. */
function selectedList({ embedded }: BoundedSource, fields: Fields | undefined): EmbeddedList | undefined {
  return embedded && isSelected(embedded.field, fields) ? embedded : undefined;
}

/**
 * Returns the SQL that reads rows from the first one until their embedded lists have more than `max` elements in total;
 * the first row is always included. Adds the length of each list as a column. If only the length is selected, no rows
 * are omitted. Lists of omitted rows are not read, and counting stops at the first omitted row, so a page of long lists
 * takes no longer than one list of `max` elements.
 *
 * @param rows the rows of the source, under its alias.
 * @param order the ORDER BY expression, on columns of the source.
 */
export function boundedRows(source: BoundedSource, fields: Fields | undefined, rows: Sql, order: Sql): Sql {
  const { embedded } = source;
  if (!embedded || !(isSelected(embedded.field, fields) || isSelected(embedded.lengthField, fields))) return rows;
  const { elements, lengthField } = embedded;
  const [alias, length, max] = [raw(source.alias), raw(lengthField), raw(String(embedded.max))];
  const wholeLength = sql`(SELECT count(*) FROM ${elements})`;
  if (!isSelected(embedded.field, fields))
    return sql`(SELECT ${alias}.*, ${wholeLength} AS ${length} FROM ${rows}) ${alias}`;
  // The rows are sorted in a subquery, so that the nested loop reads the lists in this order and the outer LIMIT can
  // end it.
  return sql`(
    WITH candidate AS (
      SELECT ${alias}.*, row_number() OVER (ORDER BY ${order}) AS row_number, count(*) OVER () AS rows_read FROM ${rows}
    ), counted AS (
      SELECT row_number, count(*) AS counted_length FROM (
        SELECT ${alias}.row_number FROM (SELECT * FROM candidate ORDER BY row_number) ${alias}
        CROSS JOIN LATERAL (SELECT FROM ${elements} LIMIT ${max}) element
        ORDER BY ${alias}.row_number LIMIT ${max} + 1
      ) element GROUP BY row_number
    )
    SELECT ${alias}.*,
      CASE WHEN ${alias}.counted_length < ${max} THEN ${alias}.counted_length ELSE ${wholeLength} END AS ${length}
    FROM (
      SELECT candidate.*, coalesce(counted_length, 0) AS counted_length,
        sum(coalesce(counted_length, 0)) OVER (ORDER BY row_number) AS length_so_far
      FROM candidate LEFT JOIN counted USING (row_number)
    ) ${alias} WHERE ${alias}.length_so_far <= ${max}
  ) ${alias}`;
}

/** Returns the column with the number of rows including omitted ones, after a comma; empty if rows are not bounded. */
export function rowsReadColumn(source: BoundedSource, fields: Fields | undefined): Sql {
  return selectedList(source, fields) ? sql`, ${raw(source.alias)}.rows_read::int AS rows_read` : empty;
}

/**
 * Checks that no rows were omitted, for reads without pagination.
 *
 * @throws {ServiceError} `query_too_complex` if rows were omitted.
 */
export function requireAllRows(rows: readonly { readonly rows_read?: number }[]): void {
  const [first] = rows;
  if (first?.rows_read !== undefined && first.rows_read > rows.length) {
    throw new ServiceError(
      'query_too_complex',
      'These records have too many values in their lists for one response; request fewer records, or leave out the lists',
    );
  }
}
