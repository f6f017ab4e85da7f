import { expect, it } from 'vitest';
import { department } from '../../../src/domain/entities/department.ts';
import { readPage } from '../../../src/domain/lists/read-pages.ts';
import { raw, type Statement } from '../../../src/store/sql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore } from '../../support/service.ts';
import { planOf, rowsReadOf } from '../lists/query-plan.ts';
import { watchedContext } from '../watched.ts';

const SIZE = 8;

onOneStore((service) => {
  /** A page of 25 departments with {@link SIZE} members each, where `max` limits the member ids of the whole page. */
  async function pageOf25(max: number) {
    const { id } = await service.organization();
    const many = manyOf(service, id);
    const members = await many.members(SIZE);
    await many.departments(25, () => members);
    const { context, ran } = watchedContext(service.store, { id, country: 'US', timeZone: 'UTC' }, 'departments.view');
    const embedded = { ...department.source.embedded, max } as NonNullable<typeof department.source.embedded>;
    const page = await readPage(
      context,
      { ...department.source, embedded },
      { arguments: { first: 25, lookahead: true } },
      undefined,
    );
    // In a small table, a sequential scan can be estimated to be cheaper than the index.
    const nodes = await planOf(service.store.pool, ran.at(-1) as Statement, 'enable_seqscan', 'enable_bitmapscan');
    return { page, elementsRead: rowsReadOf(nodes, 'department_member') };
  }

  it('counts the members of departments that are limited by the size of another field', async () => {
    const { id } = await service.organization();
    const many = manyOf(service, id);
    const members = await many.members(SIZE);
    await many.departments(2, () => members);
    const { context } = watchedContext(service.store, { id, country: 'US', timeZone: 'UTC' }, 'departments.view');
    const source = { ...department.source, longFields: { name: raw('600000') } };
    const fields = { name: 'name', members_count: 'members_count' };
    const page = await readPage(context, source, { arguments: { first: 25, lookahead: true } }, fields);
    expect(JSON.parse(page.json)).toEqual([{ name: expect.any(String), members_count: SIZE }]);
    expect(await page.hasNextPage()).toBe(true);
  });

  it('stops counting long lists at the end of the page', async () => {
    const { page, elementsRead } = await pageOf25(2 * SIZE);
    expect([page.length, await page.hasNextPage()]).toEqual([2, true]);
    // Two lists are counted and read, plus one element that shows the third does not fit; EXPLAIN rounds rows per loop.
    expect(elementsRead).toBeLessThan(5 * SIZE);
  });

  it('returns the first record with its exact count, even if its list alone exceeds the limit', async () => {
    const { page } = await pageOf25(SIZE - 1);
    expect(JSON.parse(page.json)).toHaveLength(1);
    expect(JSON.parse(page.json)[0]).toMatchObject({ members_count: SIZE });
  });

  it('returns every record if their lists reach the limit exactly', async () => {
    const { page } = await pageOf25(25 * SIZE);
    expect([page.length, await page.hasNextPage()]).toEqual([25, false]);
  });
});
