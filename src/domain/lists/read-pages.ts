import { empty, raw, type Statement, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { decodeCursor, type ListIdentity } from '../cursors/cursor.ts';
import { ORDER_OF_ENTRY, type SortedBy } from '../cursors/order.ts';
import { UNSEEN_COLUMN } from '../cursors/unseen-positions.ts';
import { isBounded, MAX_KILOBYTES_OF_PAGE } from '../records/bounded-rows.ts';
import type { SelectedFields } from '../records/projection.ts';
import { type IdColumn, type RecordKey, type RecordSource, tenantCondition } from '../records/records.ts';
import { internStatement } from '../records/statement-cache.ts';
import { countRecords, countRecordsByParent } from './count.ts';
import { createPage } from './create-page.ts';
import { type FilteredList, filterList, NO_FILTERS, type RecordFilters, rowsOfList } from './filtered-list.ts';
import { type Bounds, directionOf, isInOrderOfEntry, placeSql, startOf } from './keyset.ts';
import { lateRecordsSql } from './late-records.ts';
import { planSearch, type SearchPlan } from './ordered-search.ts';
import { type Count, DEFAULT_PAGE_SIZE, type Page, type PageArguments } from './page.ts';
import { pageColumns, pageSql, shapeOfPage } from './page-sql.ts';
import type { PageRow } from './record-page.ts';

const BY_ENTRY: SortedBy = { keys: ORDER_OF_ENTRY.keys, descending: false };

// How a list is read: `readPage` gets the arguments of a list operation; `filterList` converts its filters to SQL;
// `pageSql` adds the bounds, the order and the late records; `createPage` makes a page of the row that PostgreSQL returns.
// docs/architecture.md explains late records and unseen positions.

/** A request for a page of the records of a source, optionally with conditions and an order. */
export interface ListRequest {
  readonly arguments: PageArguments;
  /** The search text, for the identity of cursors; its condition is one of `resolveFilters`. */
  readonly search?: string | undefined;
  /** The filter and the order as text, for the identity of cursors; absent if the list has its default order and no filter. */
  readonly filterAndOrder?: string | undefined;
  /**
   * Called only after the cursors are found to be valid, because some filters read other records. Absent if all records
   * match.
   */
  readonly resolveFilters?: () => Promise<RecordFilters>;
  readonly sortedBy?: SortedBy | undefined;
  readonly isCountRequested?: boolean;
}

/**
 * Reads one page of a list by keyset pagination, without OFFSET. PostgreSQL serializes the records. One statement, in
 * addition to those of `resolveFilters`; one more to plan a search in an order whose first key is text.
 *
 * @throws {ServiceError} `invalid_cursor`.
 */
export async function readPage<Node>(
  context: Context,
  source: RecordSource<Node>,
  request: ListRequest,
  fields: SelectedFields | undefined,
): Promise<Page<Node>> {
  const { search, filterAndOrder, resolveFilters, sortedBy = BY_ENTRY, isCountRequested = false } = request;
  const identity = identityOf(context, source.name, { search, filterAndOrder });
  const bounds = boundsOf(context, identity, request.arguments, sortedBy);
  const filters = (await resolveFilters?.()) ?? NO_FILTERS;
  const direction = directionOf(bounds, sortedBy);
  const list = filterList(context, source, { filters, sortedBy, direction });
  const searchPlan = list.isSearchedInTextOrder ? await planSearch(context, list) : undefined;
  const statement = pageStatement(context, list, searchPlan, bounds, fields);
  const [row] = await rowsOfList<PageRow>(context, list, statement);
  const count = () => countRecords(context, list);
  return createPage(context, { identity, count, isCountRequested, ...list }, bounds, row as PageRow);
}

/** Returns the statement that reads a page. */
function pageStatement<Node>(
  context: Context,
  list: FilteredList<Node>,
  searchPlan: SearchPlan | undefined,
  bounds: Bounds,
  fields: SelectedFields | undefined,
): Statement {
  const { source, filters, condition, sortedBy, isFiltered } = list;
  const boundsSql = {
    after: bounds.after && placeSql(bounds.after, sortedBy),
    before: bounds.before && placeSql(bounds.before, sortedBy),
  };
  const lateRecords = lateRecordsSql(context, source, {
    condition: tenantCondition(context, source, filters.conditions),
    linkFilters: filters.linkFilters,
    bounds,
    boundsSql,
    sortedBy,
  });
  const rows = pageSql(context, {
    source,
    fields,
    condition,
    isFilteredByColumns: list.isFilteredByColumns,
    usesUpdateIndex: list.usesUpdateIndex,
    searchPlan,
    bounds,
    boundsSql,
    sortedBy,
    lateRecords,
    maxKilobytes: MAX_KILOBYTES_OF_PAGE,
  });
  const statement = sql`SELECT ${pageColumns(source, fields, sortedBy, lateRecords)}, ${UNSEEN_COLUMN} FROM (${rows}) page`;
  // The texts of filtered lists are not interned: they have too many shapes.
  return isFiltered
    ? statement
    : internStatement(source, fields ?? source, `page ${shapeOfPage(bounds, sortedBy)}`, statement);
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
      return { key, identity, bounds: boundsOf(context, identity, page, BY_ENTRY) };
    } catch (error) {
      return error as Error;
    }
  });
  const valid = requested.flatMap((list) => (list instanceof Error ? [] : [list]));
  const rows = await rowsByParent(context, source, parent, valid, fields);
  const rowOf = new Map(valid.map(({ key }, index) => [key, rows[index] as PageRow]));
  let counts: Promise<Map<RecordKey, Count>> | undefined;
  return requested.map((list) => {
    if (list instanceof Error) return list;
    const { key, identity, bounds } = list;
    const count = async () => {
      counts ??= countRecordsByParent(context, source, parent, keys);
      return (await counts).get(key) as Count;
    };
    return createPage(
      context,
      {
        source,
        // Few pages of many need it.
        get condition() {
          return tenantCondition(context, source, [sql`${raw(parent.column)} = ${key}::${raw(parent.type)}`]);
        },
        identity,
        sortedBy: BY_ENTRY,
        filters: NO_FILTERS,
        planDependsOnValues: false,
        count,
        isCountRequested: false,
      },
      bounds,
      rowOf.get(key) as PageRow,
    );
  });
}

