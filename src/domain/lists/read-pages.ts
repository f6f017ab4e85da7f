import { raw, type Sql, sql, withoutEstimate } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { SelectedFields } from '../core/operation.ts';
import { decodeCursor, encodeCursors, type ListIdentity } from '../cursors/cursor.ts';
import { type DecodedCursor, ORDER_OF_ENTRY, type SortedBy } from '../cursors/order.ts';
import { isBounded, MAX_BYTES_OF_PAGE } from '../records/bounded-rows.ts';
import { type IdColumn, type RecordKey, type RecordSource, tableOf, tenantCondition } from '../records/records.ts';
import { DEFAULT_PAGE_SIZE, Page, type PageArguments, type PageRow } from './page.ts';
import {
  allMatches,
  type Comparison,
  compareWithCursor,
  comparisonOf,
  countOf,
  countSql,
  cursorSql,
  type DecodedPageArguments,
  pageColumns,
  pageSql,
} from './page-sql.ts';
import type { SearchCondition } from './search.ts';

const BY_ENTRY: SortedBy = { keys: ORDER_OF_ENTRY.keys, descending: false };

/** The search and the filters of a list, as SQL. */
export interface FilterSql {
  readonly conditions: readonly Sql[];
  readonly search?: SearchCondition | undefined;
}

/** A request for a page of the records of a source. */
export interface ListRequest {
  readonly arguments: PageArguments;
  /** The record whose list it is; absent for the list of all records of the organization. */
  readonly parent?: { readonly idColumn: IdColumn; readonly key: RecordKey };
  /** The search text, for the identity of cursors; its condition is part of `resolveFilters`. */
  readonly search?: string | undefined;
  /** The filter and the order as text, for the identity of cursors; absent if there is neither. */
  readonly filterAndOrder?: string | undefined;
  /** Called only after the cursors are found to be valid, because some filters read other records. */
  readonly resolveFilters: () => Promise<FilterSql>;
  readonly sortedBy: SortedBy;
  readonly isCountRequested: boolean;
}

/** A list, as SQL. */
interface List<Node> {
  readonly source: RecordSource<Node>;
  readonly identity: ListIdentity;
  readonly sortedBy: SortedBy;
  readonly condition: Sql;
  /** For a search with an index: the condition without the search and the filters. */
  readonly unfilteredCondition?: Sql | undefined;
  /** Runs a statement on this list. */
  readonly query: <Row>(statement: Sql) => Promise<Row[]>;
}

/**
 * Reads one page of a list by keyset pagination, without OFFSET. PostgreSQL serializes the records. One statement, in
 * addition to those of `resolveFilters`.
 *
 * @throws {ServiceError} `invalid_cursor`.
 */
export async function readPage<Node>(
  context: Context,
  source: RecordSource<Node>,
  request: ListRequest,
  fields: SelectedFields | undefined,
): Promise<Page<Node>> {
  const { parent, search, filterAndOrder, resolveFilters, sortedBy, isCountRequested } = request;
  const name = parent ? `${source.name}:${parent.key}` : source.name;
  const identity = identityOf(context, name, { search, filterAndOrder });
  const page = decodePageArguments(context, identity, request.arguments);
  const filters = await resolveFilters();
  // The best plan for filters, or for a search that has no index, depends on their values.
  const isPrepared = filters.conditions.length === 0 && filters.search?.isIndexed !== false;
  const ofParent = parent && isChildOf(parent.idColumn, parent.key);
  const ofSearch = filters.search?.condition(isPrepared);
  const conditions = [ofParent, ofSearch, ...filters.conditions].filter((one) => one !== undefined);
  const list: List<Node> = {
    source,
    identity,
    sortedBy,
    condition: tenantCondition(context, source, conditions),
    unfilteredCondition: filters.search?.isIndexed ? tenantCondition(context, source) : undefined,
    query: (statement) => (isPrepared ? context.db.rows(statement) : context.db.rowsUnprepared(statement)),
  };
  const statement = pageStatement(list, page, fields);
  const isShort = isPrepared && !filters.search;
  const [row] = isShort ? await context.db.rows<PageRow>(statement, true) : await list.query<PageRow>(statement);
  const count = async () => {
    const [counted] = await list.query<{ count: number }>(countSql(...recordsOf(list)));
    return countOf(counted?.count ?? 0);
  };
  return createPage(context, list, page, row as PageRow, { count, isCountRequested });
}

