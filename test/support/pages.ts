import { expect } from 'vitest';
import { times } from './data.ts';

/** A page of a GraphQL connection. */
interface Page {
  readonly ids: readonly string[];
  readonly cursors: readonly string[];
  readonly pageInfo: object;
}

/**
 * Expects that a list of three rows has the pages of the same list in memory: in both directions, with a limit of 1 and of 9,
 * after and before no row, the first and the last, also if `after` is not before `before`.
 */
export async function expectPages(read: (args: Record<string, unknown>) => Promise<Page>): Promise<void> {
  const { ids, cursors } = await read({});
  expect(ids).toHaveLength(3);
  const indexes = [null, 0, 2];
  for (const direction of ['first', 'last']) {
    for (const size of [1, 9]) {
      for (const after of indexes) {
        for (const before of indexes) {
          const all = times(ids.length, (n) => n).filter((n) => n > (after ?? -1) && n < (before ?? ids.length));
          const shown = direction === 'first' ? all.slice(0, size) : all.slice(-size);
          const args = { [direction]: size, after: cursors[after ?? -1], before: cursors[before ?? -1] };
          expect([args, await read(args)]).toMatchObject([
            args,
            {
              ids: shown.map((n) => ids[n]),
              cursors: shown.map((n) => cursors[n]),
              pageInfo: {
                hasNextPage: before !== null || (direction === 'first' && shown.length < all.length),
                hasPreviousPage: after !== null || (direction === 'last' && shown.length < all.length),
                startCursor: cursors[shown.at(0) ?? -1] ?? null,
                endCursor: cursors[shown.at(-1) ?? -1] ?? null,
              },
            },
          ]);
        }
      }
    }
  }
}
