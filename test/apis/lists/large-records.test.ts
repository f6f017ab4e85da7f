import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { expectInvalid } from '../../support/contract.ts';
import { times } from '../../support/data.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';

/** The maximum size of the long values of a page. */
const MAX_BYTES = 1_000_000;
const ANSWERS = 500;
const ANSWER_BYTES = 100;
const RESPONSES = 90;
/** A response has about 55,000 bytes. */
const PER_PAGE = 18;

onOneDatabase((service) => {
  let organization: TestOrganization;
  let forms: readonly number[];
  let responses: readonly string[];

  beforeAll(async () => {
    organization = await service.organization();
    forms = await manyOf(service, organization.id).forms(20);
    const answers = JSON.stringify(Object.fromEntries(times(ANSWERS, (n) => [n + 1, 'x'.repeat(ANSWER_BYTES)])));
    const insert = (form: number, count: number, values: string) =>
      service.store.db.write<{ id: string }>(sql`
        INSERT INTO form_response (organization_id, id, form_id, answers)
        SELECT ${organization.id}, 'frs_' || lpad((${form}::int * 1000 + n)::text, 26, '0'), ${form}::int, ${values}::jsonb
        FROM generate_series(1, ${count}::int) n RETURNING id`);
    responses = (await insert(forms[0] as number, RESPONSES, answers)).map(({ id }) => id);
    for (const form of forms.slice(1)) await insert(form, 10, answers);
  });

  const page = async (query: string, form = forms[0]) => {
    const { json, text, status } = await organization.get(`/forms/${form}/responses?${query}`);
    expect(status, text.slice(0, 300)).toBe(200);
    expect(json.pagination.has_more).toBe(json.pagination.next_cursor !== null);
    return { ids: json.data.map(({ id }: { id: string }) => id), cursor: json.pagination.next_cursor, text, json };
  };

  it('are paginated by their size in REST, each exactly once', async () => {
    const found: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const answer = await page(`limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      expect(answer.text.length).toBeLessThan(1.1 * MAX_BYTES);
      found.push(...answer.ids);
      sizes.push(answer.ids.length);
      cursor = answer.cursor;
    }
    expect(found).toEqual(responses);
    expect(sizes).toEqual([PER_PAGE, PER_PAGE, PER_PAGE, PER_PAGE, PER_PAGE]);
  });

  it('are paginated in GraphQL, forwards and backwards', async () => {
    const ask = graphql(service.app, organization.key);
    const list = async (args: string, fields: string) => {
      const { json } = await ask(`{ node(id: "form_${forms[0]}") { ... on Form { responses(${args}) {
        nodes { id ${fields} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`);
      expect(json.errors).toBeUndefined();
      return json.data.node.responses;
    };
    const idsOf = ({ nodes }: { nodes: { id: string }[] }) => nodes.map(({ id }) => id);
    const first = await list('first: 90', 'answers { value }');
    const count = idsOf(first).length;
    expect(count).toBeLessThanOrEqual(PER_PAGE);
    expect(idsOf(first)).toEqual(responses.slice(0, count));
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const next = await list(`first: 90, after: "${first.pageInfo.endCursor}"`, 'answers { value }');
    expect(idsOf(next)[0]).toBe(responses[count]);
    const last = await list('last: 90', 'answers { value }');
    expect(idsOf(last)).toEqual(responses.slice(-count));
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(idsOf(await list('first: 90', 'submittedAt'))).toEqual(responses);
  });

  it('of several parents are together as large as one page, at least one of each parent', async () => {
    const ask = graphql(service.app, organization.key);
    const { json } = await ask(
      '{ forms(first: 20) { nodes { responses(first: 10) { nodes { id answers { value } } pageInfo { hasNextPage } } } } }',
    );
    expect(json.errors).toBeUndefined();
    const lists = json.data.forms.nodes.map(({ responses: { nodes, pageInfo } }: never) => [
      (nodes as unknown[]).length,
      pageInfo,
    ]);
    expect(lists).toEqual(times(20, () => [1, { hasNextPage: true }]));
  });

  it('are found by id up to the size of a response; more are query_too_complex', async () => {
    const { id: organizationId } = organization;
    const large = await service.store.db.write<{ id: string }>(sql`
      INSERT INTO form_response (organization_id, id, form_id, answers)
      SELECT ${organizationId}, 'frs_' || lpad((1000000 + n)::text, 26, '0'), ${forms[1]}::int,
        jsonb_build_object('1', repeat('x', 900000))
      FROM generate_series(1, 10) n RETURNING id`);
    const ask = graphql(service.app, organization.key);
    const byId = (count: number) =>
      ask(`{ nodes(ids: ${JSON.stringify(large.slice(0, count).map(({ id }) => id))}) {
        ... on FormResponse { answers { fieldId } } } }`);
    expect((await byId(8)).json.errors).toBeUndefined();
    expect(new Set(codesIn(await byId(10)))).toEqual(new Set(['query_too_complex']));
    expect((await organization.get(`/forms/${forms[1]}/responses/${large[0]?.id}`)).text.length).toBeGreaterThan(
      900_000,
    );
  });

  it('that each member of a page includes are invalid_request if the response would exceed 10 MB', async () => {
    const many = manyOf(service, organization.id);
    const members = await many.members(100);
    await many.tags(11, () => members);
    await service.store.db.rows(
      sql`UPDATE tag SET description = repeat('x', 10000) WHERE organization_id = ${organization.id}`,
    );
    expect((await organization.get('/members?include=tags&limit=50')).json.data[0].tags).toHaveLength(11);
    expectInvalid(await organization.get('/members?include=tags&limit=100'), 'include');
  });

  it('are paginated by their size in other lists too', async () => {
    const many = manyOf(service, organization.id);
    await many.events(30);
    await service.store.db.rows(sql`
      UPDATE event SET dates = (SELECT jsonb_agg(jsonb_build_object('date', '2026-01-01', 'start_time', '10:00', 'end_time', '11:00')) FROM generate_series(1, 1000))
      WHERE organization_id = ${organization.id}`);
    const { json, text } = await organization.get('/events?limit=100');
    expect(json.data.length).toBeGreaterThan(5);
    expect(text.length).toBeLessThan(1.1 * MAX_BYTES);
    expect(json.pagination.has_more).toBe(true);
    const next = await organization.get(`/events?limit=100&cursor=${encodeURIComponent(json.pagination.next_cursor)}`);
    expect(next.json.data.length).toBeGreaterThan(0);
  });
});
