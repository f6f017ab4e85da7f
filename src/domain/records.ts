import { empty, raw, type Sql, sql } from '../store/sql.ts';
import type { Context } from './context.ts';
import { decodeCursor, encodeCursor, type ListIdentity } from './cursor.ts';
import { DEFAULT_PAGE_SIZE, type Page, type Window } from './page.ts';

/** Where the records of one kind are read from; always within the caller's organization. */
export interface RecordSource {
  /** The list's name; cursors are bound to it. */
  readonly name: string;
  readonly columns: Sql;
  readonly from: Sql;
  /** The table in `from` that has `organization_id` and `position`, the columns of the keyset index. */
  readonly alias: string;
  /** What every record of this kind fulfils. */
  readonly condition?: Sql;
}

/** The column that says whose records they are, where a list belongs to another record. */
export interface ParentColumn {
  readonly column: string;
  readonly type: 'text' | 'int';
}

type Key = string | number;
type Placed<Node> = Node & { readonly position: string };

/** Which rows a page takes: positions to stay between, a size, and the end to start from. */
interface Bounds {
  readonly after: number | null;
  readonly before: number | null;
  readonly size: number;
  readonly backwards: boolean;
}

/**
 * One page of all records of a kind, by keyset: rows beyond a place, never a number of rows to skip.
 * One statement.
 *
 * @param matches further conditions, each beginning with AND.
 * @throws {ServiceError} `invalid_cursor`.
 */
export async function readPage<Node>(
  context: Context,
  source: RecordSource,
  window: Window & { readonly search?: string | null | undefined },
  matches: Sql = empty,
): Promise<Page<Node>> {
  const identity = identityOf(context, source.name, window.search ?? undefined);
  const bounds = boundsOf(context, identity, window);
  const condition = sql`${own(context, source)}${matches}`;
  const rows = await context.db.rows<Placed<Node>>(sql`
    SELECT ${source.columns}, ${raw(source.alias)}.position
    FROM ${source.from} WHERE ${condition} ${slice(source, bounds, place(bounds.after), place(bounds.before))}`);
  return pageOf(context, source, condition, identity, bounds, rows);
}

/**
 * A page of the same window for each of several parents. One statement, whatever their number.
 *
 * @returns in the order of `keys`; an error in the place of a parent whose list the cursor is not of.
 */
export async function readPagesOf<Node>(
  context: Context,
  source: RecordSource,
  parent: ParentColumn,
  keys: readonly Key[],
  window: Window,
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
  const rowsOf = await rowsByParent<Node>(context, source, parent, valid);
  return asked.map((one) => {
    if (one instanceof Error) return one;
    const condition = sql`${own(context, source)} AND ${raw(parent.column)} = ${one.key}::${raw(parent.type)}`;
    return pageOf(context, source, condition, one.identity, one.bounds, rowsOf.get(one.key) ?? []);
  });
}

async function rowsByParent<Node>(
  context: Context,
  source: RecordSource,
  parent: ParentColumn,
  asked: readonly { readonly key: Key; readonly bounds: Bounds }[],
): Promise<Map<Key, Placed<Node>[]>> {
  const rowsOf = new Map<Key, Placed<Node>[]>(asked.map(({ key }) => [key, []]));
  const [first] = asked;
  if (!first) return rowsOf;
  const after = first.bounds.after === null ? null : sql`parent.after`;
  const before = first.bounds.before === null ? null : sql`parent.before`;
  const rows = await context.db.rows<Placed<Node> & { readonly parent_key: Key }>(sql`
    SELECT parent.key AS parent_key, record.*
    FROM unnest(
      ${asked.map(({ key }) => key)}::${raw(parent.type)}[],
      ${asked.map(({ bounds }) => bounds.after)}::bigint[],
      ${asked.map(({ bounds }) => bounds.before)}::bigint[]
    ) WITH ORDINALITY AS parent (key, after, before, ordinal)
    CROSS JOIN LATERAL (
      SELECT ${source.columns}, ${raw(source.alias)}.position FROM ${source.from}
      WHERE ${own(context, source)} AND ${raw(parent.column)} = parent.key ${slice(source, first.bounds, after, before)}
    ) record
    ORDER BY parent.ordinal, record.position ${direction(first.bounds)}`);
  for (const row of rows) rowsOf.get(row.parent_key)?.push(row);
  return rowsOf;
}

/**
 * The records that have one of the ids. One statement.
 *
 * @param id the column of the source that is its id.
 * @returns in the order of `ids`; undefined where this organization has no such record.
 */
export async function readByIds<Node extends { readonly id: Key }>(
  context: Context,
  source: RecordSource,
  id: ParentColumn,
  ids: readonly Key[],
): Promise<(Node | undefined)[]> {
  if (ids.length === 0) return [];
  const rows = await context.db.rows<Node>(sql`
    SELECT ${source.columns} FROM ${source.from}
    WHERE ${own(context, source)} AND ${raw(id.column)} = ANY(${[...new Set(ids)]}::${raw(id.type)}[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((key) => byId.get(key));
}

/** The caller's organization first, always: no record of another one is ever read. */
function own(context: Context, { alias, condition }: RecordSource): Sql {
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
  };
}

function place(position: number | null): Sql | null {
  return position === null ? null : sql`${position}::bigint`;
}

function direction({ backwards }: Bounds): Sql {
  return raw(backwards ? 'DESC' : 'ASC');
}

/** One row more than the page tells whether there are more. */
function slice({ alias }: RecordSource, bounds: Bounds, after: Sql | null, before: Sql | null): Sql {
  const position = raw(`${alias}.position`);
  return sql`
    ${after ? sql`AND ${position} > ${after}` : empty} ${before ? sql`AND ${position} < ${before}` : empty}
    ORDER BY ${position} ${direction(bounds)} LIMIT ${bounds.size + 1}::int`;
}

function pageOf<Node>(
  context: Context,
  source: RecordSource,
  condition: Sql,
  identity: ListIdentity,
  { after, before, size, backwards }: Bounds,
  rows: readonly Placed<Node>[],
): Page<Node> {
  const more = rows.length > size;
  const shown = backwards ? rows.slice(0, size).reverse() : rows.slice(0, size);
  const rowBeyond = async (side: Sql): Promise<boolean> => {
    const [row] = await context.db.rows<{ found: boolean }>(sql`
      SELECT EXISTS (SELECT 1 FROM ${source.from} WHERE ${condition} AND ${raw(source.alias)}.position ${side}) AS found`);
    return row?.found ?? false;
  };
  return {
    edges: shown.map((node) => ({
      node,
      get cursor() {
        return encodeCursor(context.cursorSecret, identity, Number(node.position));
      },
    })),
    hasNextPage: async () => (more && !backwards) || (before !== null && rowBeyond(sql`>= ${before}::bigint`)),
    hasPreviousPage: async () => (more && backwards) || (after !== null && rowBeyond(sql`<= ${after}::bigint`)),
  };
}
