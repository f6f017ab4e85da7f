import { empty, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { boundedRows, type EmbeddedList, requireAllRows, rowsReadColumn } from './bounded-rows.ts';
import { decodeCursor, encodeCursors, type ListIdentity } from './cursor.ts';
import { JsonRecord } from './json-record.ts';
import { DEFAULT_PAGE_SIZE, type Page, type Window } from './page.ts';
import { type Columns, type Fields, selectionOf } from './projection.ts';
import { type PageRow, RecordPage } from './record-page.ts';
import { internStatement } from './statement-cache.ts';

/** Where the records of one kind are read from; always within the caller's organization. */
export interface RecordSource<Node> {
  /** The list's name; cursors are bound to it. */
  readonly name: string;
  readonly columns: Columns<Node>;
  /** The table that has `organization_id` and `position`, the columns of the keyset index; and its name in SQL. */
  readonly table: string;
  readonly alias: string;
  /** What else columns are of: one row for each of the table's. */
  readonly joins?: Sql;
  /** What every record of this kind fulfils. */
  readonly condition?: Sql;
  /** A list that each record shows, and that bounds how many records a statement reads. */
  readonly embedded?: EmbeddedList;
}

/** The column that says whose records they are, where a list belongs to another record. */
export interface ParentColumn {
  readonly column: string;
  readonly type: 'text' | 'int';
}

type Key = string | number;

/** Which rows a page takes: positions to stay between, a size, and the end to start from. */
interface Bounds {
  readonly after: number | null;
  readonly before: number | null;
  readonly size: number;
  readonly backwards: boolean;
  /** Whether a row more than the page shows is read, which tells whether there are more. */
  readonly lookahead: boolean;
}

/**
 * One page of all records of a kind, by keyset: rows beyond a place, never a number of rows to skip.
 * One statement; PostgreSQL writes the JSON.
 *
 * @param matches further conditions, each beginning with AND.
 * @throws {ServiceError} `invalid_cursor`.
 */
export async function readPage<Node>(
  context: Context,
  source: RecordSource<Node>,
  window: Window & { readonly search?: string | null | undefined },
  fields: Fields | undefined,
  matches: Sql = empty,
): Promise<Page<Node>> {
  const identity = identityOf(context, source.name, window.search ?? undefined);
  const bounds = boundsOf(context, identity, window);
  const condition = sql`${own(context, source)}${matches}`;
  const rows = slice(source, fields, condition, bounds, place(bounds.after), place(bounds.before));
  const statement = sql`SELECT ${pageColumns(source, fields)} FROM (${rows}) page`;
  const [page] = await (window.search == null
    ? context.db.rows<PageRow>(
        internStatement(source, fields ?? source, `page ${shapeOf(bounds)} ${written(matches)}`, statement),
      )
    : context.db.rowsAlone<PageRow>(statement));
  return pageOf(context, source, () => condition, identity, bounds, page as PageRow);
}

/**
 * A page of the same window for each of several parents. One statement, whatever their number.
 *
 * @returns in the order of `keys`; an error in the place of a parent whose list the cursor is not of.
 */
export async function readPagesOf<Node>(
  context: Context,
  source: RecordSource<Node>,
  parent: ParentColumn,
  keys: readonly Key[],
  window: Window,
  fields: Fields | undefined,
): Promise<(Page<Node> | Error)[]> {
  const asked = keys.map((key) => {
    const identity = identityOf(context, `${source.name}:${key}`, undefined);
    try {
      return { key, identity, bounds: boundsOf(context, identity, window) };
    } catch (error) {
      return error as Error;
    }
  });
  const valid = asked.flatMap((one) => (one instanceof Error ? [] : [one]));
  const rows = await rowsByParent(context, source, parent, valid, fields);
  const rowOf = new Map(valid.map(({ key }, index) => [key, rows[index] as PageRow]));
  return asked.map((one) => {
    if (one instanceof Error) return one;
    const condition = () => sql`${own(context, source)} AND ${raw(parent.column)} = ${one.key}::${raw(parent.type)}`;
    return pageOf(context, source, condition, one.identity, one.bounds, rowOf.get(one.key) as PageRow);
  });
}

/** One row a parent, in their order. */
async function rowsByParent<Node>(
  context: Context,
  source: RecordSource<Node>,
  parent: ParentColumn,
  asked: readonly { readonly key: Key; readonly bounds: Bounds }[],
  fields: Fields | undefined,
): Promise<PageRow[]> {
  const [first] = asked;
  if (!first) return [];
  const after = first.bounds.after === null ? null : sql`parent.after`;
  const before = first.bounds.before === null ? null : sql`parent.before`;
  const condition = sql`${own(context, source)} AND ${raw(parent.column)} = parent.key`;
  const statement = sql`
    SELECT page.json, page.positions
    FROM unnest(
      ${asked.map(({ key }) => key)}::${raw(parent.type)}[],
      ${asked.map(({ bounds }) => bounds.after)}::bigint[],
      ${asked.map(({ bounds }) => bounds.before)}::bigint[]
    ) WITH ORDINALITY AS parent (key, after, before, ordinal)
    CROSS JOIN LATERAL (
      SELECT ${pageColumns(source, fields)} FROM (${slice(source, fields, condition, first.bounds, after, before)}) page
    ) page
    ORDER BY parent.ordinal`;
  return context.db.rows<PageRow>(
    internStatement(source, fields ?? source, `pages ${shapeOf(first.bounds)} ${parent.column}`, statement),
  );
}

/**
 * The records that have one of the ids. One statement.
 *
 * @param id the column of the source that is its id.
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
    WHERE ${own(context, source)} AND ${raw(id.column)} = ANY(${[...new Set(ids)]}::${raw(id.type)}[])
  ) ${alias}`;
  const bounded = boundedRows(source, fields, found, sql`${alias}.position`);
  const rows = await context.db.rows<{ key: Key; record: Node; rows_read?: number }>(sql`
    SELECT ${raw(id.column)} AS key, row_to_json(${RECORD}) AS record${rowsReadColumn(source, fields)}
    ${fromRows(bounded, source, fields)}`);
  requireAllRows(rows);
  const byKey = new Map(rows.map(({ key, record }) => [key, record]));
  return ids.map((key) => byKey.get(key));
}

/** The one record that fulfils a condition. One statement; PostgreSQL writes the JSON. */
export async function readOne<Node>(
  context: Context,
  source: RecordSource<Node>,
  condition: Sql,
  fields: Fields | undefined,
): Promise<JsonRecord<Node> | undefined> {
  const statement = sql`
    SELECT row_to_json(${RECORD})::text AS json ${fromRows(tableOf(source), source, fields)}
    WHERE ${own(context, source)} AND ${condition}`;
  const [row] = await context.db.rows<{ json: string }>(
    internStatement(source, fields ?? source, `one ${written(condition)}`, statement),
  );
  return row && new JsonRecord(row.json);
}

/** A short piece of SQL, its values left open. */
function written(piece: Sql): string {
  return piece.strings.join('?');
}

/** What of a page decides the text of its statement, beside its source and fields. */
function shapeOf({ after, before, size, backwards }: Bounds): string {
  return `${after !== null} ${before !== null} ${limitCeiling(size)} ${backwards}`;
}

/** The columns of a {@link PageRow}. */
function pageColumns<Node>(source: RecordSource<Node>, fields: Fields | undefined): Sql {
  const isBounded = rowsReadColumn(source, fields) !== empty;
  return sql`json_agg(page.record)::text AS json, array_agg(page.position)::text AS positions${
    isBounded ? sql`, max(page.rows_read) > count(*) AS shortened` : empty
  }`;
}

/** The source's table under its name. */
export function tableOf<Node>({ table, alias }: RecordSource<Node>): Sql {
  return raw(`${table} ${alias}`);
}

/** The name of a row of wanted fields: callers name its columns, and PostgreSQL would take a column of this name for it. */
export const RECORD = raw('record$');

/** FROM some rows of the table, with the wanted fields of each as {@link RECORD}. */
export function fromRows<Node>(
  rows: Sql,
  { joins = empty, columns }: RecordSource<Node>,
  fields: Fields | undefined,
): Sql {
  return sql`FROM ${rows} ${joins} CROSS JOIN LATERAL (SELECT ${selectionOf(columns, fields)}) ${RECORD}`;
}

/** The caller's organization first, always: no record of another one is ever read. */
export function own<Node>(context: Context, { alias, condition }: RecordSource<Node>): Sql {
  const organization = sql`${raw(alias)}.organization_id = ${context.caller.organization.id}`;
  return condition ? sql`${organization} AND ${condition}` : organization;
}

function identityOf(context: Context, list: string, search: string | undefined): ListIdentity {
  return { organizationId: context.caller.organization.id, list, search };
}

function boundsOf({ cursorSecret }: Context, identity: ListIdentity, window: Window): Bounds {
  const position = (cursor: string | null | undefined) =>
    cursor == null ? null : decodeCursor(cursorSecret, identity, cursor);
  return {
    after: position(window.after),
    before: position(window.before),
    size: window.last ?? window.first ?? DEFAULT_PAGE_SIZE,
    backwards: window.last != null,
    lookahead: window.lookahead,
  };
}

function place(position: number | null): Sql | null {
  return position === null ? null : sql`${position}::bigint`;
}

/** The rows of a page in the order in which they are read. */
function slice<Node>(
  source: RecordSource<Node>,
  fields: Fields | undefined,
  condition: Sql,
  { size, backwards, lookahead }: Bounds,
  after: Sql | null,
  before: Sql | null,
): Sql {
  const alias = raw(source.alias);
  const position = sql`${alias}.position`;
  const order = sql`ORDER BY ${position} ${raw(backwards ? 'DESC' : 'ASC')}`;
  const rows = sql`(
    SELECT * FROM (
      SELECT ${alias}.* FROM ${tableOf(source)}
      WHERE ${condition} ${after ? sql`AND ${position} > ${after}` : empty} ${before ? sql`AND ${position} < ${before}` : empty}
      ${order} LIMIT ${lookahead ? size + 1 : size}::int
    ) ${alias} ${order} LIMIT ${raw(String(limitCeiling(size)))}
  ) ${alias}`;
  const bounded = boundedRows(source, fields, rows, sql`${position} ${raw(backwards ? 'DESC' : 'ASC')}`);
  return sql`
    SELECT ${RECORD} AS record, ${position}${rowsReadColumn(source, fields)} ${fromRows(bounded, source, fields)} ${order}`;
}

/** In how many sizes of pages statements are planned. */
const SIZE_STEP = 25;

/**
 * The most rows that a page about this size reads, written into the statement. PostgreSQL takes a LIMIT that it is
 * given as a value for a tenth of the table: then no plan seems good enough to keep, and it plans every time.
 */
function limitCeiling(size: number): number {
  return Math.ceil(size / SIZE_STEP) * SIZE_STEP + 1;
}

function pageOf<Node>(
  context: Context,
  source: RecordSource<Node>,
  condition: () => Sql,
  identity: ListIdentity,
  { after, before, size, backwards, lookahead }: Bounds,
  row: PageRow,
): Page<Node> {
  const rowBeyond = async (side: Sql): Promise<boolean> => {
    const [found] = await context.db.rows<{ found: boolean }>(sql`
      SELECT EXISTS (SELECT 1 FROM ${tableOf(source)} WHERE ${condition()} AND ${raw(source.alias)}.position ${side}) AS found`);
    return found?.found ?? false;
  };
  return new RecordPage<Node>(row, {
    size,
    backwards,
    cursorsOf: (positions) => encodeCursors(context.cursorSecret, identity, positions),
    rowsBeyond: lookahead ? undefined : (last) => rowBeyond(sql`${raw(backwards ? '<' : '>')} ${last}::bigint`),
    rowsBefore: after === null ? undefined : () => rowBeyond(sql`<= ${after}::bigint`),
    rowsAfter: before === null ? undefined : () => rowBeyond(sql`>= ${before}::bigint`),
  });
}
