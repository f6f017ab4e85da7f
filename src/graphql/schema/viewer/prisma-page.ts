import type { Context } from '../../../domain/core/context.ts';
import { parseInput } from '../../../domain/core/parse-input.ts';
import { decodeCursor, encodeCursors } from '../../../domain/cursors/cursor.ts';
import type { Place } from '../../../domain/cursors/order.ts';
import { DEFAULT_PAGE_SIZE, pageArguments } from '../../../domain/lists/page.ts';

/**
 * A list that belongs to the caller's key, newest first. Prisma Client reads it by keyset pagination. Rows are only added
 * at the start of the list, and deleted only at its end.
 */
export interface KeysetList<Where, Row> {
  /** Included in cursors, so that they are valid only for this list. */
  readonly name: string;
  placeOf(row: Row): Place;
  /** The condition that rows are older (`lt`) or newer (`gt`) than a place. */
  beyond(comparison: Comparison, place: Place): Where;
}

type Comparison = 'lt' | 'gt';

/**
 * Returns the query of a page for the arguments of a connection, which have the same rules as those of all other lists, and
 * a function that converts its rows, in the order of the query, to a connection.
 *
 * @throws {ServiceError} `invalid_request` for invalid arguments, `invalid_cursor` for an invalid cursor.
 */
export function prismaPage<Where, Row>(list: KeysetList<Where, Row>, args: object, { caller, cursorSecret }: Context) {
  const { first, after, last, before } = parseInput(pageArguments, args);
  const identity = {
    organizationId: caller.organization.id,
    list: `${list.name}:${caller.keyId}`,
    search: undefined,
  };
  const beyond = (comparison: Comparison, cursor: string | null | undefined) =>
    cursor == null ? [] : [list.beyond(comparison, decodeCursor(cursorSecret, identity, cursor))];
  const size = last ?? first ?? DEFAULT_PAGE_SIZE;
  const isBackwards = last != null;
  return {
    // Prisma's `cursor` is not used, because it requires that the row exists.
    conditions: [...beyond('lt', after), ...beyond('gt', before)],
    direction: isBackwards ? ('asc' as const) : ('desc' as const),
    // One more than the page size, to determine whether there are more rows.
    take: size + 1,
    toConnection: <Read extends Row>(rows: readonly Read[]) => {
      const shown = rows.slice(0, size);
      if (isBackwards) shown.reverse();
      const cursors = encodeCursors(cursorSecret, identity, shown.map(list.placeOf));
      const edges = shown.map((node, index) => ({ node, cursor: cursors[index] as string }));
      const hasMore = rows.length > size;
      return {
        edges,
        // The row of `after` precedes the page, and the row of `before` follows it.
        pageInfo: {
          hasNextPage: (!isBackwards && hasMore) || before != null,
          hasPreviousPage: (isBackwards && hasMore) || after != null,
          startCursor: edges.at(0)?.cursor ?? null,
          endCursor: edges.at(-1)?.cursor ?? null,
        },
      };
    },
  };
}
