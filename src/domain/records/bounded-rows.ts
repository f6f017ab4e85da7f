import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import { ServiceError } from '../core/errors.ts';
import { MAX_BYTES_BY_ID, MAX_PAGE_BYTES } from '../core/limits.ts';
import type { SelectedFields } from './selected-fields.ts';

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

/** The SQL of the maximum total size of the long fields in the records of one statement, in kB (1,000 bytes). */
export type MaxKilobytes = Sql;

/** The maximum of a page, which ends before the record that exceeds it. */
export const MAX_KILOBYTES_OF_PAGE: MaxKilobytes = raw(String(MAX_PAGE_BYTES / 1_000));

/** The maximum of records that are read without pagination: more would not fit into a response of the GraphQL API. */
export const MAX_KILOBYTES_BY_ID: MaxKilobytes = raw(String(MAX_BYTES_BY_ID / 1_000));

/** The elements that are counted to limit the number of rows. */
interface ElementLimit {
  /** The FROM clause that returns one row for each element of a record. */
  readonly elements: Sql;
  readonly max: Sql;
}

function isSelected(field: string, fields: SelectedFields | undefined): boolean {
  return fields === undefined || Object.values(fields).includes(field);
}

function selectedList({ embedded }: BoundedSource, fields: SelectedFields | undefined): EmbeddedList | undefined {
  return embedded && isSelected(embedded.field, fields) ? embedded : undefined;
}

/** The SQL of the sizes of the selected long fields, in bytes. */
function selectedSizes({ longFields = {} }: BoundedSource, fields: SelectedFields | undefined): Sql[] {
  return Object.entries(longFields).flatMap(([field, size]) => (isSelected(field, fields) ? [size] : []));
}

/**
 * Returns what is counted: the elements of the embedded list if it is selected, otherwise the kilobytes of the selected
 * long fields. Undefined if rows are not limited.
 */
function elementLimitOf(
  source: BoundedSource,
  fields: SelectedFields | undefined,
  maxKilobytes: MaxKilobytes | undefined,
): ElementLimit | undefined {
  const list = selectedList(source, fields);
  if (list) return { elements: list.elements, max: raw(String(list.max)) };
  if (!maxKilobytes) return undefined;
  const sizes = selectedSizes(source, fields);
  if (sizes.length === 0) return undefined;
  return { elements: sql`generate_series(1, (${join(sizes, ' + ')}) / 1000) kilobyte`, max: maxKilobytes };
}

/**
 * Returns the SQL that reads rows in order until the selected embedded lists have more than `embedded.max` elements in
 * total or, if no such list is selected, the long fields exceed `maxKilobytes`. The first row is always included. Values of
 * omitted rows are not read, and counting stops at the first omitted row, so a page of long lists takes no longer than one
 * list of `max` elements.
 *
 * @param unbounded.rows the rows of the source, under its alias.
 * @param unbounded.order the ORDER BY expression, on columns of the source.
 * @param unbounded.maxKilobytes undefined if long fields do not limit the number of rows.
 */
export function boundedRows(
  source: BoundedSource,
  fields: SelectedFields | undefined,
  { rows, order, maxKilobytes }: { rows: Sql; order: Sql; maxKilobytes: MaxKilobytes | undefined },
): Sql {
  const alias = raw(source.alias);
  const limit = elementLimitOf(source, fields, maxKilobytes);
  if (!limit) return rows;
  const { elements, max } = limit;
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
    SELECT ${alias}.*
    FROM (
      SELECT candidate.*, sum(coalesce(counted_length, 0)) OVER (ORDER BY row_number) AS length_so_far
      FROM candidate LEFT JOIN counted USING (row_number)
    ) ${alias} WHERE ${alias}.length_so_far <= ${max}
  ) ${alias}`;
}

/** Whether {@link boundedRows} may omit rows. Assumes that `maxKilobytes` is set. */
export function isBounded(source: BoundedSource, fields: SelectedFields | undefined): boolean {
  return selectedList(source, fields) !== undefined || selectedSizes(source, fields).length > 0;
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
