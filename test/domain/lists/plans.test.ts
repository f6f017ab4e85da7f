import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import type { Context } from '../../../src/domain/core/context.ts';
import { listMembers, type Member } from '../../../src/domain/entities/member.ts';
import { ENTITIES } from '../../../src/domain/entities/registry.ts';
import { findTagsOfMembers } from '../../../src/domain/entities/tag.ts';
import type { Page } from '../../../src/domain/lists/page.ts';
import { listMembersOfDepartments } from '../../../src/domain/members/member-lists.ts';
import type { Statement } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { manyOf } from '../../support/many.ts';
import { createDatabases } from '../../support/servers/databases.ts';

/** Enough that reading a tenth of them costs visibly more than reading a page. */
const MEMBERS = 2_000;

/** The number of members in a small department. */
const SMALL = 20;

/** The number of members that a search finds at the end of a list. */
const MATCHES = 26;

/** A statement is prepared at its fifth run; PostgreSQL decides after five further ones whether to use a generic plan. */
const TRIES = 10;

/** A node of an executed query plan, under the names of PostgreSQL. */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A node of a plan and all nodes below it. */
const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** How many rows of a table a plan reads, including those that do not match. */
function rowsReadOf(nodes: readonly PlanNode[], table: string): number {
  return nodes
    .filter((node) => node['Relation Name'] === table)
    .reduce((sum, n) => sum + (n['Actual Rows'] + (n['Rows Removed by Filter'] ?? 0)) * n['Actual Loops'], 0);
}

