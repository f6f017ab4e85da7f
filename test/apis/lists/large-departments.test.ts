import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

const SIZES = [200_000, 3, 1, 201_000, 2];
/** The maximum number of member ids in one response. */
const MAX = 200_000;
/** The departments of each page. */
const PAGES = [[0], [1, 2], [3], [4]];

interface Listed {
  readonly id: string;
  readonly count: number;
  readonly ids: readonly string[];
}

onOneStore((service) => {
  let organization: TestOrganization;
  let departments: string[];
  let everywhere: string;

  // Inserts only link rows: the lists never read the member rows, and creating 400,000 members would take minutes.
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

  it('gets a department with too many members with the first of them and the exact count', async () => {
    const { status, json } = await organization.get(`/departments/${departments[3]}`);
    expect([status, json.data.member_ids.length, json.data.members_count]).toEqual([200, MAX, SIZES[3]]);
  });

  function expectPage(page: readonly Listed[], indexes: readonly number[]): void {
    expect(page.map(({ id }) => id)).toEqual(indexes.map((index) => departments[index]));
    for (const [place, index] of indexes.entries()) {
      const { ids, count } = page[place] as Listed;
      expect(count).toBe(SIZES[index]);
      expect(ids).toHaveLength(Math.min(SIZES[index] as number, MAX));
      expect(ids[0]).toBe(everywhere);
    }
  }

  it.each(['limit=100', 'limit=2', 'limit=25&q=department'])(
    'are paginated in REST by the number of member ids, complete on each page: %s',
    async (query) => {
      let cursor: string | null = '';
      for (const indexes of PAGES) {
        const answer = await rest(`${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        expectPage(answer.page, indexes);
        expect(answer.bytes).toBeLessThan(8_000_000);
        cursor = answer.cursor;
      }
      expect(cursor).toBeNull();
    },
    60_000,
  );

  it('are returned on one page if only their members are counted', async () => {
    const query = '{ departments(first: 100) { edges { node { membersCount } } } }';
    const { json } = await graphql(service.app, organization.key)(query);
    const counts = json.data.departments.edges.map(({ node }: { node: { membersCount: number } }) => node.membersCount);
    expect(counts).toEqual(SIZES);
  });

  it('are paginated equally in GraphQL, forwards and backwards', async () => {
    const ask = graphql(service.app, organization.key);
    const list = async (args: string) => {
      const { json } = await ask(
        `{ departments(${args}) { edges { node { id ids: memberIds count: membersCount } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      );
      const { edges, pageInfo } = json.data.departments;
      return { page: edges.map(({ node }: { node: Listed }) => node), pageInfo };
    };
    let after = '';
    for (const [index, indexes] of PAGES.entries()) {
      const { page, pageInfo } = await list(`first: 100${after}`);
      expectPage(page, indexes);
      expect(pageInfo.hasNextPage).toBe(index < PAGES.length - 1);
      after = `, after: "${pageInfo.endCursor}"`;
    }
    const last = await list('last: 100');
    expectPage(last.page, [4]);
    expect(last.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    expectPage((await list(`last: 100, before: "${last.pageInfo.startCursor}"`)).page, [3]);
  }, 60_000);

  it('are all returned in GraphQL if their member ids are not selected', async () => {
    const { json } = await graphql(service.app, organization.key)('{ departments { edges { node { id name } } } }');
    expect(json.data.departments.edges).toHaveLength(SIZES.length);
  });

  it('are returned by id and for a member up to the maximum; more are query_too_complex', async () => {
    const ask = graphql(service.app, organization.key);
    const byId = (...indexes: number[]) =>
      ask(
        `{ nodes(ids: ${JSON.stringify(indexes.map((index) => departments[index]))}) { ... on Department { memberIds } } }`,
      );
    expect(
      (await byId(1, 2)).json.data.nodes.map(({ memberIds }: Record<string, string[]>) => memberIds?.length),
    ).toEqual([3, 1]);
    expect(new Set(codesIn(await byId(0, 1)))).toEqual(new Set(['query_too_complex']));
    const ofMember = (field: string) => ask(`{ member(id: "${everywhere}") { departments { ${field} } } }`);
    const refused = await ofMember('memberIds');
    expect(codesIn(refused)).toEqual(['query_too_complex']);
    expect(refused.json.errors[0].message).toMatch(/request fewer records, or leave out the lists/);
    expect((await ofMember('name')).json.data.member.departments).toHaveLength(SIZES.length);
  }, 60_000);

  it('are returned by id whatever their size if their member ids are not selected', async () => {
    const [large, other] = [departments[0], departments[3]];
    const { json } = await graphql(
      service.app,
      organization.key,
    )(`{
      nodes(ids: ["${large}", "${other}"]) { ... on Department { name membersCount } }
      named: node(id: "${other}") { ... on Department { name } }
    }`);
    expect(json.errors).toBeUndefined();
    expect(json.data.nodes.map(({ membersCount }: Record<string, number>) => membersCount)).toEqual([200_000, 201_000]);
    expect(json.data.named.name).toBe('Department 3');
  });

  it('are returned by id with the member ids that REST returns, beside another without', async () => {
    const [large, other] = [departments[3], departments[0]];
    const { json } = await graphql(
      service.app,
      organization.key,
    )(`{
      node(id: "${large}") { ... on Department { memberIds membersCount } }
      other: node(id: "${other}") { ... on Department { name } }
    }`);
    expect(json.errors).toBeUndefined();
    expect(json.data.node.memberIds).toHaveLength(MAX);
    expect([json.data.node.memberIds[0], json.data.node.membersCount]).toEqual([everywhere, 201_000]);
    expect(json.data.other.name).toBe('Department 0');
  }, 60_000);

  it('are returned with all member ids beside fields that PostgreSQL does not serialize', async () => {
    const { json } = await graphql(
      service.app,
      organization.key,
    )('{ departments(first: 1) { edges { node { memberIds headOfDepartment { id } } } } }');
    expect(json.errors).toBeUndefined();
    expect(json.data.departments.edges[0].node.memberIds).toHaveLength(SIZES[0] as number);
  }, 60_000);

  it('are too complex if their ids exceed the maximum length of a response', async () => {
    const { status, json } = await graphql(
      service.app,
      organization.key,
    )('{ departments(first: 1) { edges { node { memberIds again: memberIds } } } }');
    expect([status, json.errors[0].extensions.code]).toEqual([400, 'query_too_complex']);
    expect(json.errors[0].message).toMatch(/larger than 8000000 characters/);
  }, 60_000);
});