/** Returns the FROM clause and the condition of all records of a list. */
function recordsOf<Node>({ source, condition, unfilteredCondition }: List<Node>): [rows: Sql, condition: Sql] {
  const table = tableOf(source);
  return unfilteredCondition ? [allMatches(source, table, condition), sql`true`] : [table, condition];
}

/** The condition for the records of a parent. */
function isChildOf({ column, type }: IdColumn, key: RecordKey): Sql {
  return sql`${raw(column)} = ${key}::${raw(type)}`;
}

/** Returns the statement that reads a page. */
function pageStatement<Node>(
  { source, sortedBy, condition, unfilteredCondition }: List<Node>,
  page: DecodedPageArguments,
  fields: SelectedFields | undefined,
): Sql {
  const cursors = {
    after: page.after && cursorSql(page.after, sortedBy),
    before: page.before && cursorSql(page.before, sortedBy),
  };
  const [table, maxBytes] = [tableOf(source), MAX_BYTES_OF_PAGE];
  const query = { source, fields, table, condition, unfilteredCondition, arguments: page, cursors, sortedBy, maxBytes };
  return sql`SELECT ${pageColumns(source, fields, sortedBy)} FROM (${pageSql(query)}) page`;
}

/** The lists of several parents, and the page to read of each. */
interface ParentLists {
  readonly parent: IdColumn;
  readonly keys: readonly RecordKey[];
  readonly page: PageArguments;
}

/**
 * Reads the same page of the lists of several parents in one statement.
 *
 * @returns the pages in the order of `keys`; for a parent whose list the cursor does not belong to, an error.
 */
export async function readPagesByParent<Node>(
  context: Context,
  source: RecordSource<Node>,
  { parent, keys, page }: ParentLists,
  fields: SelectedFields | undefined,
): Promise<(Page<Node> | Error)[]> {
  const requested = keys.map((key) => {
    const identity = identityOf(context, `${source.name}:${key}`);
    try {
      return { key, identity, page: decodePageArguments(context, identity, page) };
    } catch (error) {
      return error as Error;
    }
  });
  const valid = requested.flatMap((list) => (list instanceof Error ? [] : [list]));
  const rows = await rowsByParent(context, source, parent, valid, fields);
  const rowOf = new Map(valid.map(({ key }, index) => [key, rows[index] as PageRow]));
  let counts: Promise<Map<RecordKey, number | null>> | undefined;
  return requested.map((requestedList) => {
    if (requestedList instanceof Error) return requestedList;
    const { key, identity, page } = requestedList;
    const list: List<Node> = {
      source,
      identity,
      sortedBy: BY_ENTRY,
      // A getter, because only pages after or before a cursor need it.
      get condition() {
        return tenantCondition(context, source, [isChildOf(parent, key)]);
      },
      query: (statement) => context.db.rows(statement),
    };
    const count = async () => {
      counts ??= countRecordsByParent(context, source, parent, keys);
      return (await counts).get(key) ?? null;
    };
    return createPage(context, list, page, rowOf.get(key) as PageRow, { count, isCountRequested: false });
  });
}

/** Reads one row for each parent, in their order. */
async function rowsByParent<Node>(
  context: Context,
  source: RecordSource<Node>,
  parent: IdColumn,
  requested: readonly { readonly key: RecordKey; readonly page: DecodedPageArguments }[],
  fields: SelectedFields | undefined,
): Promise<PageRow[]> {
  const [first] = requested;
  if (!first) return [];
  // A cursor belongs to the list of one parent. With a cursor, there is therefore only one valid parent; without, all have
  // the same arguments.
  const { page } = first;
  const rows = pageSql({
    source,
    fields,
    table: tableOf(source),
    condition: tenantCondition(context, source, [sql`${raw(parent.column)} = parent.key`]),
    arguments: page,
    cursors: { after: page.after && [sql`parent.after`], before: page.before && [sql`parent.before`] },
    sortedBy: BY_ENTRY,
    // All pages together have the bytes of one page, except that each has at least one record.
    maxBytes: sql`${MAX_BYTES_OF_PAGE} / ${requested.length}::int`,
  });
  const truncated = raw(isBounded(source, fields) ? ', page.truncated' : '');
  const ids = requested.map(({ key }) => key);
  return context.db.rows<PageRow>(
    sql`
    SELECT page.json, page.positions${truncated}
    FROM unnest(
      ${withoutEstimate(ids, `${parent.type}[]`)},
      ${requested.map(({ page }) => page.after?.position ?? null)}::bigint[],
      ${requested.map(({ page }) => page.before?.position ?? null)}::bigint[]
    ) WITH ORDINALITY AS parent (key, after, before, ordinal)
    CROSS JOIN LATERAL (SELECT ${pageColumns(source, fields, BY_ENTRY)} FROM (${rows}) page) page
    ORDER BY parent.ordinal`,
    true,
  );
}

