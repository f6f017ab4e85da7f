import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import type { Caller } from '../../../src/domain/core/context.ts';
import { listMembers } from '../../../src/domain/entities/member.ts';
import type { Statement } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { manyOf } from '../../support/many.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import { watchedContext } from '../watched.ts';

/** Enough that a plan for a tenth of them looks dear beside one for a page. */
const MEMBERS = 2_000;

/** After five executions PostgreSQL decides whether it keeps a plan. */
const TRIES = 6;

describe.skipIf(!inject('databaseUrl'))('how PostgreSQL reads the members of a large organization', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  let pool: pg.Pool;
  let store: Store;
  let organization: Caller['organization'];
  beforeAll(async () => {
    pool = await databases.create();
    store = await openStore({ databaseUrl: databases.urlOf(pool), dataDirectory: '' });
    const country = 'US';
    const { id, name } = await createOrganization(store, { name: 'Large', country }, 'test');
    await manyOf({ store }, id).members(MEMBERS);
    await pool.query('ANALYZE');
    organization = { id, name, country };
  });
  afterAll(async () => {
    await store.close();
    await databases.drop();
  });

  const watched = () => watchedContext(store, organization, 'members.view');

  it.each([1, 25, 26, 60, 100])('keeps its plan for a page of %d, the first and the next', async (first) => {
    const { context, ran } = watched();
    const { endCursor } = await listMembers(context, { first });
    for (const after of [null, endCursor]) {
      for (let n = 0; n < TRIES; n++) await listMembers(context, { first, after });
      const [statement] = await store.db.rows<{ kept: boolean }>({
        text: 'SELECT generic_plans > 0 AS kept FROM pg_prepared_statements WHERE statement = $1',
        values: [ran.at(-1)?.text],
      });
      expect(statement).toEqual({ kept: true });
    }
  });

  it('writes only the records that a search shows, and the one that tells of more', async () => {
    const { context, ran } = watched();
    expect(await listMembers(context, { first: 10, search: 'First19' })).toHaveLength(10);
    const { text, values } = ran.at(-1) as Statement;
    const client = await pool.connect();
    // What is rare among very many is found by its own index, and then sorted.
    await client.query('SET enable_indexscan = off');
    const { rows } = await client.query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values });
    client.release(true);
    const joined = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => 'Join Type' in node);
    expect(joined.map((node) => node['Actual Rows'])).toEqual([11]);
  });
});

type PlanNode = { readonly 'Actual Rows': number; readonly Plans?: readonly PlanNode[] };

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
