import { empty, raw, type Sql, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { decodeCursor, type ListIdentity } from '../cursors/cursor.ts';
import { ORDER_OF_ENTRY, type SortedBy } from '../cursors/order.ts';
import { UNSEEN_COLUMN } from '../cursors/unseen-positions.ts';
import { MAX_KILOBYTES_OF_PAGE, rowsReadColumn } from '../records/bounded-rows.ts';
import type { Fields } from '../records/projection.ts';
import { type Key, type ParentColumn, type RecordSource, tenantCondition } from '../records/records.ts';
import { internStatement } from '../records/statement-cache.ts';
import { countRecords, countRecordsByParent } from './count.ts';
import { createPage } from './create-page.ts';
import { type Bounds, directionOf, placeSql, startOf } from './keyset.ts';
import { lateRecordsSql } from './late-records.ts';
import { type DenormalizedCondition, filterByLinks, type LinkFilter } from './link-filters.ts';
import { planSearch } from './ordered-search.ts';
import { type Count, DEFAULT_PAGE_SIZE, type Page, type PageArguments } from './page.ts';
import { pageColumns, pageSql, shapeOfPage } from './page-sql.ts';
import type { PageRow } from './record-page.ts';

const BY_ENTRY: SortedBy = { keys: ORDER_OF_ENTRY.keys, descending: false };

/** A request for a page of the records of a source, optionally with conditions and an order. */
export interface ListRequest {
  readonly arguments: PageArguments;
  /** The search text, for the identity of cursors. */
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

/** The search and filters of a list, as SQL. */
export interface RecordFilters {
  /** Conditions in addition to those of the source. */
  readonly conditions: readonly Sql[];
  /** The conditions that can also be checked in links. */
  readonly denormalized: readonly DenormalizedCondition[];
  readonly linkFilters: readonly LinkFilter[];
}

const NO_FILTERS: RecordFilters = { conditions: [], denormalized: [], linkFilters: [] };

/**
 * Reads one page of a list by keyset pagination, without OFFSET. PostgreSQL serializes the records. One statement, in
 * addition to those of `resolveFilters`; one more for a search in an order whose first key is text.
 *
 * @throws {ServiceError} `invalid_cursor`.
 */
export async function readPage<Node>(
  context: Context,
  entitySource: RecordSource<Node>,
  request: ListRequest,
  fields: Fields | undefined,
): Promise<Page<Node>> {
  const { search, filterAndOrder, resolveFilters, sortedBy = BY_ENTRY, isCountRequested = false } = request;
  const identity = identityOf(context, entitySource.name, { search, filterAndOrder });
  const bounds = boundsOf(context, identity, request.arguments);
  const { conditions: filterConditions, denormalized, linkFilters } = (await resolveFilters?.()) ?? NO_FILTERS;
  const isSearched = search !== undefined;
  const filters = { linkFilters, denormalized, isSearched };
  const fromLinks = filterByLinks(context, entitySource, filters, sortedBy, directionOf(bounds, sortedBy));
  const conditions = [...filterConditions, ...fromLinks.conditions];
  const source = fromLinks.links.length > 0 ? { links: fromLinks.links, isSearched, ...entitySource } : entitySource;
  const condition = tenantCondition(context, source, conditions);
  const boundsSql = {
    after: bounds.after && placeSql(bounds.after, sortedBy),
    before: bounds.before && placeSql(bounds.before, sortedBy),
  };
  const lateRecords = lateRecordsSql(context, entitySource, {
    condition: tenantCondition(context, entitySource, filterConditions),
    linkFilters,
    bounds,
    boundsSql,
    sortedBy,
  });
  const isOrderedSearch = isSearched && sortedBy.keys[0]?.type === 'text' && fromLinks.links.length === 0;
  const rows = pageSql({
    source,
    fields,
    condition,
    isFilteredByColumns: !isSearched && linkFilters.length === 0 && filterConditions.length > 0,
    searchPlan: isOrderedSearch ? await planSearch(context, source, condition) : undefined,
    bounds,
    boundsSql,
    sortedBy,
    lateRecords,
    maxKilobytes: MAX_KILOBYTES_OF_PAGE,
  });
  const statement = sql`SELECT ${pageColumns(source, fields, sortedBy, lateRecords)}, ${UNSEEN_COLUMN} FROM (${rows}) page`;
  // With a search or filters, the best plan depends on their values, so no generic plan is used.
  const isFiltered = filterConditions.length > 0 || linkFilters.length > 0;
  const [page] = await (isFiltered
    ? context.db.queryUnshared<PageRow>(statement)
    : context.db.rows<PageRow>(
        internStatement(source, fields ?? source, `page ${shapeOfPage(bounds, sortedBy)}`, statement),
      ));
  const count = () => countRecords(context, source, conditions);
  const list = {
    condition: () => condition,
    identity,
    bounds,
    sortedBy,
    linkFilters,
    isFiltered,
    count,
    isCountRequested,
  };
  return createPage(context, source, list, page as PageRow);
}

/** The lists of several parents, and the page to read of each. */
interface ParentLists {
  readonly parent: ParentColumn;
  readonly keys: readonly Key[];
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
  const valid = requested.flatMap((list) => (list instanceof Error ? [] : [list]));
  const rows = await rowsByParent(context, source, parent, valid, fields);
  const rowOf = new Map(valid.map(({ key }, index) => [key, rows[index] as PageRow]));
  let counts: Promise<Map<Key, Count>> | undefined;
  return requested.map((list) => {
    if (list instanceof Error) return list;
    const { key, identity, bounds } = list;
    const condition = () =>
      tenantCondition(context, source, [sql`${raw(parent.column)} = ${key}::${raw(parent.type)}`]);
    const count = async () => {
      counts ??= countRecordsByParent(context, source, parent, keys);
      return (await counts).get(key) as Count;
    };
    return createPage(
      context,
      source,
      {
        condition,
        identity,
        bounds,
        sortedBy: BY_ENTRY,
        linkFilters: [],
        isFiltered: false,
        count,
        isCountRequested: false,
      },
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
  const condition = tenantCondition(context, source, [sql`${raw(parent.column)} = parent.key`]);
  const { bounds } = first;
  const boundsSql = { after: bounds.after && [sql`parent.after`], before: bounds.before && [sql`parent.before`] };
  // The bounds of the first parent suffice: a cursor belongs to one parent, so with a cursor there are no others.
  const sortedBy = BY_ENTRY;
  const lateRecords = lateRecordsSql(context, source, { condition, linkFilters: [], bounds, boundsSql, sortedBy });
  const rows = pageSql({
    source,
    fields,
    condition,
    isFilteredByColumns: false,
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
  const truncated = rowsReadColumn(source, fields) === empty ? empty : sql`, page.truncated`;
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

function boundsOf({ cursorSecret }: Context, identity: ListIdentity, page: PageArguments): Bounds {
  const place = (cursor: string | null | undefined) =>
    cursor == null ? null : decodeCursor(cursorSecret, identity, cursor);
  const bounds = {
    after: place(page.after),
    before: place(page.before),
    size: page.last ?? page.first ?? DEFAULT_PAGE_SIZE,
    backwards: page.last != null,
    lookahead: page.lookahead,
  };
  // Always with lookahead if there may be late records: `recordsBeyond` would miss them, because they precede the
  // cursor.
  return startOf(bounds)?.unseen ? { ...bounds, lookahead: true } : bounds;
}
