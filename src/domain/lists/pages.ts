import { empty, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { boundedRows, rowsReadColumn } from './bounded-rows.ts';
import { countRecords, countRecordsByParent } from './count.ts';
import { decodeCursor, encodeCursors, type ListIdentity } from './cursor.ts';
import { keyAsText, keyFromText, ORDER_OF_ENTRY, type Place, type SortedBy } from './order.ts';
import { type Count, DEFAULT_PAGE_SIZE, type Page, type PageArguments } from './page.ts';
import type { Fields } from './projection.ts';
import { type PageRow, RecordPage } from './record-page.ts';
import {
  fromRows,
  type ParentColumn,
  RECORD,
  type RecordSource,
  sqlShape,
  tableOf,
  tenantCondition,
} from './records.ts';
import { internStatement } from './statement-cache.ts';

const BY_ENTRY: SortedBy = { keys: ORDER_OF_ENTRY.keys, descending: false };

/** A request for a page of the records of a source, optionally with conditions and an order. */
export interface ListRequest {
  readonly arguments: PageArguments;
  /** The search text, for the identity of cursors. */
  readonly search?: string | undefined;
  /** The filter and the order as text, for the identity of cursors; absent if the list has its default order and no filter. */
  readonly variant?: string | undefined;
  /** Conditions in addition to those of the source, each beginning with AND. */
  readonly condition?: Sql;
  readonly sortedBy?: SortedBy | undefined;
  readonly isCountRequested?: boolean;
}

type Key = string | number;

/** The bounds of a page. */
interface Bounds {
  readonly after: Place | null;
  readonly before: Place | null;
  readonly size: number;
  readonly backwards: boolean;
  /** Whether one record beyond the page is read, to determine whether there are more. */
  readonly lookahead: boolean;
}

/** A place as SQL values: its sort keys, then its position. */
type PlaceSql = readonly Sql[];

/**
 * Reads one page of a list by keyset pagination, without OFFSET. One statement; PostgreSQL serializes the records.
 *
 * @throws {ServiceError} `invalid_cursor`.
 */
export async function readPage<Node>(
  context: Context,
  source: RecordSource<Node>,
  request: ListRequest,
  fields: Fields | undefined,
): Promise<Page<Node>> {
  const { search, variant, condition: matches = empty, sortedBy = BY_ENTRY, isCountRequested = false } = request;
  const identity = { ...identityOf(context, source.name), search, variant };
  const bounds = boundsOf(context, identity, request.arguments);
  const condition = sql`${tenantCondition(context, source)}${matches}`;
  const rows = pageSql(source, fields, condition, bounds, sortedBy, {
    after: bounds.after && placeSql(bounds.after, sortedBy),
    before: bounds.before && placeSql(bounds.before, sortedBy),
  });
  const statement = sql`SELECT ${pageColumns(source, fields, sortedBy)} FROM (${rows}) page`;
  // With a search or filters, the best plan depends on their values, so no generic plan is used.
  const [page] = await (matches === empty
    ? context.db.rows<PageRow>(
        internStatement(source, fields ?? source, `page ${shapeOf(bounds)} ${shapeOfOrder(sortedBy)}`, statement),
      )
    : context.db.queryUnshared<PageRow>(statement));
  const count = () => countRecords(context, source, condition, matches !== empty);
  return pageOf(
    context,
    source,
    { condition: () => condition, identity, sortedBy, count, isCountRequested },
    bounds,
    page as PageRow,
  );
}

/**
 * Reads the same page of the lists of several parents in one statement.
 *
 * @returns the pages in the order of `keys`; an error for each parent to whose list the cursor does not belong.
 */
export async function readPagesOf<Node>(
  context: Context,
  source: RecordSource<Node>,
  parent: ParentColumn,
  keys: readonly Key[],
  page: PageArguments,
  fields: Fields | undefined,
): Promise<(Page<Node> | Error)[]> {
  const requested = keys.map((key) => {
    const identity = identityOf(context, `${source.name}:${key}`);
    try {
      return { key, identity, bounds: boundsOf(context, identity, page) };
    } catch (error) {
      return error as Error;
    }
  });
  const valid = requested.flatMap((one) => (one instanceof Error ? [] : [one]));
  const rows = await rowsByParent(context, source, parent, valid, fields);
  const rowOf = new Map(valid.map(({ key }, index) => [key, rows[index] as PageRow]));
  let counts: Promise<Map<Key, Count>> | undefined;
  return requested.map((one) => {
    if (one instanceof Error) return one;
    const { key, identity, bounds } = one;
    const condition = () =>
      sql`${tenantCondition(context, source)} AND ${raw(parent.column)} = ${key}::${raw(parent.type)}`;
    const count = async () => {
      counts ??= countRecordsByParent(context, source, parent, keys);
      return (await counts).get(key) as Count;
    };
    return pageOf(
      context,
      source,
      { condition, identity, sortedBy: BY_ENTRY, count, isCountRequested: false },
      bounds,
      rowOf.get(key) as PageRow,
    );
  });
}

/** Reads one row for each parent, in their order. */
async function rowsByParent<Node>(
  context: Context,
  source: RecordSource<Node>,
  parent: ParentColumn,
  requested: readonly { readonly key: Key; readonly bounds: Bounds }[],
  fields: Fields | undefined,
): Promise<PageRow[]> {
  const [first] = requested;
  if (!first) return [];
  const condition = sql`${tenantCondition(context, source)} AND ${raw(parent.column)} = parent.key`;
  const rows = pageSql(source, fields, condition, first.bounds, BY_ENTRY, {
    after: first.bounds.after && [sql`parent.after`],
    before: first.bounds.before && [sql`parent.before`],
  });
  const statement = sql`
    SELECT page.json, page.positions
    FROM unnest(
      ${requested.map(({ key }) => key)}::${raw(parent.type)}[],
      ${requested.map(({ bounds }) => bounds.after?.position ?? null)}::bigint[],
      ${requested.map(({ bounds }) => bounds.before?.position ?? null)}::bigint[]
    ) WITH ORDINALITY AS parent (key, after, before, ordinal)
    CROSS JOIN LATERAL (SELECT ${pageColumns(source, fields, BY_ENTRY)} FROM (${rows}) page) page
    ORDER BY parent.ordinal`;
  return context.db.rows<PageRow>(
    internStatement(source, fields ?? source, `pages ${shapeOf(first.bounds)} ${parent.column}`, statement),
  );
}

/** Returns the cache key of a page's statement, in addition to its source and fields. */
function shapeOf({ after, before, size, backwards }: Bounds): string {
  return `${after !== null} ${before !== null} ${limitCeiling(size)} ${backwards}`;
}

function shapeOfOrder({ keys, descending }: SortedBy): string {
  return `${descending} ${keys.map((key) => sqlShape(key.sql)).join()}`;
}

/** The columns of a {@link PageRow}. */
function pageColumns<Node>(source: RecordSource<Node>, fields: Fields | undefined, { keys }: SortedBy): Sql {
  const isBounded = rowsReadColumn(source, fields) !== empty;
  const positions = sql`array_agg(page.position)::text AS positions`;
  const sortKeys = keys.length > 0 ? sql`, json_agg(page.sort_keys) AS sort_keys` : empty;
  const truncated = isBounded ? sql`, max(page.rows_read) > count(*) AS truncated` : empty;
  return sql`json_agg(page.record)::text AS json, ${positions}${sortKeys}${truncated}`;
}

function identityOf(context: Context, list: string): ListIdentity {
  return { organizationId: context.caller.organization.id, list, search: undefined };
}

function boundsOf({ cursorSecret }: Context, identity: ListIdentity, page: PageArguments): Bounds {
  const place = (cursor: string | null | undefined) =>
    cursor == null ? null : decodeCursor(cursorSecret, identity, cursor);
  return {
    after: place(page.after),
    before: place(page.before),
    size: page.last ?? page.first ?? DEFAULT_PAGE_SIZE,
    backwards: page.last != null,
    lookahead: page.lookahead,
  };
}

function placeSql(place: Place, { keys }: SortedBy): PlaceSql {
  return [...keys.map((key, index) => keyFromText(key, place.keys[index] ?? '')), sql`${place.position}::bigint`];
}

/** Returns the condition that compares records with a place. */
function compareWithPlace(
  { alias }: { readonly alias: string },
  { keys }: SortedBy,
  operator: string,
  place: PlaceSql,
): Sql {
  const position = sql`${raw(alias)}.position`;
  if (keys.length === 0) return sql`${position} ${raw(operator)} ${place[0] as Sql}`;
  return sql`(${commaSeparated([...keys.map((key) => key.sql), position])}) ${raw(operator)} (${commaSeparated(place)})`;
}

function commaSeparated(parts: readonly Sql[]): Sql {
  return parts.reduce((all, part) => sql`${all}, ${part}`);
}

/** Returns the SQL that reads the records of a page. */
function pageSql<Node>(
  source: RecordSource<Node>,
  fields: Fields | undefined,
  condition: Sql,
  { size, backwards, lookahead }: Bounds,
  sortedBy: SortedBy,
  { after, before }: { readonly after: PlaceSql | null; readonly before: PlaceSql | null },
): Sql {
  const alias = raw(source.alias);
  const { keys, descending } = sortedBy;
  const [greater, less] = descending ? ['<', '>'] : ['>', '<'];
  const direction = raw(backwards === descending ? 'ASC' : 'DESC');
  const position = sql`${alias}.position`;
  const sorted = commaSeparated([...keys.map((key) => key.sql), position].map((part) => sql`${part} ${direction}`));
  const rows = sql`(
    SELECT * FROM (
      SELECT ${alias}.* FROM ${tableOf(source)}
      WHERE ${condition} ${after ? sql`AND ${compareWithPlace(source, sortedBy, greater, after)}` : empty} ${before ? sql`AND ${compareWithPlace(source, sortedBy, less, before)}` : empty}
      ORDER BY ${sorted} LIMIT ${lookahead ? size + 1 : size}::int
    ) ${alias} LIMIT ${raw(String(limitCeiling(size)))}
  ) ${alias}`;
  const bounded = boundedRows(source, fields, rows, sorted);
  const sortKeys =
    keys.length > 0 ? sql`, json_build_array(${commaSeparated(keys.map(keyAsText))}) AS sort_keys` : empty;
  return sql`
    SELECT ${RECORD} AS record, ${position}${sortKeys}${rowsReadColumn(source, fields)} ${fromRows(bounded, source, fields)}
    ORDER BY ${sorted}`;
}

/** Page sizes are rounded up to multiples of this, which limits the number of statements to plan. */
const SIZE_STEP = 25;

/**
 * Returns the constant LIMIT of a statement for pages of about this size. If LIMIT is only a parameter, PostgreSQL assumes a
 * tenth of the table: generic plans then seem too expensive, and the statement is planned each time.
 */
function limitCeiling(size: number): number {
  return Math.ceil(size / SIZE_STEP) * SIZE_STEP + 1;
}

function pageOf<Node>(
  context: Context,
  source: RecordSource<Node>,
  list: {
    readonly condition: () => Sql;
    readonly identity: ListIdentity;
    readonly sortedBy: SortedBy;
    readonly count: () => Promise<Count>;
    readonly isCountRequested: boolean;
  },
  { after, before, size, backwards, lookahead }: Bounds,
  row: PageRow,
): Page<Node> {
  const { condition, identity, sortedBy, count, isCountRequested } = list;
  const exists = async (side: '>' | '>=' | '<' | '<=', place: Place): Promise<boolean> => {
    const [found] = await context.db.rows<{ found: boolean }>(sql`
      SELECT EXISTS (
        SELECT 1 FROM ${tableOf(source)}
        WHERE ${condition()} AND ${compareWithPlace(source, sortedBy, side, placeSql(place, sortedBy))}
      ) AS found`);
    return found?.found ?? false;
  };
  const { descending } = sortedBy;
  return new RecordPage<Node>(row, {
    ...{ size, backwards, count, isCountRequested },
    cursorsOf: (places) => encodeCursors(context.cursorSecret, identity, places),
    recordsBeyond: lookahead ? undefined : (last) => exists(backwards === descending ? '>' : '<', last),
    recordsBefore: after === null ? undefined : () => exists(descending ? '>=' : '<=', after),
    recordsAfter: before === null ? undefined : () => exists(descending ? '<=' : '>=', before),
  });
}
