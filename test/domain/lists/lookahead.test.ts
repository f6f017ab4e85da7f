import { expect, it } from 'vitest';
import { listTags } from '../../../src/domain/entities/tag.ts';
import { times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onEmbeddedStore } from '../../support/service.ts';
import { watchedContext } from '../watched.ts';

/** Windows of five tags by the places of cursors. */
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

// Cursors of one place differ if other transactions are running.
onEmbeddedStore((service) => {
  async function fiveTags() {
    const { id } = await service.organization();
    for (const n of times(5, (n) => n)) await recordsOf(service, id).tag({ name: `Tag ${n}` });
    const { context, ran } = watchedContext(service.store, { id, name: 'Five', country: 'US' }, 'tags.view');
    const all = await listTags(context, {});
    const list = ({ after, before, ...size }: (typeof WINDOWS)[number], lookahead: boolean) =>
      listTags(context, {
        ...size,
        ...(after === undefined ? {} : { after: all.cursorAt(after) }),
        ...(before === undefined ? {} : { before: all.cursorAt(before) }),
        lookahead,
      });
    return { list, ran };
  }

  it.each(WINDOWS)(
    'shows the same page of %j without a look ahead, and tells as truly what lies around it',
    async (window) => {
      const { list } = await fiveTags();
      const told = async (lookahead: boolean) => {
        const page = await list(window, lookahead);
        return [page.json, page.endCursor, await page.hasNextPage(), await page.hasPreviousPage()];
      };
      expect(await told(false)).toEqual(await told(true));
    },
  );

  it.each([
    ['no row that it does not show without a look ahead, and asks when it must tell of more', false, 2, 2],
    ['one row more with a look ahead, and need not ask', true, 3, 1],
  ])('reads %s', async (_what, lookahead, rows, statements) => {
    const { list, ran } = await fiveTags();
    ran.length = 0;
    const page = await list({ first: 2 }, lookahead);
    expect(ran.map(({ values }) => values.at(-1))).toEqual([rows]);
    expect(await page.hasNextPage()).toBe(true);
    expect(ran).toHaveLength(statements);
  });
});
