import { empty, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { boundedRows, type EmbeddedList, requireAllRows, rowsReadColumn } from './bounded-rows.ts';
import { JsonRecord } from './json-record.ts';
import { type Columns, type Fields, selectionOf } from './projection.ts';
import { internStatement } from './statement-cache.ts';

/** How the records of an entity are read. */
export interface RecordSource<Node> {
  /** The name of the list. Cursors are bound to it. */
  readonly name: string;
  readonly columns: Columns<Node>;
  /** A table with `organization_id` and `position`, and an index on both. */
  readonly table: string;
  readonly alias: string;
  /** Joins that columns need; they keep one row for each row of the table. */
  readonly joins?: Sql;
  /** A condition that all records fulfil. */
  readonly condition?: Sql;
  /** A long list in each record, which bounds how many records a statement reads. */
  readonly embedded?: EmbeddedList;
}

/** The column with the id of the parent, for lists that belong to another record. */
export interface ParentColumn {
  readonly column: string;
  readonly type: 'text' | 'int';
}

type Key = string | number;

/**
 * Reads records by id. One statement.
 *
 * @param id the id column of the source.
 * @returns in the order of `ids`; undefined where this organization has no such record.
 */
export async function readByIds<Node>(
  context: Context,
  source: RecordSource<Node>,
  id: ParentColumn,
  ids: readonly Key[],
  fields: Fields | undefined,
): Promise<(Node | undefined)[]> {
  if (ids.length === 0) return [];
  const alias = raw(source.alias);
  const found = sql`(
    SELECT ${alias}.* FROM ${tableOf(source)}
    WHERE ${tenantCondition(context, source)} AND ${raw(id.column)} = ANY(${[...new Set(ids)]}::${raw(id.type)}[])
  ) ${alias}`;
  const bounded = boundedRows(source, fields, found, sql`${alias}.position`);
  const rows = await context.db.rows<{ key: Key; record: Node; rows_read?: number }>(sql`
    SELECT ${raw(id.column)} AS key, row_to_json(${RECORD}) AS record${rowsReadColumn(source, fields)}
    ${fromRows(bounded, source, fields)}`);
  requireAllRows(rows);
  const byKey = new Map(rows.map(({ key, record }) => [key, record]));
  return ids.map((key) => byKey.get(key));
}

/** Reads the record that fulfils a condition. One statement; PostgreSQL serializes it. */
export async function readOne<Node>(
  context: Context,
  source: RecordSource<Node>,
  condition: Sql,
  fields: Fields | undefined,
): Promise<JsonRecord<Node> | undefined> {
  const alias = raw(source.alias);
  const found = sql`(
    SELECT ${alias}.* FROM ${tableOf(source)} WHERE ${tenantCondition(context, source)} AND ${condition}
  ) ${alias}`;
  const rows = boundedRows(source, fields, found, sql`${alias}.position`);
  const statement = sql`SELECT row_to_json(${RECORD})::text AS json ${fromRows(rows, source, fields)}`;
  const [row] = await context.db.rows<{ json: string }>(
    internStatement(source, fields ?? source, `one ${sqlShape(condition)}`, statement),
  );
  return row && new JsonRecord(row.json);
}

/** The text of a piece of SQL without its values. */
export function sqlShape(piece: Sql): string {
  return piece.strings.join('?');
}

/** The table of a source with its alias. */
export function tableOf<Node>({ table, alias }: RecordSource<Node>): Sql {
  return raw(`${table} ${alias}`);
}

/** The SQL name of a record. `$` cannot occur in the column names that callers choose, so it cannot be mistaken for one. */
export const RECORD = raw('record$');

/** FROM some rows of the table, with the selected fields of each as {@link RECORD}. */
export function fromRows<Node>(
  rows: Sql,
  { joins = empty, columns }: RecordSource<Node>,
  fields: Fields | undefined,
): Sql {
  return sql`FROM ${rows} ${joins} CROSS JOIN LATERAL (SELECT ${selectionOf(columns, fields)}) ${RECORD}`;
}

/** The condition that every statement begins with: only records of the caller's organization. */
export function tenantCondition<Node>(context: Context, { alias, condition }: RecordSource<Node>): Sql {
  const organization = sql`${raw(alias)}.organization_id = ${context.caller.organization.id}`;
  return condition ? sql`${organization} AND ${condition}` : organization;
}