/** Counts the records of each of several parents, as {@link countOf}, in one statement. */
async function countRecordsByParent<Node>(
  context: Context,
  source: RecordSource<Node>,
  parent: IdColumn,
  keys: readonly RecordKey[],
): Promise<Map<RecordKey, number | null>> {
  const condition = tenantCondition(context, source, [sql`${raw(parent.column)} = parent.key`]);
  const rows = await context.db.rows<{ key: RecordKey; count: number }>(sql`
    SELECT parent.key, counted.count
    FROM unnest(${[...new Set(keys)]}::${raw(parent.type)}[]) AS parent (key)
    CROSS JOIN LATERAL (${countSql(tableOf(source), condition)}) counted`);
  return new Map(rows.map(({ key, count }) => [key, countOf(count)]));
}

function identityOf(
  context: Context,
  list: string,
  { search, filterAndOrder }: Pick<ListRequest, 'search' | 'filterAndOrder'> = {},
): ListIdentity {
  return { organizationId: context.caller.organization.id, list, search, filterAndOrder };
}

function decodePageArguments(
  { appSecret }: Context,
  identity: ListIdentity,
  page: PageArguments,
): DecodedPageArguments {
  const decode = (cursor: string | null | undefined) =>
    cursor == null ? null : decodeCursor(appSecret, identity, cursor);
  return {
    after: decode(page.after),
    before: decode(page.before),
    size: page.last ?? page.first ?? DEFAULT_PAGE_SIZE,
    backwards: page.last != null,
  };
}

/**
 * Creates a page from the row that its statement returned. What the row lacks, such as the count, is read when it is
 * requested.
 */
function createPage<Node>(
  { appSecret }: Context,
  list: List<Node>,
  { after, before, size, backwards }: DecodedPageArguments,
  row: PageRow,
  { count, isCountRequested }: { readonly count: () => Promise<number | null>; readonly isCountRequested: boolean },
): Page<Node> {
  const { source, sortedBy } = list;
  const exists = async (comparison: Comparison, cursor: DecodedCursor): Promise<boolean> => {
    const isBeyond = compareWithCursor(source.alias, sortedBy, comparison, cursorSql(cursor, sortedBy));
    const [rows, condition] = recordsOf(list);
    // Most often, the cursor's own record still exists. It is looked up first, because that is fast.
    const isAtCursor = sql`${raw(source.alias)}.position = ${cursor.position}::bigint`;
    const [row] = await list.query<{ found: boolean }>(sql`
      SELECT EXISTS (SELECT FROM ${tableOf(source)} WHERE ${list.condition} AND ${isAtCursor} AND ${isBeyond})
        OR EXISTS (SELECT FROM ${rows} WHERE ${condition} AND ${isBeyond}) AS found`);
    return row?.found ?? false;
  };
  // The cursor's own record is not on the page, so it is beyond the page too.
  const comparisonBeyond = (side: 'after' | 'before') => (comparisonOf(side, sortedBy) === '>' ? '<=' : '>=');
  return new Page<Node>(row, {
    size,
    backwards,
    count,
    isCountRequested,
    encodeCursors: (cursors) => encodeCursors(appSecret, list.identity, cursors),
    hasRecordsBefore: after ? () => exists(comparisonBeyond('after'), after) : undefined,
    hasRecordsAfter: before ? () => exists(comparisonBeyond('before'), before) : undefined,
  });
}
