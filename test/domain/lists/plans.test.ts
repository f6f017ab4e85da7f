import type pg from 'pg';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Caller } from '../../../src/domain/core/context.ts';
import type { Scope } from '../../../src/domain/core/scopes.ts';
import { encodeCursors } from '../../../src/domain/cursors/cursor.ts';
import { listMembers } from '../../../src/domain/entities/member.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import type { Statement } from '../../../src/store/sql.ts';
import type { Store } from '../../../src/store/store.ts';
import { watchedContext } from '../watched.ts';
import { createLargeOrganization } from './large-organization.ts';
import { genericPlanOf, planOf, rowsReadOf } from './query-plan.ts';

/** Enough that reading a tenth of them costs visibly more than reading a page. */
const MEMBERS = 2_000;

/** The number of recently added members in a department. */
const RECENT = 200;

/** A statement is prepared at its fifth run; PostgreSQL decides after five further ones whether to use a generic plan. */
const TRIES = 10;

describe.skipIf(!inject('databaseUrl'))('the query plans for members of a large organization', () => {
  const large = createLargeOrganization(MEMBERS);
  let pool: pg.Pool;
  let store: Store;
  let organization: Caller['organization'];
  let many: ReturnType<typeof large>['many'];
  let [members, departments, recent]: [string[], string[], string[]] = [[], [], []];
  beforeAll(async () => {
    ({ pool, store, organization, members, many } = large());
    recent = members.slice(-RECENT);
    departments = await many.departments(2, (n) => members.slice(MEMBERS - RECENT * (n + 1)));
    await pool.query('ANALYZE');
  });

  /** Whether a connection of the store has a generic plan for a statement. */
  async function hasGenericPlan(statement: Statement | undefined): Promise<boolean | undefined> {
    const [prepared] = await store.db.rows<{ kept: boolean }>({
      text: 'SELECT generic_plans > 0 AS kept FROM pg_prepared_statements WHERE statement = $1',
      values: [statement?.text],
    });
    return prepared?.kept;
  }

  const watched = (...scopes: Scope[]) => watchedContext(store, organization, 'members.view', ...scopes);

  it.each([1, 25, 26, 60, 100])('uses a generic plan for a page of %d, the first and the next', async (first) => {
    const { context, ran } = watched();
    const { endCursor } = await listMembers(context, { first });
    for (const after of [null, endCursor]) {
      for (let n = 0; n < TRIES; n++) await listMembers(context, { first, after });
      expect(await hasGenericPlan(ran.at(-1))).toBe(true);
    }
  });

  it.each(['entry', 'name', 'updated_at'])(
    'uses a generic plan for a filter by one department by %s, which reads only the members of the page',
    async (field) => {
      const [large, small] = await Promise.all([many.departments(1, () => members), many.departments(1, () => recent)]);
      await pool.query('ANALYZE');
      const { context, ran } = watched('departments.view');
      for (let n = 0; n < TRIES; n++) {
        const filter = { department_id: n % 2 === 0 ? large : small };
        await listMembers(context, { first: 25, filter, order_by: { field, direction: 'asc' } });
      }
      const statement = ran.at(-1) as Statement;
      expect(await hasGenericPlan(statement)).toBe(true);
      for (const { values } of ran) {
        const nodes = await genericPlanOf(pool, { text: statement.text, values });
        expect(rowsReadOf(nodes, 'department_member')).toBeLessThanOrEqual(26);
        expect(rowsReadOf(nodes, 'member')).toBeLessThanOrEqual(26);
      }
    },
  );

  it('joins only the records of the page and the lookahead row in a search', async () => {
    const { context, ran } = watched();
    expect(await listMembers(context, { first: 10, search: 'First19' })).toHaveLength(10);
    const statement = ran.at(-1) as Statement;
    // A term that is rare among very many members is found through its index; the matches are then sorted.
    const nodes = await planOf(pool, statement, 'enable_indexscan');
    const joined = nodes.filter((node) => 'Join Type' in node);
    expect(joined.map((node) => node['Actual Rows'])).toEqual([11]);
  });

  it.each([
    ['a department', 1, { first: 10 }, MEMBERS - RECENT],
    ['two departments', 2, { first: 10 }, MEMBERS - 2 * RECENT],
    ['two departments, from the end', 2, { last: 10 }, MEMBERS - 10],
  ])('reads only the members of the page for a filter by %s with recent members', async (_, count, page, from) => {
    const { context, ran } = watched('departments.view');
    const filter = { department_id: departments.slice(0, count) };
    const { edges } = await listMembers(context, { ...page, filter });
    expect(edges.map(({ node }) => node.id)).toEqual(members.slice(from, from + 10));
    const statement = ran.at(-1) as Statement;
    // As if there were very many members, where sorting would be slow.
    const nodes = await planOf(pool, statement, 'enable_sort', 'enable_hashjoin', 'enable_bitmapscan');
    const read = nodes.filter((node) => node['Relation Name'] === 'member');
    expect(read.map((node) => node['Actual Rows'] * node['Actual Loops'])).toEqual([11]);
  });

  it.each([
    ['name', 'a department', 1, { first: 10 }, 'asc'],
    ['name', 'a department, from the end', 1, { last: 10 }, 'asc'],
    ['name', 'two departments, descending', 2, { first: 10 }, 'desc'],
    ['updated_at', 'a department', 1, { first: 10 }, 'asc'],
    ['updated_at', 'a department, from the end', 1, { last: 10 }, 'asc'],
    ['updated_at', 'two departments, descending', 2, { first: 10 }, 'desc'],
  ] as const)(
    'reads only the members of the page by %s for a filter by %s',
    async (field, _, count, page, direction) => {
      const { context, ran } = watched('departments.view');
      const filter = { department_id: departments.slice(0, count) };
      const { edges } = await listMembers(context, { ...page, filter, order_by: { field, direction } });
      // The numbers in their names have equal length, and all were added at the same time.
      const sorted = members.slice(MEMBERS - RECENT * count);
      const isFromStart = direction === 'asc' && 'first' in page;
      expect(edges.map(({ node }) => node.id)).toEqual(
        isFromStart ? sorted.slice(0, 10) : 'last' in page ? sorted.slice(-10) : sorted.slice(-10).reverse(),
      );
      expect(ran.filter(({ text }) => text.includes('FROM'))).toHaveLength(1);
      const statement = ran.at(-1) as Statement;
      const nodes = await planOf(pool, statement, 'enable_hashjoin', 'enable_bitmapscan');
      const read = nodes.filter((node) => node['Relation Name'] === 'member');
      expect(read.map((node) => node['Actual Rows'] * node['Actual Loops'])).toEqual([11]);
    },
  );

  it.each([
    ['first', { first: 10 }, 0],
    ['last', { last: 10 }, RECENT / 2 - 10],
  ])('reads only the %s page of the recently updated members', async (_, page, from) => {
    const updated = members.slice(MEMBERS - RECENT / 2);
    await pool.query(`UPDATE member SET updated_at = '2100-01-01' WHERE id = ANY ($1)`, [updated]);
    await pool.query('VACUUM ANALYZE member');
    const { context, ran } = watched();
    const { edges } = await listMembers(context, { ...page, filter: { updated_since: '2100-01-01T00:00:00Z' } });
    expect(edges.map(({ node }) => node.id)).toEqual(updated.slice(from, from + 10));
    const statement = ran.at(-1) as Statement;
    const nodes = await planOf(pool, statement);
    expect(nodes.map((node) => node['Index Name'])).toContain('member_updated_by_position_idx');
    expect(rowsReadOf(nodes, 'member')).toBe(11);
  });

  it.each(['designation_id', 'updated_since'])(
    'reads only the members of the page by name for a filter by %s',
    async (name) => {
      const designation = newId('dsg');
      await pool.query(
        `INSERT INTO designation (organization_id, id, name, search_text) VALUES ($1, $2, 'Usher', 'USHER')`,
        [organization.id, designation],
      );
      // The numbers in their names have equal length.
      const updated = members.filter((_, n) => n >= 1_000 && n % 5 === 0);
      await pool.query(`UPDATE member SET designation_id = $1, updated_at = '2200-01-01' WHERE id = ANY ($2)`, [
        designation,
        updated,
      ]);
      const { context, ran } = watched();
      const filter = { [name]: name === 'designation_id' ? [designation] : '2200-01-01T00:00:00Z' };
      const order = { field: 'name', direction: 'desc' };
      const { edges } = await listMembers(context, { first: 10, filter, order_by: order });
      expect(edges.map(({ node }) => node.id)).toEqual(updated.slice(-10).reverse());
      const statement = ran.at(-1) as Statement;
      const nodes = await planOf(pool, statement, 'enable_sort', 'enable_bitmapscan');
      const [found] = nodes.filter((node) => node['Index Name'] === 'member_name_idx');
      expect(found).toMatchObject({ 'Actual Rows': 11 });
      expect(found).not.toHaveProperty('Rows Removed by Filter');
    },
  );

  it('sorts the recently updated members by name before it reads them', async () => {
    // The numbers in their names have equal length.
    const updated = members.slice(1_000, 1_020);
    await pool.query(`UPDATE member SET updated_at = '2250-01-01' WHERE id = ANY ($1)`, [updated]);
    await pool.query('VACUUM ANALYZE member');
    const { context, ran } = watched();
    const filter = { updated_since: '2250-01-01T00:00:00Z' };
    const { edges } = await listMembers(context, {
      first: 10,
      filter,
      order_by: { field: 'name', direction: 'desc' },
    });
    const nodes = await planOf(pool, ran.at(-1) as Statement);
    const scans = nodes.filter((node) => node['Relation Name'] === 'member');
    expect(scans.map((node) => [node['Node Type'], node['Actual Rows'] * node['Actual Loops']])).toEqual([
      ['Index Only Scan', updated.length],
      ['Index Scan', 11],
    ]);
    expect(edges.map(({ node }) => node.id)).toEqual(updated.slice(-10).reverse());
  });

  it('reads only the members of the page by last update for a filter by designation', async () => {
    const designation = newId('dsg');
    await pool.query(
      `INSERT INTO designation (organization_id, id, name, search_text) VALUES ($1, $2, 'Deacon', 'DEACON')`,
      [organization.id, designation],
    );
    await pool.query('UPDATE member SET designation_id = $1 WHERE id = ANY ($2)', [
      designation,
      members.filter((_, n) => n % 5 === 0),
    ]);
    await pool.query('VACUUM ANALYZE member');
    const { context, ran } = watched();
    await listMembers(context, {
      first: 10,
      filter: { designation_id: [designation] },
      order_by: { field: 'updated_at', direction: 'desc' },
    });
    const nodes = await planOf(pool, ran.at(-1) as Statement, 'enable_sort', 'enable_bitmapscan');
    const [found] = nodes.filter((node) => node['Index Name'] === 'member_updated_at_idx');
    expect(found).toMatchObject({ 'Actual Rows': 11 });
    expect(found).not.toHaveProperty('Rows Removed by Filter');
  });

  it('reads each linked member once if PostgreSQL underestimates how many were updated', async () => {
    const linked = members.slice(MEMBERS - 2 * RECENT);
    // Without ANALYZE, PostgreSQL assumes that no member was updated this recently.
    await pool.query('ALTER TABLE member SET (autovacuum_enabled = false)');
    await pool.query(`UPDATE member SET updated_at = '2300-01-01' WHERE id = ANY ($1)`, [linked]);
    const { context, ran } = watched('departments.view');
    const filter = { department_id: departments, updated_since: '2300-01-01T00:00:00Z' };
    const page = await listMembers(context, {
      first: 10,
      filter,
      order_by: { field: 'updated_at', direction: 'desc' },
    });
    expect(await page.count()).toEqual({ exact: linked.length, atLeast: linked.length });
    const statements = ran.filter(({ text }) => text.includes('department_member'));
    expect(statements).toHaveLength(2);
    for (const statement of statements) {
      const nodes = await planOf(pool, statement, 'enable_hashjoin');
      const read = nodes.map(
        (node) => (node['Actual Rows'] + (node['Rows Removed by Join Filter'] ?? 0)) * node['Actual Loops'],
      );
      // The first department has half of the members of the second.
      expect(Math.max(...read)).toBeLessThanOrEqual(RECENT + linked.length);
    }
  });

  it('reads at most a page of unseen rows, however many unseen positions a cursor contains', async () => {
    const { context, ran } = watched('departments.view');
    const filter = { department_id: departments };
    const { rows } = await pool.query<{ first: string; last: string }>(
      'SELECT min(position) AS first, max(position) AS last FROM department_member',
    );
    const [{ first, last } = { first: 0, last: 0 }] = rows;
    const range = { from: BigInt(first), to: BigInt(last) + 1n };
    const [after] = encodeCursors(
      context.cursorSecret,
      {
        organizationId: organization.id,
        list: 'members',
        search: undefined,
        filterAndOrder: JSON.stringify([Object.entries(filter), 'entry', false]),
      },
      [{ keys: [], position: BigInt(Number.MAX_SAFE_INTEGER), unseen: { ranges: [range], horizon: range.to } }],
    );
    const { edges } = await listMembers(context, { first: 10, filter, after });
    const recent = departments.flatMap((_, n) => members.slice(MEMBERS - RECENT * (n + 1)));
    expect(edges.map(({ node }) => node.id)).toEqual(recent.slice(0, 10));
    const statement = ran.at(-1) as Statement;
    const nodes = await planOf(pool, statement, 'enable_sort', 'enable_hashjoin', 'enable_bitmapscan');
    const read = nodes.filter((node) => node['Relation Name'] === 'member');
    for (const node of read) expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(11);
  });
});
