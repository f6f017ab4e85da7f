import { beforeEach, expect, it } from 'vitest';
import { times } from '../support/data.ts';
import { codesIn, type GraphQLClient, graphql } from '../support/graphql.ts';
import { manyOf } from '../support/many.ts';
import { longestNormalized, SLOW_TO_NORMALIZE } from '../support/normalized.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';

onOneStore((service) => {
  let organization: TestOrganization;
  let ask: GraphQLClient;
  beforeEach(async () => {
    organization = await service.organization();
    ask = graphql(service.app, organization.key);
  });

  it.each([
    ['a search', 'query ($it: String!) { members(search: $it) { edges { cursor } } }'],
    ['an id', 'query ($it: ID!) { member(id: $it) { id } }'],
    ['the id of a node', 'query ($it: ID!) { node(id: $it) { id } }'],
    ['a cursor', 'query ($it: String!) { members(after: $it) { edges { cursor } } }'],
  ])('GraphQL rejects %s before normalizing it if that would take seconds', async (_, document) => {
    let codes: string[] = [];
    const longest = await longestNormalized(async () => {
      codes = codesIn(await ask(document, { it: SLOW_TO_NORMALIZE }));
    });
    expect(codes).toHaveLength(1);
    expect(['invalid_request', 'invalid_cursor', 'not_found']).toContain(codes[0]);
    // The document itself may be normalized.
    expect(longest).toBeLessThan(1_000);
  });

  it('both APIs return 25 records by default, and at most 100', async () => {
    await manyOf(service, organization.id).events(101);
    for (const [limit, size] of [
      ['', 25],
      ['limit=101', 100],
      [`limit=${'9'.repeat(400)}`, 100],
    ] as const) {
      const { data, pagination } = (await organization.get(`/events?${limit}`)).json;
      expect([data.length, pagination.has_more]).toEqual([size, true]);
    }
    for (const [first, size] of [
      [null, 25],
      [101, 100],
      [2_147_483_647, 100],
    ]) {
      const query = 'query ($first: Int) { events(first: $first) { nodes { id } pageInfo { hasNextPage } } }';
      const { nodes, pageInfo } = (await ask(query, { first })).json.data.events;
      expect([nodes.length, pageInfo.hasNextPage]).toEqual([size, true]);
    }
  });

  it('both APIs return the first 49 of many errors, and the number of the others', async () => {
    const unknown = Object.fromEntries(times(1_900, (n) => [`f${n}`, 1]));
    const rest = await organization.post('/prayer-requests', { description: 'Rain', ...unknown });
    const inGraphql = await ask.post({ query: '{ viewer { keyName } }', ...unknown });
    const more = { field: 'body', message: 'has 1851 more errors' };
    for (const { details } of [rest.json.error, inGraphql.json.errors[0].extensions]) {
      expect([details.length, details[0], details.at(-1)]).toEqual([
        50,
        { field: 'f0', message: expect.stringMatching(/^unknown field/) },
        more,
      ]);
    }
    expect(Math.max(rest.text.length, inGraphql.text.length)).toBeLessThan(6_000);
  });
});
