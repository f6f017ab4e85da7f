import { beforeAll, describe, expect, it } from 'vitest';
import { codesIn, type GraphQLClient, graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

const PREFLIGHT = { Preflight: 'true' };
const PAGE = '{ nodes { id } pageInfo { startCursor endCursor } }';

onOneStore((service) => {
  let organization: TestOrganization;
  let ask: GraphQLClient;
  let department: string;
  let form: number;

  beforeAll(async () => {
    organization = await service.organization();
    ask = graphql(service.app, organization.key);
    const many = manyOf(service, organization.id);
    const members = await many.members(3);
    [department = ''] = await many.departments(1, () => members);
    [form = 0] = await many.forms(1, 3);
  });

  const refusalsOf = async (query: string, variables: Record<string, unknown>) => {
    const { preflight } = (await ask(query, variables, PREFLIGHT)).json.extensions;
    return preflight.refusals.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
  };

  describe.each([
    ['a department', () => `department(id: "${department}")`, 'members', ['department', 'members']],
    ['departments', () => 'departments(first: 1)', 'nodes { members', ['departments', 'nodes', 0, 'members']],
    ['a form', () => `form(id: "${form}")`, 'responses', ['form', 'responses']],
  ])('a preflight of a page of %s', (_name, root, list, path) => {
    const query = (args: string) =>
      `query ($cursor: String) { ${root()} { ${list}(${args}) ${PAGE} ${list.includes('{') ? '}' : ''} } }`;
    const pageOf = async () => {
      const { data } = (await ask(query('first: 2, after: $cursor'), {})).json;
      return path.reduce((value, key) => value[key], data).pageInfo;
    };

    it('reports no error for a cursor of the list, in either direction', async () => {
      const { startCursor, endCursor } = await pageOf();
      for (const [args, cursor] of [
        ['first: 1, after: $cursor', startCursor],
        ['last: 1, before: $cursor', endCursor],
      ]) {
        expect(codesIn(await ask(query(args), { cursor }))).toEqual([]);
        expect(await refusalsOf(query(args), { cursor })).toEqual([]);
      }
    });

    it.each(['', 'x', 'x'.repeat(31), '!'.repeat(32)])('reports that %o is not a cursor', async (cursor) => {
      expect(codesIn(await ask(query('after: $cursor'), { cursor }))).toEqual(['invalid_cursor']);
      expect(await refusalsOf(query('after: $cursor'), { cursor })).toEqual(['invalid_cursor']);
    });
  });

  it('accepts the translation of a REST request with a cursor', async () => {
    const path = `/forms/${form}/responses?limit=1`;
    const cursor = (await organization.get(path)).json.pagination.next_cursor;
    const { refusal, graphql: translated } = (await organization.get(`${path}&cursor=${cursor}`, PREFLIGHT)).json
      .preflight;
    expect(refusal).toBeNull();
    expect(await refusalsOf(translated.query, translated.variables)).toEqual([]);
    const { rest } = (await ask(translated.query, translated.variables, PREFLIGHT)).json.extensions.preflight;
    expect(rest.requests.at(-1).path).toBe(`/v1${path}&cursor=${cursor}`);
  });

  it.each(['usage', 'auditEntries', 'recentRequests'])('reports a cursor of another list in %s', async (list) => {
    const cursor = (await ask('{ members(first: 1) { pageInfo { endCursor } } }')).json.data.members.pageInfo.endCursor;
    const query = `query ($cursor: String) { viewer { key { ${list}(after: $cursor) { edges { cursor } } } } }`;
    expect(await refusalsOf(query, { cursor })).toEqual(['invalid_cursor']);
  });
});
