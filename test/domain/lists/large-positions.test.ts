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
  ] as const)('are listed in the order of entry, %s, with %s and %s', async (direction, size, side) => {
    const { context, ran } = watchedContext(store, organization, 'members.view');
    const filter = { updated_since: '2100-01-01T00:00:00Z' };
    const walked: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const order = { field: 'entry', direction };
      const page = await listMembers(context, { [size]: 60, [side]: cursor, filter, order_by: order });
      const ids = page.edges.map(({ node }) => node.id);
      if (size === 'first') walked.push(...ids);
      else walked.unshift(...ids);
      const hasMore = await (size === 'first' ? page.hasNextPage() : page.hasPreviousPage());
      cursor = hasMore ? (size === 'first' ? page.endCursor : page.startCursor) : null;
    }
    expect(walked).toEqual(direction === 'asc' ? updated : updated.toReversed());
    const [firstPage] = ran.filter(({ text }) => text.includes('positions'));
    const nodes = await planOf(pool, firstPage as Statement);
    expect(nodes.map((node) => node['Index Name'])).toContain('member_entry_of_updated_idx');
  });
});
