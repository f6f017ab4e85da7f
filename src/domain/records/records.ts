import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import {
  type BoundedSource,
  boundedRows,
  MAX_KILOBYTES_BY_ID,
  type MaxKilobytes,
  requireAllRows,
  rowsReadColumn,
} from './bounded-rows.ts';
import { JsonRecord } from './json-record.ts';
import { type Columns, type SelectedFields, selectionOf } from './projection.ts';
import { internStatement } from './statement-cache.ts';

/** A subquery with the links of the records that match a filter. */
export interface LinkRows {
  readonly sql: Sql;
  /** Its columns: the sort keys of the list, then `position`. */
  readonly columns: readonly string[];
  /** The organization of the links and their records. */
  readonly organizationId: string;
}

/** How the records of an entity are read. */
export interface RecordSource<Node> extends BoundedSource {
  /** The name of the list, which its cursors are bound to. */
  readonly name: string;
  readonly columns: Columns<Node>;
  /** A table with `organization_id` and `position`, and an index on both. */
  readonly table: string;
  readonly alias: string;
  /** Joins for the columns. They must not add or remove rows. */
  readonly joins?: Sql;
  /** A condition that all records meet. */
  readonly condition?: Sql;
  /** Subqueries, each with the sort keys and positions of the records that match a filter. */
  readonly links?: readonly LinkRows[];
  /** Whether the records are searched. PostgreSQL may then read the records before the links. */
  readonly isSearched?: boolean;
}

/** A column with ids: of the records, or of their parent records. */
export interface IdColumn {
  readonly column: string;
  readonly type: 'text' | 'int';
}

/** An id, of a record or its parent. */
export type RecordKey = string | number;

/**
 * Reads records by id. One statement.
 *
 * @param id the id column of the source.
 * @returns the records in the order of `ids`; undefined for ids that this organization does not have.
 */
export async function readByIds<Node>(
  context: Context,
  source: RecordSource<Node>,
  id: IdColumn,
  ids: readonly RecordKey[],
  fields: SelectedFields | undefined,
): Promise<(Node | undefined)[]> {
  if (ids.length === 0) return [];
  const condition = sql`${raw(id.column)} = ANY(${[...new Set(ids)]}::${raw(id.type)}[])`;
  const rows = await context.db.rows<{ key: RecordKey; record: Node; rows_read?: number }>(sql`
    SELECT ${raw(id.column)} AS key, row_to_json(${RECORD}) AS record${rowsReadColumn(source, fields)}
    ${fromMatching(context, source, condition, fields, MAX_KILOBYTES_BY_ID)}`);
  requireAllRows(rows);
  const byKey = new Map(rows.map(({ key, record }) => [key, record]));
  return ids.map((key) => byKey.get(key));
}

/** Reads the record that meets a condition, in one statement; PostgreSQL serializes it. */
export async function readOne<Node>(
  context: Context,
  source: RecordSource<Node>,
  condition: Sql,
  fields: SelectedFields | undefined,
): Promise<JsonRecord<Node> | undefined> {
  const statement = sql`SELECT row_to_json(${RECORD})::text AS json ${fromMatching(context, source, condition, fields)}`;
  const [row] = await context.db.rows<{ json: string }>(
    internStatement(source, fields ?? source, `one ${sqlShape(condition)}`, statement),
  );
  return row && new JsonRecord(row.json);
}

/** Returns the FROM clause for the records that meet a condition, see {@link fromRows}. */
function fromMatching<Node>(
  context: Context,
  source: RecordSource<Node>,
  condition: Sql,
  fields: SelectedFields | undefined,
  maxKilobytes?: MaxKilobytes,
): Sql {
  const alias = raw(source.alias);
  const matching = sql`(
    SELECT ${alias}.* FROM ${tableOf(source)} WHERE ${tenantCondition(context, source, [condition])}
  ) ${alias}`;
  return fromRows(
    boundedRows(source, fields, { rows: matching, order: sql`${alias}.position`, maxKilobytes }),
    source,
    fields,
  );
}

/** Returns the text of an SQL fragment without its values. */
export function sqlShape(fragment: Sql): string {
  return fragment.strings.join('?');
}

/** Returns the table of a source with its alias, joined with its {@link joinedLinksSql}. */
export function tableOf<Node>(source: RecordSource<Node>): Sql {
  const { table, alias } = source;
  const links = joinedLinksSql(source);
  if (!links) return raw(`${table} ${alias}`);
  const organizationId = source.links?.[0]?.organizationId as string;
  const position = raw(`${linkAlias(0)}.position`);
  if (!source.isSearched) return sql`${links} ${recordAt(source, organizationId, position)}`;
  const record = raw(`${table} ${alias}`);
  return sql`${links} JOIN ${record} ON ${raw(alias)}.organization_id = ${organizationId} AND ${raw(alias)}.position = ${position}`;
}

/**
 * Returns a join that reads the record at a position for each of the preceding rows.
 *
 * `OFFSET 0` is an optimization fence: the planner has to read the preceding rows first. Without it, it could start with
 * the records, because it assumes that few were updated since the last ANALYZE and that linked records are spread evenly
 * over the list.
 */
export function recordAt(
  { table, alias }: Pick<RecordSource<unknown>, 'table' | 'alias'>,
  organizationId: string,
  position: Sql,
): Sql {
  return sql`CROSS JOIN LATERAL (
    SELECT * FROM ${raw(`${table} ${alias}`)}
    WHERE ${raw(alias)}.organization_id = ${organizationId} AND ${raw(alias)}.position = ${position} OFFSET 0
  ) ${raw(alias)}`;
}

/** Returns the links of a source, joined, each with its {@link linkAlias}; undefined if it has none. */
export function joinedLinksSql<Node>({ links = [] }: RecordSource<Node>): Sql | undefined {
  const [first, ...others] = links;
  return others.reduce(
    (from, { sql: link, columns }, index) => {
      const alias = linkAlias(index + 1);
      // The positions would suffice, but with the sort keys PostgreSQL can merge the links in the order of the list.
      const hasSamePlace = raw(columns.map((column) => `${alias}.${column} = ${linkAlias(0)}.${column}`).join(' AND '));
      return sql`${from} JOIN ${link} ${raw(alias)} ON ${hasSamePlace}`;
    },
    first && sql`${first.sql} ${raw(linkAlias(0))}`,
  );
}

/** Returns the SQL alias of one of the links of a source. */
export function linkAlias(index: number): string {
  return `link_${index}`;
}

/** The SQL alias of a record. Column names that callers choose cannot contain `$`, so they never collide with it. */
export const RECORD = raw('record$');

/** Returns the FROM clause for rows of the table, with the selected fields of each as {@link RECORD}. */
export function fromRows<Node>(
  rows: Sql,
  { joins = empty, columns }: RecordSource<Node>,
  fields: SelectedFields | undefined,
): Sql {
  return sql`FROM ${rows} ${joins} CROSS JOIN LATERAL (SELECT ${selectionOf(columns, fields)}) ${RECORD}`;
}

/**
 * Returns the condition that restricts a statement to records of the caller's organization.
 *
 * @param conditions further conditions that the records must meet.
 */
export function tenantCondition<Node>(
  context: Context,
  { alias, condition }: RecordSource<Node>,
  conditions: readonly Sql[] = [],
): Sql {
  const organization = sql`${raw(alias)}.organization_id = ${context.caller.organization.id}`;
  return join([organization, ...(condition ? [condition] : []), ...conditions], ' AND ');
}
