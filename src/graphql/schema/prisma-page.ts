import type { Context } from '../../domain/context.ts';
import { decodeCursor, encodeCursor } from '../../domain/cursor.ts';
import { parseInput } from '../../domain/operation.ts';
import { DEFAULT_PAGE_SIZE, windowInput } from '../../domain/page.ts';

/**
 * A list that belongs to the caller's key, newest first, and that Prisma Client reads by keyset pagination on one
 * column. Rows are only added at its start, and never deleted.
 */
export interface KeysetList<Value, Row> {
  /** Part of its cursors: they are valid for this list only. */
  readonly name: string;
  /** The column's value as the position that a cursor stands for: an integer from 0, higher for newer rows. */
  positionOf(row: Row): number;
  /** The column's value at a position. */
  valueAt(position: number): Value;
}

/** The query of a page, and the connection of its rows. */
export interface PrismaPage<Value, Row> {
  /** The condition on the column: keyset pagination, since Prisma's own `cursor` needs the row to exist. */
  readonly range: { readonly lt?: Value; readonly gt?: Value };
  readonly direction: 'asc' | 'desc';
  /** One row more than the page shows, which tells whether there are more. */
  readonly take: number;
  /** The connection, from the rows as they were read. */
  toConnection<Read extends Row>(rows: readonly Read[]): PrismaConnection<Read>;
}

interface PrismaConnection<Row> {
  readonly edges: { readonly node: Row; readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/**
 * The page of a list that a connection's arguments ask for, by the rules of every other list.
 *
 * @throws {ServiceError} `invalid_request`, `invalid_cursor`.
 */
export function prismaPage<Value, Row>(
  list: KeysetList<Value, Row>,
  args: object,
  { caller, cursorSecret }: Context,
): PrismaPage<Value, Row> {
  const { first, after, last, before } = parseInput(windowInput, args);
  const identity = {
    organizationId: caller.organization.id,
    list: `${list.name}:${caller.keyId}`,
    search: undefined,
  };
  const valueAt = (cursor: string) => list.valueAt(decodeCursor(cursorSecret, identity, cursor));
  const size = last ?? first ?? DEFAULT_PAGE_SIZE;
  const isBackwards = last != null;
  return {
    range: {
      ...(after == null ? {} : { lt: valueAt(after) }),
      ...(before == null ? {} : { gt: valueAt(before) }),
    },
    direction: isBackwards ? 'asc' : 'desc',
    take: size + 1,
    toConnection: (rows) => {
      const shown = rows.slice(0, size);
      if (isBackwards) shown.reverse();
      const edges = shown.map((node) => ({
        node,
        cursor: encodeCursor(cursorSecret, identity, list.positionOf(node)),
      }));
      const hasMore = rows.length > size;
      return {
        edges,
        // The row of a cursor is still there: it precedes what is after it, and follows what is before it.
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
