import { raw, type Sql, sql } from '../../store/sql.ts';

/** A value that a list is sorted by. It is never null, and part of an index on the list's table. */
export interface SortKey {
  readonly sql: Sql;
  /** Text is compared by code point. */
  readonly type: 'text' | 'bytea' | 'date' | 'timestamptz';
}

/** An order of a list. Records with equal keys are in the order of entry. */
export interface ListOrder {
  readonly description: string;
  readonly keys: readonly SortKey[];
}

/** The order and direction of one page. */
export interface SortedBy {
  readonly keys: readonly SortKey[];
  readonly descending: boolean;
}

/** The order in which records entered the organization: the default of every list (decisions, "order of lists"). */
export const ORDER_OF_ENTRY: ListOrder = { description: 'The order in which the records were added.', keys: [] };

/**
 * What a cursor contains: the values of a record's sort keys as text, and its position, which is unique. Pages are
 * delimited by these values, so a cursor stays valid when its record is changed or deleted.
 */
export interface DecodedCursor {
  readonly sortKeys: readonly string[];
  readonly position: bigint;
}

/** Returns the SQL that converts the value of a sort key to text, for cursors. */
export function keyAsText({ type }: SortKey, value: Sql): Sql {
  // Without the line breaks that PostgreSQL adds.
  if (type === 'bytea') return sql`translate(encode(${value}, 'base64'), chr(10), '')`;
  if (type === 'date') return sql`to_char(${value}, 'YYYY-MM-DD')`;
  // With microseconds, so that a cursor has exactly the same order as its record.
  if (type === 'timestamptz') return sql`to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  return value;
}

/** Returns the SQL that converts a sort key of a cursor back to its type. */
export function keyFromText({ type }: SortKey, value: string): Sql {
  if (type === 'bytea') return sql`decode(${value}, 'base64')`;
  return type === 'text' ? sql`${value}::text COLLATE "C"` : sql`${value}::${raw(type)}`;
}
