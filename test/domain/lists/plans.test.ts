import type pg from 'pg';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Caller } from '../../../src/domain/core/context.ts';
import type { Scope } from '../../../src/domain/core/scopes.ts';
import { listMembers } from '../../../src/domain/entities/member.ts';
import type { Statement } from '../../../src/store/sql.ts';
import type { Store } from '../../../src/store/store.ts';
import { watchedContext } from '../watched.ts';
import { createLargeOrganization } from './large-organization.ts';
import { planOf, rowsReadOf } from './query-plan.ts';

/** Enough that reading a tenth of them costs visibly more than reading a page. */
const MEMBERS = 2_000;

/** The number of members in a small department. */
const SMALL = 20;

/** A statement is prepared at its fifth run; PostgreSQL decides after five further ones whether to use a generic plan. */
const TRIES = 10;

describe.skipIf(!inject('databaseUrl'))('the query plans for members of a large organization', () => {
  const large = createLargeOrganization(MEMBERS);
  let pool: pg.Pool;
  let store: Store;
  let organization: Caller['organization'];
  let many: ReturnType<typeof large>['many'];
  let members: string[] = [];
  beforeAll(async () => {
    ({ pool, store, organization, members, many } = large());
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

  it('joins only the records of the page and the lookahead row in a search', async () => {
    const { context, ran } = watched();
    expect(await listMembers(context, { first: 10, search: 'First19' })).toHaveLength(10);
    const statement = ran.at(-1) as Statement;
    // A term that is rare among very many members is found through its index; the matches are then sorted.
    const nodes = await planOf(pool, statement, 'enable_indexscan');
    const joined = nodes.filter((node) => 'Join Type' in node);
    expect(joined.map((node) => node['Actual Rows'])).toEqual([11]);
  });

  it.each(['entry', 'name', 'updated_at'])(
    'reads only the links and the members of a small department in a page by %s',
    async (field) => {
      const [department = ''] = await many.departments(1, () => members.slice(-SMALL));
      await pool.query('VACUUM ANALYZE');
      const { context, ran } = watched('departments.view');
      const filter = { department_id: [department] };
      const { edges } = await listMembers(context, { first: 10, filter, order_by: { field, direction: 'asc' } });
      // The numbers in their names have equal length, and all were added at the same time.
      expect(edges.map(({ node }) => node.id)).toEqual(members.slice(-SMALL).slice(0, 10));
      // As if there were very many members and links, where these would be slow.
      const slow = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'];
      const nodes = await planOf(pool, ran.at(-1) as Statement, ...slow);
      expect(rowsReadOf(nodes, 'department_member')).toBe(SMALL);
      expect(rowsReadOf(nodes, 'member')).toBe(SMALL);
    },
  );
});