describe.skipIf(!inject('databaseUrl'))('the query plans for members of a large organization', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  let pool: pg.Pool;
  let store: Store;
  let organizationId: string;
  let members: string[];
  beforeAll(async () => {
    pool = await databases.create(inject('migratedDatabase'));
    store = await openStore({ databaseUrl: databases.urlOf(pool), dataDirectory: '' });
    organizationId = (await createOrganization(store, { name: 'Large', country: 'US' }, 'test')).id;
    members = await manyOf({ store }, organizationId).members(MEMBERS);
    await pool.query('ANALYZE');
  });
  afterAll(async () => {
    await store.close();
    await databases.drop();
  });

  /** A context for operations, and the statements that it runs. */
  function watched(organization = organizationId) {
    const ran: Statement[] = [];
    const { db, appSecret } = store;
    const watch: (rows: typeof db.rows) => typeof db.rows = (rows) => (statement) => {
      ran.push(statement);
      return rows(statement);
    };
    const context: Context = {
      caller: {
        keyId: 'key',
        scopes: new Set(['members.view', 'departments.view', 'tags.view']),
        organization: { id: organization, country: 'US', timeZone: 'UTC' },
      },
      appSecret,
      apiRequest: { api: 'rest', requestId: 'test' },
      db: { ...db, rows: watch(db.rows), rowsUnprepared: watch(db.rowsUnprepared) },
    };
    /** Whether PostgreSQL keeps the plan of the statement that a read sends. */
    async function keepsPlanOf(read: () => Promise<unknown>): Promise<boolean> {
      for (let n = 0; n < TRIES; n++) await read();
      const [prepared] = await store.db.rows<{ kept: boolean }>({
        text: 'SELECT generic_plans > 0 AS kept FROM pg_prepared_statements WHERE statement = $1',
        values: [ran.at(-1)?.text],
      });
      return prepared?.kept ?? false;
    }
    return { context, ran, keepsPlanOf };
  }

  /** The nodes of a statement's plan, executed with the given plan types disabled. */
  async function planOf({ text, values }: Statement, ...disabled: readonly string[]): Promise<PlanNode[]> {
    const client = await pool.connect();
    for (const name of disabled) await client.query(`SET ${name} = off`);
    const { rows } = await client.query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values: [...values] });
    client.release(true);
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  }

  it.each([
    { first: 1 },
    { first: 25 },
    { first: 100 },
    { first: 3, search: 'First19' },
    { first: 3, search: '+1202', order_by: { field: 'name' } },
  ])('uses a generic plan for %j, the first page and the next', async (list) => {
    const { context, keepsPlanOf } = watched();
    const { endCursor } = await listMembers(context, list);
    for (const after of [null, endCursor])
      expect(await keepsPlanOf(() => listMembers(context, { ...list, after }))).toBe(true);
  });

  it('uses a generic plan for records by id and related records, if there is only one', async () => {
    const { context, keepsPlanOf } = watched();
    const [member] = members;
    expect(await keepsPlanOf(() => ENTITIES.members.find(context, [member]))).toBe(true);
    expect(await keepsPlanOf(() => findTagsOfMembers(context, [member]))).toBe(true);
    const page = { first: 10 };
    expect(await keepsPlanOf(() => listMembersOfDepartments(context, { ids: ['dep_1'], page }))).toBe(true);
  });

  it('joins only the records of the page and the lookahead row in a search', async () => {
    const { context, ran } = watched();
    expect(await listMembers(context, { first: 10, search: 'First19' })).toHaveLength(10);
    // A term that is rare among very many members is found through its index; the matches are then sorted.
    const nodes = await planOf(ran.at(-1) as Statement, 'enable_indexscan');
    const joined = nodes.filter((node) => 'Join Type' in node);
    expect(joined.map((node) => node['Actual Rows'])).toEqual([11]);
  });

  /** Ten page sizes of 26: how many members a search reads to estimate whether its word is frequent. */
  const SAMPLE = 260;

  /** How many members the statement of a search reads, as if there were very many. */
  async function membersReadBy(list: Parameters<typeof listMembers>[1]): Promise<number> {
    const { context, ran } = watched();
    await listMembers(context, list);
    const [statement] = ran as [Statement];
    return rowsReadOf(await planOf(statement, 'enable_seqscan', 'enable_sort'), 'member');
  }

  it.each(['entry', 'name'])(
    'reads a sample, and only as many members as fill the page, in a search for a frequent word, by %s',
    async (field) => {
      const read = await membersReadBy({ first: 10, search: 'First', order_by: { field, direction: 'asc' } });
      expect(read).toBe(SAMPLE + 11);
    },
  );

  it('reads a sample, and then finds all matches at once, in a search for a rare word', async () => {
    // Among so few members, PostgreSQL finds them without the index of searches: it reads each member once.
    expect(await membersReadBy({ first: 25, search: 'First1999' })).toBe(SAMPLE + MEMBERS);
  });

  it('reads no matches but those in the order of the list, if a search ends there', async () => {
    const { context } = watched();
    const before = await listMembers(context, { last: 15, search: 'First' });
    const read = await membersReadBy({ first: 25, search: 'First', after: before.startCursor });
    // The last 14 are read twice: the second time, PostgreSQL only counts them, to see that there are no others.
    expect(read).toBe(SAMPLE + 2 * 14);
  });

  it('finds all matches at once, if reading 100 times the page size does not fill the page with a frequent word', async () => {
    const organization = await createOrganization(store, { name: 'Larger', country: 'US' }, 'test');
    const inOrder = 100 * 26;
    const ids = await manyOf({ store }, organization.id).members(inOrder + MATCHES);
    // Members of the sample, but at the end of the list.
    const sample = new Set(ids.toSorted().slice(0, MATCHES));
    const matches = ids.filter((id) => sample.has(id));
    await pool.query(
      `UPDATE member SET search_text = search_text || ' ZEBRA', updated_at = updated_at + interval '1 day'
       WHERE id = ANY($1)`,
      [matches],
    );
    await pool.query('VACUUM ANALYZE member');
    const { context, ran } = watched(organization.id);
    const order_by = { field: 'updated_at', direction: 'asc' } as const;
    const page = await listMembers(context, { first: 25, search: 'zebra', order_by });
    expect(page.records.map(({ id }) => id)).toEqual(matches.slice(0, 25));
    const nodes = await planOf(ran[0] as Statement, 'enable_seqscan', 'enable_sort');
    expect(rowsReadOf(nodes, 'member')).toBe(SAMPLE + inOrder + (inOrder + 1) + MATCHES);
  });

  it.each([
    ['asc', 1],
    ['asc', 25],
    ['desc', 25],
  ] as const)('finds each match once, %s, %d on a page', async (direction, first) => {
    const { context } = watched();
    // Members 19, 190 to 199 and 1900 to 1999.
    const matches = members.filter((_, n) => String(n).startsWith('19'));
    const found: string[] = [];
    let after: string | null = null;
    do {
      const order_by = { field: 'entry', direction };
      const page: Page<Member> = await listMembers(context, { first, after, search: 'First19', order_by });
      found.push(...page.records.map(({ id }) => id));
      expect(await page.hasPreviousPage()).toBe(after !== null);
      after = (await page.hasNextPage()) ? page.endCursor : null;
    } while (after !== null);
    expect(found).toEqual(direction === 'asc' ? matches : matches.toReversed());
  });

  it.each(['entry', 'name', 'updated_at'])(
    'reads only the links and the members of a small department in a page by %s',
    async (field) => {
      const [department = ''] = await manyOf({ store }, organizationId).departments(1, () => members.slice(-SMALL));
      await pool.query('VACUUM ANALYZE');
      const { context, ran } = watched();
      const filter = { department_id: [department] };
      const { records } = await listMembers(context, { first: 10, filter, order_by: { field, direction: 'asc' } });
      // The numbers in their names have equal length, and all were added at the same time.
      expect(records.map(({ id }) => id)).toEqual(members.slice(-SMALL).slice(0, 10));
      // As if there were very many members and links, where these would be slow.
      const slow = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'];
      const nodes = await planOf(ran.at(-1) as Statement, ...slow);
      expect(rowsReadOf(nodes, 'department_member')).toBe(SMALL);
      expect(rowsReadOf(nodes, 'member')).toBe(SMALL);
    },
  );
});
