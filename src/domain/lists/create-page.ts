import { sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { encodeCursors, type ListIdentity } from '../cursors/cursor.ts';
import type { Place } from '../cursors/order.ts';
import { type FilteredList, rowsOfList } from './filtered-list.ts';
import {
  type Bounds,
  type Comparison,
  compareWithPlace,
  comparisonOutside,
  directionOf,
  isInOrderOfEntry,
  placeSql,
  startOf,
} from './keyset.ts';
import { recordsFrom } from './list-source.ts';
import type { Count, Page } from './page.ts';
import { type PageRow, RecordPage } from './record-page.ts';

/** The list that a page belongs to. */
interface PagedList<Node>
  extends Pick<FilteredList<Node>, 'source' | 'condition' | 'filters' | 'sortedBy' | 'planDependsOnValues'> {
  readonly identity: ListIdentity;
  readonly count: () => Promise<Count>;
  readonly isCountRequested: boolean;
}

/**
 * Creates a page from the row that its statement returned. What the row lacks, such as the count, is read when it is
 * requested.
 */
export function createPage<Node>(context: Context, list: PagedList<Node>, bounds: Bounds, row: PageRow): Page<Node> {
  const { source, identity, sortedBy, filters, count, isCountRequested } = list;
  const { after, before, size, backwards, lookahead } = bounds;
  const exists = async (comparison: Comparison, place: Place): Promise<boolean> => {
    const statement = sql`
      SELECT EXISTS (
        SELECT 1 FROM ${recordsFrom(context, source)}
        WHERE ${list.condition} AND ${compareWithPlace(source, sortedBy, comparison, placeSql(place, sortedBy))}
      ) AS found`;
    const [row] = await rowsOfList<{ found: boolean }>(context, list, statement);
    return row?.found ?? false;
  };
  return new RecordPage<Node>(row, {
    size,
    backwards,
    count,
    isCountRequested,
    start: startOf(bounds),
    // Not with link filters, because a later link can add any member; nor in other orders, because a later record
    // can have any sort key.
    isReadTowardsLaterRecords:
      directionOf(bounds, sortedBy) === 'ASC' && isInOrderOfEntry(sortedBy) && filters.linkFilters.length === 0,
    cursorsOf: (places) => encodeCursors(context.cursorSecret, identity, places),
    hasRecordsBeyond: lookahead
      ? undefined
      : (last) => exists(directionOf(bounds, sortedBy) === 'ASC' ? '>' : '<', last),
    hasRecordsBefore: after ? () => exists(comparisonOutside('after', after, sortedBy), after) : undefined,
    hasRecordsAfter: before ? () => exists(comparisonOutside('before', before, sortedBy), before) : undefined,
  });
}
