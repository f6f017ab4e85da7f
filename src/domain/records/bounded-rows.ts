import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import { ServiceError } from '../core/errors.ts';
import type { SelectedFields } from '../core/operation.ts';
import { MAX_BYTES_BY_ID, MAX_PAGE_BYTES } from '../values/limits.ts';

// Few records can be hundreds of megabytes: a form has up to 500 questions of 10,000 characters, and a department up to
// 200,000 member ids. So a statement returns no more records than a response can have.

/** A list in each record of an entity that can have many elements, such as the member ids of a department. */
export interface EmbeddedList {
  /** The field with the list. */
  readonly field: string;
  /** The FROM clause that returns one row for each element. */
  readonly elements: Sql;
  /** Maximum number of elements in all records of one statement; a longer list of a single record is truncated. */
  readonly max: number;
}

/** The parts of a source that {@link boundedRows} reads. */
export interface BoundedSource {
  readonly alias: string;
  readonly embedded?: EmbeddedList | undefined;
  /** The fields whose values can be long, each with the SQL of its size in bytes. */
  readonly longFields?: Readonly<Record<string, Sql>> | undefined;
}

/** The maximum total size of the long fields of a page, which ends before the record that exceeds it. */
export const MAX_BYTES_OF_PAGE = raw(String(MAX_PAGE_BYTES));

/** The same for records that are read without pagination: more would not fit into a response of the GraphQL API. */
const MAX_BYTES_OF_RECORDS = raw(String(MAX_BYTES_BY_ID));

/** The size of one record, as SQL, and the maximum of all. */
interface Bound {
  readonly size: Sql;
  readonly max: Sql;
}

/**
 * Returns what bounds the records: the number of elements of the embedded list if it is selected, otherwise the bytes of the
 * selected long fields; undefined if nothing does.
 */
function boundOf(
  { embedded, longFields = {} }: BoundedSource,
  fields: SelectedFields | undefined,
  maxBytes: Sql,
): Bound | undefined {
  const selected = fields && Object.values(fields);
  const isSelected = (field: string) => selected?.includes(field) ?? true;
  if (embedded && isSelected(embedded.field)) {
    return { size: sql`(SELECT count(*)::int FROM ${embedded.elements})`, max: raw(String(embedded.max)) };
  }
  const sizes = Object.entries(longFields).flatMap(([field, size]) => (isSelected(field) ? [size] : []));
  return sizes.length > 0 ? { size: join(sizes, ' + '), max: maxBytes } : undefined;
}

/**
 * Returns the SQL that reads rows in order up to the first one with which they exceed the bound; the first row is always
 * included. PostgreSQL adds up sizes row by row and, because of `LIMIT 1`, not those of the rows after it.
 *
 * @param bounded.rows the rows of the source, under its alias.
 * @param bounded.order the ORDER BY expression, on columns of the source.
 * @param bounded.maxBytes default: the maximum of records that are read without pagination.
 */
export function boundedRows(
  source: BoundedSource,
  fields: SelectedFields | undefined,
  { rows, order, maxBytes = MAX_BYTES_OF_RECORDS }: { rows: Sql; order: Sql; maxBytes?: Sql },
): Sql {
  const alias = raw(source.alias);
  const bound = boundOf(source, fields, maxBytes);
  if (!bound) return rows;
  return sql`(
    WITH candidate AS (
      SELECT ${alias}.*, row_number() OVER (ORDER BY ${order}) AS row_number, count(*) OVER () AS rows_read FROM ${rows}
    ), first_omitted AS (
      SELECT row_number FROM (
        SELECT row_number, sum(${bound.size}) OVER (ORDER BY row_number) AS total_size FROM candidate ${alias}
      ) measured WHERE total_size > ${bound.max} AND row_number > 1 ORDER BY row_number LIMIT 1
    )
    SELECT * FROM candidate WHERE row_number < coalesce((SELECT row_number FROM first_omitted), rows_read + 1)
  ) ${alias}`;
}

/** Whether {@link boundedRows} may omit rows. */
export function isBounded(source: BoundedSource, fields: SelectedFields | undefined): boolean {
  return boundOf(source, fields, empty) !== undefined;
}

/** Returns the column with the number of rows including omitted ones, after a comma; empty if rows are not bounded. */
export function rowsReadColumn(source: BoundedSource, fields: SelectedFields | undefined): Sql {
  return isBounded(source, fields) ? sql`, ${raw(source.alias)}.rows_read::int AS rows_read` : empty;
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
      'These records have too many values for one response; request fewer records, or leave out the lists and long texts',
    );
  }
}
