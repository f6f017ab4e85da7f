import type pg from 'pg';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Caller } from '../../../src/domain/core/context.ts';
import { listMembers } from '../../../src/domain/entities/member.ts';
import type { Statement } from '../../../src/store/sql.ts';
import type { Store } from '../../../src/store/store.ts';
import { watchedContext } from '../watched.ts';
import { createLargeOrganization } from './large-organization.ts';
import { planOf } from './query-plan.ts';

/** Double-precision numbers of this size are multiples of 1024. */
const LARGE = 2n ** 62n;

describe.skipIf(!inject('databaseUrl'))('recently updated members with very large positions', () => {
  const large = createLargeOrganization(1_000);
  let pool: pg.Pool;
  let store: Store;
  let organization: Caller['organization'];
  let updated: string[] = [];
  beforeAll(async () => {
    let members: string[];
    ({ pool, store, organization, members } = large());
    updated = members.slice(-500);
    await pool.query('UPDATE member SET position = position + $1', [LARGE]);
    await pool.query(`UPDATE member SET updated_at = '2100-01-01' WHERE id = ANY ($1)`, [updated]);
    await pool.query('VACUUM ANALYZE member');
  });

  it.each([
    ['asc', 'first', 'after'],
    ['desc', 'first', 'after'],
    ['asc', 'last', 'before'],
    ['desc', 'last', 'before'],
  ] as const)(
    'are listed in the order of entry, %s, with %s and %s',
    async (direction, sizeArgument, cursorArgument) => {
      const { context, ran } = watchedContext(store, organization, 'members.view');
      const filter = { updated_since: '2100-01-01T00:00:00Z' };
      const isForward = sizeArgument === 'first';
      const listed: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const order = { field: 'entry', direction };
        const page = await listMembers(context, {
          [sizeArgument]: 60,
          [cursorArgument]: cursor,
          filter,
          order_by: order,
        });
        const ids = page.edges.map(({ node }) => node.id);
        if (isForward) listed.push(...ids);
        else listed.unshift(...ids);
        const hasMore = await (isForward ? page.hasNextPage() : page.hasPreviousPage());
        cursor = hasMore ? (isForward ? page.endCursor : page.startCursor) : null;
      }
      expect(listed).toEqual(direction === 'asc' ? updated : updated.toReversed());
      // For the last pages, PostgreSQL can as well sort the few members that remain.
      const pages = ran.filter(({ text }) => text.includes('positions')).slice(0, 2);
      for (const page of pages as Statement[]) {
        const nodes = await planOf(pool, page);
        expect(nodes.map((node) => node['Index Name'])).toContain('member_updated_by_position_idx');
      }
    },
  );
});
