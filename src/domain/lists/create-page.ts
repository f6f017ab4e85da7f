import { sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { encodeCursors, type ListIdentity } from '../cursors/cursor.ts';
import type { Place } from '../cursors/order.ts';
import { tableOf } from '../records/records.ts';
import type { FilteredList } from './filtered-list.ts';
import { type Bounds, compareWithPlace, directionOf, includesPlace, placeSql, startOf } from './keyset.ts';
import type { Count, Page } from './page.ts';
import { type PageRow, RecordPage } from './record-page.ts';

/** The list that a page belongs to. */
interface PagedList<Node>
  extends Pick<FilteredList<Node>, 'source' | 'condition' | 'filters' | 'sortedBy' | 'isFiltered'> {
  readonly identity: ListIdentity;
  readonly count: () => Promise<Count>;
  readonly isCountRequested: boolean;
}

/**
 * Creates a page from the row that its statement returned. What the row lacks, such as the count, is read when it is
 * requested.
 */
export function createPage<Node>(context: Context, list: PagedList<Node>, bounds: Bounds, row: PageRow): Page<Node> {
  const { source, condition, identity, sortedBy, filters, isFiltered, count, isCountRequested } = list;
  const { after, before, size, backwards, lookahead } = bounds;
  const exists = async (side: '>' | '>=' | '<' | '<=', place: Place): Promise<boolean> => {
    const statement = sql`
      SELECT EXISTS (
        SELECT 1 FROM ${tableOf(source)}
        WHERE ${condition()} AND ${compareWithPlace(source, sortedBy, side, placeSql(place, sortedBy))}
      ) AS found`;
    const { db } = context;
    const [found] = await (isFiltered
      ? db.queryUnshared<{ found: boolean }>(statement)
      : db.rows<{ found: boolean }>(statement));
    return found?.found ?? false;
  };
  const { descending } = sortedBy;
  return new RecordPage<Node>(row, {
    size,
    backwards,
    count,
    isCountRequested,
    continuedFrom: startOf(bounds),
    // Not with link filters, because a later link can add any member; nor in other orders, because a later record
    // can have any sort key.
    isReadTowardsLaterRecords:
      directionOf(bounds, sortedBy) === 'ASC' && sortedBy.keys.length === 0 && filters.linkFilters.length === 0,
    cursorsOf: (places) => encodeCursors(context.cursorSecret, identity, places),
    recordsBeyond: lookahead ? undefined : (last) => exists(backwards === descending ? '>' : '<', last),
    recordsBefore: after === null ? undefined : () => exists(outside(descending ? '>' : '<', after, 'after'), after),
    recordsAfter: before === null ? undefined : () => exists(outside(descending ? '<' : '>', before, 'before'), before),
  });
}

/** Returns the operator that compares the records outside of a page with a cursor at which it starts or ends. */
function outside(operator: '>' | '<', place: Place, side: 'after' | 'before') {
  return includesPlace(place, side) ? operator : (`${operator}=` as const);
}
