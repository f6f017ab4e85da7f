import { empty, join, raw, type Sql, sql, sqlName, sqlText, withoutEstimate } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { memoize } from '../core/memoize.ts';
import type { SelectedFields } from '../core/operation.ts';
import { type BoundedSource, boundedRows, requireAllRows, rowsReadColumn } from './bounded-rows.ts';

/** The SQL of each field of an entity, by its name in the specification. */
export type Columns<Node> = { readonly [Field in keyof Node & string]-?: Sql };

/** Selects all fields, under their names in the specification. */
const allFields = memoize(
  (columns: Readonly<Record<string, Sql>>): SelectedFields =>
    Object.fromEntries(Object.keys(columns).map((field) => [field, field])),
);

const selectionsOf = memoize((columns: Readonly<Record<string, Sql>>) =>
  memoize((fields: SelectedFields): Sql => {
    const list = Object.entries(fields).map(([name, field]) => {
      if (typeof field === 'object') return sql`${sqlText(field.constant)} AS ${sqlName(name)}`;
      const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
      if (!column) throw new TypeError(`there is no field ${field}`);
      return sql`${column} AS ${sqlName(name)}`;
    });
    return join(list);
  }),
);

/** Returns the SELECT list of the selected fields. It is cached by the identity of both objects, so reuse `fields`. */
export function selectionOf<Node>(columns: Columns<Node>, fields: SelectedFields = allFields(columns)): Sql {
  return selectionsOf(columns)(fields);
}

/** A record that PostgreSQL serialized. The APIs pass its JSON through, or parse it. */
export class JsonRecord<Node> {
  private parsed: Node | undefined;

  /** @param json a JSON object with the requested field names. */
  constructor(readonly json: string) {}

  /** Returns the parsed record, the same object each time. */
  parse(): Node {
    this.parsed ??= JSON.parse(this.json) as Node;
    return this.parsed;
  }
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
}

/** An id column: of the records, or of their parents. */
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
  const hasId = sql`${raw(id.column)} = ANY (${withoutEstimate([...new Set(ids)], `${id.type}[]`)})`;
  const rows = matchingRows(context, source, hasId);
  const found = await context.db.rows<{ key: RecordKey; record: Node; rows_read?: number }>(
    sql`
    SELECT ${raw(id.column)} AS key, row_to_json(${RECORD}) AS record${rowsReadColumn(source, fields)}
    ${fromRows(boundedRows(source, fields, { rows, order: sql`${raw(source.alias)}.position` }), source, fields)}`,
    true,
  );
  requireAllRows(found);
  const byKey = new Map(found.map(({ key, record }) => [key, record]));
  return ids.map((key) => byKey.get(key));
}

/** Reads the record that meets a condition, in one statement; PostgreSQL serializes it. */
export async function readOne<Node>(
  context: Context,
  source: RecordSource<Node>,
  condition: Sql,
  fields: SelectedFields | undefined,
): Promise<JsonRecord<Node> | undefined> {
  const [row] = await context.db.rows<{ json: string }>(
    sql`
    SELECT row_to_json(${RECORD})::text AS json
    ${fromRows(matchingRows(context, source, condition), source, fields)}`,
    true,
  );
  return row && new JsonRecord(row.json);
}

/** Returns the FROM item with the rows of the records that meet a condition, under the alias of the source. */
function matchingRows<Node>(context: Context, source: RecordSource<Node>, condition: Sql): Sql {
  const alias = raw(source.alias);
  return sql`(
    SELECT ${alias}.* FROM ${tableOf(source)} WHERE ${tenantCondition(context, source, [condition])}
  ) ${alias}`;
}

/** Returns the table of a source with its alias. */
export function tableOf<Node>({ table, alias }: Pick<RecordSource<Node>, 'table' | 'alias'>): Sql {
  return raw(`${table} ${alias}`);
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
