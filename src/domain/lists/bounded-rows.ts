import { empty, raw, type Sql, sql } from '../../store/sql.ts';
import { ServiceError } from '../core/errors.ts';
import type { Fields } from './projection.ts';

/** A list in each record of an entity that can have many elements, such as the member ids of a department. */
export interface EmbeddedList {
  /** The field that shows it. */
  readonly field: string;
  /** The field that shows its length: rows have it as a column of this name. */
  readonly lengthField: string;
  /** The SQL of its length. */
  readonly length: Sql;
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
 * Returns the first rows whose embedded lists have at most `max` elements in total, and always the first row. Adds the
 * length of each list as a column; if only the length is selected, no rows are omitted. Lists of omitted rows are not
 * read.
 *
 * @param rows the rows of the source, under its alias.
 * @param order the ORDER BY expression, on columns of the source.
 */
export function boundedRows(source: BoundedSource, fields: Fields | undefined, rows: Sql, order: Sql): Sql {
  const { embedded } = source;
  if (!embedded || !(isSelected(embedded.field, fields) || isSelected(embedded.lengthField, fields))) return rows;
  const [alias, length, max] = [raw(source.alias), raw(embedded.lengthField), raw(String(embedded.max))];
  const withLength = sql`(SELECT ${alias}.*, ${embedded.length} AS ${length} FROM ${rows}) ${alias}`;
  if (!isSelected(embedded.field, fields)) return withLength;
  return sql`(
    SELECT * FROM (
      SELECT ${alias}.*, row_number() OVER in_order AS row_number, count(*) OVER () AS rows_read,
        sum(least(${alias}.${length}, ${max})) OVER in_order AS length_so_far
      FROM ${withLength}
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
