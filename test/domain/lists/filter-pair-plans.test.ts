import type pg from 'pg';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Caller } from '../../../src/domain/core/context.ts';
import { listMembers } from '../../../src/domain/entities/member.ts';
import type { Statement } from '../../../src/store/sql.ts';
import type { Store } from '../../../src/store/store.ts';
import { watchedContext } from '../watched.ts';
import { createLargeOrganization } from './large-organization.ts';
import { planOf, rowsReadOf } from './query-plan.ts';

const MEMBERS = 2_000;
const UPDATED = 100;
const UPDATED_SINCE = '2100-01-01T00:00:00Z';

describe.skipIf(!inject('databaseUrl'))('the query plans for a filter by departments with another filter', () => {
  const large = createLargeOrganization(MEMBERS);
  let pool: pg.Pool;
  let store: Store;
  let organization: Caller['organization'];
  let [members, departments]: [string[], string[]] = [[], []];
  beforeAll(async () => {
    ({ pool, store, organization, members } = large());
    departments = await large().many.departments(2, () => members);
    await pool.query('UPDATE member SET updated_at = $1 WHERE id = ANY ($2)', [UPDATED_SINCE, members.slice(-UPDATED)]);
    await pool.query('VACUUM (ANALYZE)');
  });

  const watched = () => watchedContext(store, organization, 'members.view', 'departments.view');

  it.each([1, 2])('reads only the members with a rare word, and their links to %d large departments', async (count) => {
    const { context, ran } = watched();
    const filter = { department_id: departments.slice(0, count) };
    const page = await listMembers(context, { first: 10, search: 'Last1999', filter });
    expect(page.edges.map(({ node }) => node.id)).toEqual([members.at(-1)]);
    expect(await page.count()).toEqual({ exact: 1, atLeast: 1 });
    const statements = ran.filter(({ text }) => text.includes('department_member'));
    expect(statements).toHaveLength(2);
    for (const statement of statements) {
      // As if there were very many members, where these would be slow.
      const nodes = await planOf(pool, statement, 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin');
      expect(rowsReadOf(nodes, 'member')).toBe(1);
      expect(rowsReadOf(nodes, 'department_member')).toBeLessThanOrEqual(count);
    }
  });

  it.each([
    [1, 'entry', UPDATED],
    [1, 'updated_at', 11],
    [2, 'updated_at', 11],
  ])('reads only recently updated members, of %d departments by %s', async (count, field, most) => {
    const { context, ran } = watched();
    const filter = { department_id: departments.slice(0, count), updated_since: UPDATED_SINCE };
    const { edges } = await listMembers(context, { first: 10, filter, order_by: { field, direction: 'asc' } });
    expect(edges.map(({ node }) => node.id)).toEqual(members.slice(-UPDATED, 10 - UPDATED));
    const nodes = await planOf(pool, ran.at(-1) as Statement, 'enable_seqscan', 'enable_bitmapscan');
    expect(rowsReadOf(nodes, 'member')).toBeLessThanOrEqual(most);
    if (field === 'updated_at') expect(rowsReadOf(nodes, 'department_member')).toBeLessThanOrEqual(count * most);
  });
});
