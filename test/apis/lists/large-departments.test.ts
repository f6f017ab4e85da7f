import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

const SIZES = [3, 1, 201_000, 2];
/** The maximum number of member ids in one response. */
const MAX = 200_000;
/** The departments of each page. */
const PAGES = [[0, 1], [2], [3]];

interface Listed {
  readonly id: string;
  readonly count: number;
  readonly ids: readonly string[];
}

onOneStore((service) => {
  let organization: TestOrganization;
  let departments: string[];
  let everywhere: string;

  // Inserts only link rows: the lists never read the member rows, and creating 200,000 members would take minutes.
  beforeAll(async () => {
    organization = await service.organization();
    const many = manyOf(service, organization.id);
    [everywhere = ''] = await many.members(1);
    departments = await many.departments(SIZES.length);
    await service.store.db.transaction(async (transaction) => {
      await transaction.rows(sql`SET LOCAL session_replication_role = replica`);
      for (const [index, size] of SIZES.entries()) {
        await transaction.rows(sql`
          INSERT INTO department_member (organization_id, department_id, member_id, position)
          SELECT ${organization.id}, ${departments[index]},
            CASE n WHEN 1 THEN ${everywhere} ELSE 'mem_' || lpad(n::text, 26, '0') END, n
          FROM generate_series(1, ${size}::int) n`);
      }
    });
    await service.store.db.rows(sql`ANALYZE department_member`);
  }, 120_000);

  const rest = async (query: string): Promise<{ page: Listed[]; cursor: string | null; bytes: number }> => {
    const { json, text, status } = await organization.get(`/departments?${query}`);
    expect(status, text.slice(0, 300)).toBe(200);
    const page = json.data.map(({ id, member_ids, members_count }: Record<string, unknown>) => ({
      id,
      ids: member_ids,
      count: members_count,
    }));
    expect(json.pagination.has_more).toBe(json.pagination.next_cursor !== null);
    return { page, cursor: json.pagination.next_cursor, bytes: text.length };
  };

  function expectPage(page: readonly Listed[], indexes: readonly number[]): void {
    expect(page.map(({ id }) => id)).toEqual(indexes.map((index) => departments[index]));
    for (const [place, index] of indexes.entries()) {
      const { ids, count } = page[place] as Listed;
      expect(count).toBe(SIZES[index]);
      expect(ids).toHaveLength(Math.min(SIZES[index] as number, MAX));
      expect(ids[0]).toBe(everywhere);
    }
  }

  it('are paginated in REST by the number of member ids, complete on each page', async () => {
    let cursor: string | null = '';
    for (const indexes of PAGES) {
      const answer = await rest(`limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      expectPage(answer.page, indexes);
      expect(answer.bytes).toBeLessThan(8_000_000);
      cursor = answer.cursor;
    }
    expect(cursor).toBeNull();
  }, 60_000);

  it('are returned by id and for a member up to the maximum; more are query_too_complex', async () => {
    const ask = graphql(service.app, organization.key);
    const byId = (...indexes: number[]) =>
      ask(
        `{ nodes(ids: ${JSON.stringify(indexes.map((index) => departments[index]))}) { ... on Department { memberIds } } }`,
      );
    expect(
      (await byId(0, 1)).json.data.nodes.map(({ memberIds }: Record<string, string[]>) => memberIds?.length),
    ).toEqual([3, 1]);
    expect(new Set(codesIn(await byId(2, 0)))).toEqual(new Set(['query_too_complex']));
    const ofMember = (field: string) => ask(`{ member(id: "${everywhere}") { departments { ${field} } } }`);
    const refused = await ofMember('memberIds');
    expect(codesIn(refused)).toEqual(['query_too_complex']);
    expect(refused.json.errors[0].message).toMatch(/request fewer records, or leave out the lists/);
    expect((await ofMember('name')).json.data.member.departments).toHaveLength(SIZES.length);
  }, 60_000);

  it('are returned by id without their member ids, also beside another department with them', async () => {
    const ask = graphql(service.app, organization.key);
    const { json } = await ask(`{
      nodes(ids: ${JSON.stringify(departments)}) { ... on Department { name } }
      node(id: "${departments[0]}") { ... on Department { memberIds } }
    }`);
    expect(json.errors).toBeUndefined();
    expect(json.data.nodes.map(({ name }: { name: string }) => name)).toEqual(
      departments.map(() => expect.any(String)),
    );
    expect(json.data.node.memberIds).toHaveLength(SIZES[0] as number);
  }, 60_000);
});