/** Reads one row for each parent, in their order. */
async function rowsByParent<Node>(
  context: Context,
  source: RecordSource<Node>,
  parent: IdColumn,
  requested: readonly { readonly key: RecordKey; readonly bounds: Bounds }[],
  fields: SelectedFields | undefined,
): Promise<PageRow[]> {
  const [first] = requested;
  if (!first) return [];
  const condition = tenantCondition(context, source, [sql`${raw(parent.column)} = parent.key`]);
  // A cursor belongs to the list of one parent. With a cursor, there is therefore only one valid parent; without, all have
  // the same bounds.
  const { bounds } = first;
  const boundsSql = { after: bounds.after && [sql`parent.after`], before: bounds.before && [sql`parent.before`] };
  const sortedBy = BY_ENTRY;
  const lateRecords = lateRecordsSql(context, source, { condition, linkFilters: [], bounds, boundsSql, sortedBy });
  const rows = pageSql(context, {
    source,
    fields,
    condition,
    isFilteredByColumns: false,
    usesUpdateIndex: false,
    searchPlan: undefined,
    bounds,
    boundsSql,
    sortedBy,
    lateRecords,
    maxKilobytes: raw('bound.max_kilobytes'),
  });
  // All pages together are at most as large as one page.
  const maxKilobytes = sql`greatest(1, ${MAX_KILOBYTES_OF_PAGE} / ${requested.length}::int)`;
  const latePositions = lateRecords ? sql`, page.late_positions` : empty;
  const truncated = isBounded(source, fields) ? sql`, page.truncated` : empty;
  const statement = sql`
    SELECT page.json, page.positions${latePositions}${truncated}, ${UNSEEN_COLUMN}
    FROM unnest(
      ${requested.map(({ key }) => key)}::${raw(parent.type)}[],
      ${requested.map(({ bounds }) => bounds.after?.position ?? null)}::bigint[],
      ${requested.map(({ bounds }) => bounds.before?.position ?? null)}::bigint[]
    ) WITH ORDINALITY AS parent (key, after, before, ordinal)
    CROSS JOIN (SELECT ${maxKilobytes} AS max_kilobytes) bound
    CROSS JOIN LATERAL (SELECT ${pageColumns(source, fields, sortedBy, lateRecords)} FROM (${rows}) page) page
    ORDER BY parent.ordinal`;
  return context.db.rows<PageRow>(
    internStatement(source, fields ?? source, `pages ${shapeOfPage(bounds, sortedBy)} ${parent.column}`, statement),
  );
}

function identityOf(
  context: Context,
  list: string,
  { search, filterAndOrder }: Pick<ListRequest, 'search' | 'filterAndOrder'> = {},
): ListIdentity {
  return { organizationId: context.caller.organization.id, list, search, filterAndOrder };
}

function boundsOf({ cursorSecret }: Context, identity: ListIdentity, page: PageArguments, sortedBy: SortedBy): Bounds {
  const place = (cursor: string | null | undefined) =>
    cursor == null ? null : decodeCursor(cursorSecret, identity, cursor);
  const bounds = {
    after: place(page.after),
    before: place(page.before),
    size: page.last ?? page.first ?? DEFAULT_PAGE_SIZE,
    backwards: page.last != null,
    lookahead: page.lookahead,
  };
  const start = startOf(bounds);
  if (!start?.unseen) return bounds;
  // A client that reads forwards and then turns back expects only records that it has seen, so late records are not
  // added. In ascending order of entry, the page is read towards later records in any case.
  const isTurnedBack = bounds.backwards && start.reading?.backwards === false;
  const isTowardsLaterRecords = isInOrderOfEntry(sortedBy) && directionOf(bounds, sortedBy) === 'ASC';
  if (isTurnedBack && !isTowardsLaterRecords) return { ...bounds, before: { ...start, unseen: undefined } };
  // If there may be late records, always read one extra record. Late records precede the cursor, so `hasRecordsBeyond`
  // would not find them.
  return { ...bounds, lookahead: true };
}
