import { empty, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { boundedRows, type EmbeddedList, requireAllRows, rowsReadColumn } from './bounded-rows.ts';
import { JsonRecord } from './json-record.ts';
import { type Columns, type Fields, selectionOf } from './projection.ts';
import { internStatement } from './statement-cache.ts';

/** A subquery with links in the order of a list. */
export interface LinkRows {
  readonly sql: Sql;
  /** Its columns, by which it is sorted: the sort keys of the list, then `position`. */
  readonly columns: readonly string[];
}

/** How the records of an entity are read. */
export interface RecordSource<Node> {
  /** The name of the list, which its cursors are bound to. */
  readonly name: string;
  readonly columns: Columns<Node>;
  /** A table with `organization_id` and `position`, and an index on both. */
  readonly table: string;
  readonly alias: string;
  /** Joins for the columns. They must not add or remove rows. */
  readonly joins?: Sql;
  /** A condition that all records fulfil. */
  readonly condition?: Sql;
  /** Subqueries, each with the sort keys and positions of the records that fulfil a filter, in the order of the list. */
  readonly links?: readonly LinkRows[];
  /** A long list in each record, which limits how many records a statement reads. */
  readonly embedded?: EmbeddedList;
}

/** A column with ids, such as the id of the parent record in a nested list. */
export interface ParentColumn {
  readonly column: string;
  readonly type: 'text' | 'int';
}

type Key = string | number;

/**
 * Reads records by id. One statement.
 *
 * @param id the id column of the source.
 * @returns the records in the order of `ids`; undefined for ids that this organization does not have.
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

/** Returns the text of an SQL fragment without its values. */
export function sqlShape(fragment: Sql): string {
  return fragment.strings.join('?');
}

/** Returns the table of a source with its alias, joined with its {@link linksOf}. */
export function tableOf<Node>(source: RecordSource<Node>): Sql {
  const { table, alias } = source;
  const links = linksOf(source);
  // With `+ 0`, PostgreSQL reads the records in the order of links only, and not links in the order of records: it would
  // assume that linked records are spread evenly, and read all others before the recent ones.
  return links
    ? sql`${links} JOIN ${raw(`${table} ${alias} ON ${alias}.position = link_0.position + 0`)}`
    : raw(`${table} ${alias}`);
}

/** Returns the links of a source, joined: `link_0`, `link_1`, …; undefined if it has none. */
export function linksOf<Node>({ links = [] }: RecordSource<Node>): Sql | undefined {
  const [first, ...others] = links;
  // By the sort keys too, although the positions suffice, so that PostgreSQL can merge the links in the order of the list.
  const isSame = (columns: readonly string[], link: string) =>
    raw(columns.map((column) => `${link}.${column} = link_0.${column}`).join(' AND '));
  return others.reduce(
    (from, { sql: link, columns }, index) =>
      sql`${from} JOIN ${link} ${raw(`link_${index + 1}`)} ON ${isSame(columns, `link_${index + 1}`)}`,
    first && sql`${first.sql} link_0`,
  );
}

/** The SQL alias of a record. Column names that callers choose cannot contain `$`, so they never collide with it. */
export const RECORD = raw('record$');

/** Returns the FROM clause for rows of the table, with the selected fields of each as {@link RECORD}. */
export function fromRows<Node>(
  rows: Sql,
  { joins = empty, columns }: RecordSource<Node>,
  fields: Fields | undefined,
): Sql {
  return sql`FROM ${rows} ${joins} CROSS JOIN LATERAL (SELECT ${selectionOf(columns, fields)}) ${RECORD}`;
}

/** Returns the condition that restricts a statement to records of the caller's organization. */
export function tenantCondition<Node>(context: Context, { alias, condition }: RecordSource<Node>): Sql {
  const organization = sql`${raw(alias)}.organization_id = ${context.caller.organization.id}`;
  return condition ? sql`${organization} AND ${condition}` : organization;
}
