import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphql } from '../../support/graphql.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { compareGraphQLPreflights, compareRestPreflights } from './compare.ts';

const PREFLIGHT = { Preflight: 'true' };
const REQUESTS = 250;

onOneStore((service) => {
  it.each(['REST', 'GraphQL'] as const)(
    `predicts cost, errors and records of ${REQUESTS} random requests to %s`,
    async (api) => {
      const { id } = await service.organization();
      const compare = api === 'REST' ? compareRestPreflights : compareGraphQLPreflights;
      const result = await compare(service, { organizationId: id, requests: REQUESTS, seed: 11 });
      expect(result).toEqual({ requests: REQUESTS, refused: expect.any(Number), difference: undefined });
      expect(result.refused).toBeGreaterThan(100);
    },
    240_000,
  );

  describe('a preflight', () => {
    const person = { first_name: 'A', last_name: 'B', email_address: 'preflight@example.org' };
    let organization: TestOrganization;
    beforeAll(async () => {
      organization = await service.organization();
    });

    it('validates the Idempotency-Key, and input that depends on the organization', async () => {
      const answers = [
        await organization.post('/members', person, { ...PREFLIGHT, 'Idempotency-Key': 'a b' }),
        await organization.post(
          '/members',
          { ...person, phone_number: 'none' },
          { ...PREFLIGHT, 'Idempotency-Key': 'a' },
        ),
      ];
      const fields = answers.map(({ json }) =>
        json.preflight.refusal.details.map(({ field }: { field: string }) => field),
      );
      expect(fields).toEqual([['Idempotency-Key'], ['phone_number']]);
    });

    it('lists all missing scopes, and the errors of an invalid document with their locations', async () => {
      const ask = graphql(service.app, (await organization.withScopes('events.view')).key);
      const { preflight } = (
        await ask(
          `{ forms { nodes { id responses { nodes { form { id } } } } } a: members(first: 0) { nodes { tags { id } } } }`,
          undefined,
          PREFLIGHT,
        )
      ).json.extensions;
      expect(preflight.scopes.missing).toEqual(['form_responses.view', 'forms.view', 'members.view', 'tags.view']);
      expect(preflight.refusals.map(({ path }: { path: string[] }) => path)).toEqual([['forms'], ['a']]);
      const invalid = (await ask('{ forms { nothing } }', undefined, PREFLIGHT)).json.extensions.preflight;
      expect(invalid).toMatchObject({ cost: 1, refusals: [{ locations: [{ line: 1, column: 11 }] }], rest: null });
    });

    it.each([
      ['{ members(first: 5) { nodes { id } } }', 5],
      ['{ members(first: 5) { nodes { id } edges { cursor node { id } } } }', 10],
      ['{ members(first: 5) { totalCount pageInfo { endCursor } edges { cursor } } }', 0],
      ['{ departments(first: 20) { nodes { headOfDepartment { id } members(first: 50) { nodes { id } } } } }', 1_040],
      ['{ forms(first: 2) { nodes { fields { id options { value } } responses { nodes { form { id } } } } } }', 102],
      ['{ nodes(ids: ["x", "y", "z"]) { id } node(id: "x") { id } }', 4],
      ['{ changes(first: 7) { nodes { id record { id } } } }', 14],
      ['{ viewer { key { name auditEntries(first: 4) { edges { node { operation } } } } } }', 4],
      [
        'mutation { createMember(input: { firstName: "A", lastName: "B", emailAddress: "a@b.example" }) { member { id } } }',
        1,
      ],
      ['{ members(first: 5) { nodes { tags { id } } } }', null],
      ['{ members(first: 5) { nodes { departments { name } } } }', null],
    ])('predicts the maximum records of %s: %j', async (query, maxRecords) => {
      const { preflight } = (await graphql(service.app, organization.key)(query, undefined, PREFLIGHT)).json.extensions;
      expect(preflight.maxRecords).toBe(maxRecords);
    });

    it('predicts one point for a count without the scope of the list, as the parameter is not read', async () => {
      const stranger = await organization.withScopes('events.view');
      const costs = async (headers = {}) => (await stranger.get('/members?count=true', headers)).json;
      expect((await costs(PREFLIGHT)).preflight.cost).toBe(1);
      const remaining = async () => (await stranger.get('/events', PREFLIGHT)).json.preflight.rate_limit.remaining;
      const before = await remaining();
      await costs();
      expect(before - (await remaining())).toBe(1);
    });

    it('returns the rate limit of the key without charging it', async () => {
      const ask = graphql(service.app, organization.key);
      const inRest = async () => (await organization.get('/tags', PREFLIGHT)).json.preflight.rate_limit;
      const inGraphQL = async () => (await ask('{ tags { nodes { id } } }', undefined, PREFLIGHT)).json.extensions;
      const before = await inRest();
      const charged = (await organization.get('/tags')).headers.get('X-RateLimit-Remaining');
      expect(before.remaining).toBe(Number(charged) + 1);
      expect(await inRest()).toMatchObject({ limit: before.limit, remaining: Number(charged) });
      const { preflight, rateLimit } = await inGraphQL();
      expect(preflight.rateLimit).toMatchObject({ limit: before.limit, remaining: Number(charged) });
      expect(Date.parse(preflight.rateLimit.resetAt)).toBeGreaterThan(Date.now() - 60_000);
      // The response headers report the rate limit of preflights.
      expect(rateLimit.limit).toBe(120);
    });

    it('reports the parts that REST cannot express', async () => {
      const ask = graphql(service.app, organization.key);
      const query = `query ($id: ID!) { ...Both viewer { keyName } __schema { queryType { name } } back: tags(last: 2) { nodes { id } } }
        fragment Both on Query { node(id: $id) { ... on Form { id responses(first: 2) { nodes { id form { id } } } } }
          m: members(first: 3, orderBy: { field: NAME, direction: DESC }, filter: { isGuest: false }) { totalCount edges { cursor node { id tags { id } } } } }`;
      const { rest } = (await ask(query, { id: 'form_7' }, PREFLIGHT)).json.extensions.preflight;
      expect(rest.requests.map(({ path }: { path: string }) => path)).toEqual([
        '/v1/forms/7',
        '/v1/forms/7/responses?limit=2',
        '/v1/members?limit=3&is_guest=false&order_by=-name&count=true',
      ]);
      const parts = rest.notExpressed.map(({ field }: { field: string[] }) => field.join('.'));
      expect(parts.sort()).toEqual([
        '__schema',
        'back',
        'm.edges.cursor',
        'm.edges.node.tags',
        'node.responses.nodes.form',
        'viewer',
      ]);
      for (const { message } of rest.notExpressed) expect(message).toMatch(/REST|GET/);
    });

    it('suggests the reverse order instead of a page from the end only for lists that have orders', async () => {
      const ask = graphql(service.app, organization.key);
      const query =
        '{ members(last: 1) { nodes { id } } tags(last: 1) { nodes { id } } form(id: "1") { responses(last: 1) { nodes { id } } } }';
      const { rest } = (await ask(query, {}, PREFLIGHT)).json.extensions.preflight;
      const noPages = 'REST has no pages from the end of a list (`last`, `before`)';
      expect(rest.notExpressed).toEqual([
        { field: ['members'], message: `${noPages}; \`order_by=-…\` reverses the order.` },
        { field: ['tags'], message: `${noPages}.` },
        { field: ['form', 'responses'], message: `${noPages}.` },
      ]);
      expect((await organization.get('/members?order_by=-entry')).status).toBe(200);
      expect((await organization.get('/tags?order_by=-entry')).status).toBe(400);
    });

    it('lists the requests for all records by id that REST can read by id alone, whatever their order', async () => {
      const ask = graphql(service.app, organization.key);
      const ids = ['form_7', 'frs_01j0000000000000000000000d', 'form_8'];
      for (const given of [ids, ids.toReversed()]) {
        const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
        const { rest } = (await ask(query, { ids: given }, PREFLIGHT)).json.extensions.preflight;
        const paths = rest.requests.map(({ path }: { path: string }) => path);
        expect(paths.sort()).toEqual(['/v1/forms/7', '/v1/forms/8']);
        expect(rest.notExpressed).toMatchObject([{ field: ['nodes'] }]);
      }
    });

    it('limits the total size of the REST requests for many mutations with large input', async () => {
      const fields = Array.from(
        { length: 55 },
        (_, n) => `m${n}: submitPrayerRequest(input: $input) { prayerRequest { id } }`,
      );
      const variables = { input: { description: 'x'.repeat(9_000) } };
      const { text, json } = await graphql(service.app, organization.key)(
        `mutation ($input: SubmitPrayerRequestInput!) { ${fields.join(' ')} }`,
        variables,
        PREFLIGHT,
      );
      const { cost, rest } = json.extensions.preflight;
      expect([cost, rest.requests.length + rest.notExpressed.length]).toEqual([55, 55]);
      expect(text.length).toBeLessThan(250_000);
    });
  });
});

it('docs/preflight.md is linked from both API pages', () => {
  for (const page of ['docs/rest.md', 'docs/graphql.md'])
    expect(readFileSync(page, 'utf8')).toContain('(preflight.md)');
});
