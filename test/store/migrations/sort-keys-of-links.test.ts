import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import { searchTextOf } from '../../../src/domain/values/search-text.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { manyOf } from '../../support/many.ts';
import { createDatabases } from '../../support/servers/databases.ts';
import { openTransactions } from '../../support/stores/open-transactions.ts';

const LINKS = ['member_tag', 'department_member'];

describe.skipIf(!inject('databaseUrl'))('the sort keys of links', () => {
  const databases = createDatabases(inject('databaseUrl') as string);
  let pool: pg.Pool;
  let store: Store;
  let organization: string;
  let [members, tags, departments]: [string[], string[], string[]] = [[], [], []];
  let transactions: ReturnType<typeof openTransactions>;

  beforeAll(async () => {
    pool = await databases.create();
    const databaseUrl = databases.urlOf(pool);
    transactions = openTransactions(databaseUrl);
    store = await openStore({ databaseUrl, dataDirectory: '' });
    organization = (await createOrganization(store, { name: 'Names', country: 'US' }, 'test')).id;
    const many = manyOf({ store }, organization);
    members = await many.members(3);
    tags = await many.tags(1, () => members.slice(0, 2));
    departments = await many.departments(1, () => members.slice(0, 2));
  });
  afterAll(async () => {
    await transactions.close();
    await store.close();
    await databases.drop();
  });

  const rename = (client: Pick<pg.Pool, 'query'>, id: string | undefined, last: string) =>
    client.query('UPDATE member SET last_name = $2, search_text = $3 WHERE id = $1', [
      ...[id, last, searchTextOf('First', last)],
    ] as never);
  const namesOf = async (table: string) =>
    (
      await pool.query<{ name: string; is_right: boolean }>(`
        SELECT link.member_name AS name, (link.member_name, link.member_updated_at) = (member_sort_name(m.search_text), m.updated_at) AS is_right
        FROM ${table} link JOIN member m ON m.organization_id = link.organization_id AND m.id = link.member_id
        ORDER BY m.position`)
    ).rows;
  const changesOf = async (resource: string) =>
    (await pool.query('SELECT * FROM record_change WHERE resource = $1 ORDER BY record_id', [resource])).rows;

  it('equal those of the members after a rename, which the change feed lists for the member only', async () => {
    const before = await changesOf('departments');
    // The first member is the head of the department, which shows the name.
    await rename(pool, members[1], 'Ørsted Núñez');
    for (const table of LINKS) {
      expect(await namesOf(table)).toEqual([
        { name: 'LAST0\u001fFIRST0', is_right: true },
        { name: 'ØRSTED NUNEZ\u001fFIRST', is_right: true },
      ]);
    }
    expect(await changesOf('departments')).toEqual(before);
  });

  it('equal those of the members after an update, which the change feed lists for the member only', async () => {
    const before = await changesOf('departments');
    await pool.query(`UPDATE member SET city = 'Springfield', updated_at = '2100-01-01' WHERE id = $1`, [members[0]]);
    for (const table of LINKS) expect((await namesOf(table)).map(({ is_right }) => is_right)).toEqual([true, true]);
    expect(await changesOf('departments')).toEqual(before);
  });

  it('do not hide other updates of links from the change feed', async () => {
    const before = await changesOf('departments');
    await pool.query('UPDATE department_member SET position = next_position() WHERE member_id = $1', [members[1]]);
    const after = await changesOf('departments');
    expect(after.map(({ record_id }) => record_id)).toEqual(before.map(({ record_id }) => record_id));
    expect(after).not.toEqual(before);
  });

  it.each(['the link', 'the new name'])('are correct if %s is committed last', async (last) => {
    const [linking, renaming] = [await transactions.begin(), await transactions.begin()];
    const link = () =>
      linking.client.query('INSERT INTO member_tag (organization_id, member_id, tag_id) VALUES ($1, $2, $3)', [
        organization,
        members[2],
        tags[0],
      ]);
    const [first, second] = last === 'the link' ? [renaming, linking] : [linking, renaming];
    const statements = [() => rename(renaming.client, members[2], `Renamed before ${last}`), link];
    if (last !== 'the link') statements.reverse();
    const [one, other] = statements as [() => Promise<unknown>, () => Promise<unknown>];
    await one();
    // Waits for the lock of the first transaction.
    const waiting = other();
    await first.end('COMMIT');
    await waiting;
    await second.end('COMMIT');
    expect((await namesOf('member_tag')).map(({ is_right }) => is_right)).toEqual([true, true, true]);
    await pool.query('DELETE FROM member_tag WHERE member_id = $1', [members[2]]);
  });

  it('are set for links of a copied database without sort keys', async () => {
    await pool.query(`INSERT INTO department_member (organization_id, department_id, member_id, member_position)
      SELECT organization_id, '${departments[0]}', id, position FROM member WHERE id = '${members[2]}'`);
    expect((await namesOf('department_member')).map(({ is_right }) => is_right)).toEqual([true, true, true]);
  });
});
