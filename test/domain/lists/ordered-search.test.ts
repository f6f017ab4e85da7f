import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import type { Caller } from '../../../src/domain/core/context.ts';
import { listMembers } from '../../../src/domain/entities/member.ts';
import { searchTextOf } from '../../../src/domain/values/search-text.ts';
import type { Statement } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { times } from '../../support/data.ts';
import { manyOf } from '../../support/many.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { watchedContext } from '../watched.ts';
import { planOf, rowsReadOf } from './query-plan.ts';

const MEMBERS = 2_000;
const BY_NAME = { field: 'name', direction: 'asc' };

onOneDatabase((service) => {
  let own: TestOrganization;
  beforeAll(async () => {
    own = await service.organization();
    await manyOf(service, own.id).members(MEMBERS);
    await service.store.db.rows({ text: 'ANALYZE member', values: [] });
  });

  it.each([
    ['many', '1'],
    ['few', '19'],
  ])('returns each of %s matches once, in the order of names', async (_, digits) => {
    const { context } = watchedContext(service.store, { ...own, country: 'US', timeZone: 'UTC' }, 'members.view');
    const namesFrom = async (after: string | null): Promise<string[]> => {
      const page = await listMembers(context, { first: 100, search: `first${digits}`, order_by: BY_NAME, after });
      const names = page.edges.map(({ node }) => node.last_name);
      return (await page.hasNextPage()) ? [...names, ...(await namesFrom(page.endCursor))] : names;
    };
    const matching = times(MEMBERS, String).filter((n) => n.startsWith(digits));
    expect(await namesFrom(null)).toEqual(matching.map((n) => `Last${n}`).sort());
  });
});

describe.skipIf(!inject('databaseUrl'))('the query plan for a search in the order of names', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  let pool: pg.Pool;
  let store: Store;
  let organization: Caller['organization'];
  let last: string[] = [];
  beforeAll(async () => {
    pool = await databases.create(inject('migratedDatabase'));
    store = await openStore({ databaseUrl: databases.urlOf(pool), dataDirectory: '' });
    const country = 'US';
    const { id } = await createOrganization(store, { name: 'Large', country }, 'test');
    last = (await manyOf({ store }, id).members(MEMBERS)).slice(-200);
    await pool.query(`UPDATE member SET last_name = 'Zulu', search_text = $1 WHERE id = ANY ($2)`, [
      searchTextOf('First', 'Zulu'),
      last,
    ]);
    await pool.query('VACUUM (ANALYZE)');
    organization = { id, country, timeZone: 'UTC' };
  });
  afterAll(async () => {
    await store.close();
    await databases.drop();
  });

  it('reads only the matches, though others come first and the page needs few of them', async () => {
    const { context, ran } = watchedContext(store, organization, 'members.view');
    const { edges } = await listMembers(context, { first: 10, search: 'zulu', order_by: BY_NAME });
    expect(edges.map(({ node }) => node.id)).toEqual(last.slice(0, 10));
    const nodes = await planOf(pool, ran.at(-1) as Statement, 'enable_seqscan');
    expect(rowsReadOf(nodes, 'member')).toBe(last.length);
  });
});
