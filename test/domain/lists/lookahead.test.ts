import { expect, it } from 'vitest';
import { listTags } from '../../../src/domain/entities/tag.ts';
import { times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onEmbeddedStore } from '../../support/service.ts';
import { watchedContext } from '../watched.ts';

/** Page arguments over five tags; `after` and `before` are indexes. */
const WINDOWS: readonly { first?: number; last?: number; after?: number; before?: number }[] = [
  { first: 2 },
  { first: 5 },
  { first: 6 },
  { last: 2 },
  { last: 5 },
  { first: 2, after: 0 },
  { first: 2, after: 2 },
  { first: 2, after: 4 },
  { last: 2, before: 4 },
  { last: 2, before: 2 },
  { last: 2, before: 0 },
  { first: 1, after: 0, before: 3 },
  { last: 1, after: 0, before: 3 },
];

// Only on the embedded store: transactions of other tests would change the cursors.
onEmbeddedStore((service) => {
  async function fiveTags() {
    const { id } = await service.organization();
    for (const n of times(5, (n) => n)) await recordsOf(service, id).tag({ name: `Tag ${n}` });
    const { context, ran } = watchedContext(service.store, { id, country: 'US', timeZone: 'UTC' }, 'tags.view');
    const all = await listTags(context, {});
    const list = ({ after, before, ...size }: (typeof WINDOWS)[number], lookahead: boolean) =>
      listTags(context, {
        ...size,
        ...(after === undefined ? {} : { after: all.cursors[after] }),
        ...(before === undefined ? {} : { before: all.cursors[before] }),
        lookahead,
      });
    return { list, ran };
  }

  it.each(WINDOWS)('returns the same page and page info of %j with and without lookahead', async (window) => {
    const { list } = await fiveTags();
    const pageInfo = async (lookahead: boolean) => {
      const page = await list(window, lookahead);
      return [page.json, page.endCursor, await page.hasNextPage(), await page.hasPreviousPage()];
    };
    expect(await pageInfo(false)).toEqual(await pageInfo(true));
  });

  it.each([
    ['only the rows of the page without lookahead, and runs a second statement for hasNextPage', false, 2, 2],
    ['one more row with lookahead, which determines hasNextPage', true, 3, 1],
  ])('reads %s', async (_what, lookahead, rows, statements) => {
    const { list, ran } = await fiveTags();
    ran.length = 0;
    const page = await list({ first: 2 }, lookahead);
    expect(ran.map(({ values }) => values.at(-1))).toEqual([rows]);
    expect(await page.hasNextPage()).toBe(true);
    expect(ran).toHaveLength(statements);
  });
});
