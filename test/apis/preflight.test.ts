import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ALL_SCOPES, type Scope } from '../../src/domain/core/scopes.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { routes } from '../../src/rest/routes.ts';
import { generatedRequests } from '../graphql/reference/documents.ts';
import { referenceRecords } from '../graphql/reference/records.ts';
import type { Answer } from '../support/client.ts';
import { graphql } from '../support/graphql.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';

const PREFLIGHT = { Preflight: 'true' };
const DOCUMENTS = 500;
/** Errors that depend on records, so that a preflight cannot foresee them. */
const OF_RECORDS = ['not_found', 'member_exists', 'email_in_use', 'form_closed', 'org_limit_reached'];

const someScopes = fc.subarray([...ALL_SCOPES], { minLength: 1 });

/** Whether a payload lists errors: everything else in the payload of a refused mutation is null or empty. */
function listsUserErrors(payload: object | null | undefined): boolean {
  return Object.values(payload ?? {}).some((value) => Array.isArray(value) && value.length > 0);
}

/** The points that a request took: the keys here have a limit that none uses up. */
function spent(before: Answer, after: Answer): number {
  const remaining = ({ headers }: Answer) => Number(headers.get('X-RateLimit-Remaining'));
  return remaining(before) - remaining(after);
}

onOneStore((service) => {
  /** A key that is not limited to 120 preflights for a whole test: one for each 100 requests. */
  const keyOf = async (organization: TestOrganization, scopes: readonly Scope[]) => organization.withScopes(...scopes);

  it('foresees what 500 random REST requests are charged and refused with', async () => {
    const organization = await service.organization({ country: 'US' });
    const values = await referenceRecords(service, organization.id);
    const ids = (values.id ?? []).filter((text) => text.startsWith('"')).map((text) => JSON.parse(text) as string);
    const requests = fc.sample(randomRequests(ids), { numRuns: 500, seed: 7 });
    let key = organization;
    for (const [index, { method, path, body, scopes }] of requests.entries()) {
      if (index % 40 === 0) key = await keyOf(organization, scopes);
      const init =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
      const before = await key.get('/nothing');
      const foreseen = await key.request(method, path, { ...init, headers: { ...init.headers, ...PREFLIGHT } });
      const answer = await key.request(method, path, init);
      expect(foreseen.status, `${method} ${path}`).toBe(200);
      const { cost, refusal, scopes: stated, max_records: max } = foreseen.json.preflight;
      const { error = null, data } = answer.json;
      expect([path, cost]).toEqual([path, spent(before, answer)]);
      if (refusal || !OF_RECORDS.includes(error?.code)) expect([path, body, refusal]).toEqual([path, body, error]);
      expect(stated.missing.length > 0).toBe(refusal?.code === 'missing_scope');
      if (max !== null && data) expect([data].flat().length).toBeLessThanOrEqual(max);
    }
  }, 120_000);

  it(`foresees what ${DOCUMENTS} random GraphQL operations are charged and refused with`, async () => {
    const organization = await service.organization();
    const values = await referenceRecords(service, organization.id);
    const documents = fc.sample(generatedRequests(schema, values), { numRuns: DOCUMENTS, seed: 11 });
    const scopes = fc.sample(someScopes, { numRuns: 12, seed: 5 });
    let ask = graphql(service.app, organization.key);
    let refused = 0;
    for (const [index, [request]] of documents.entries()) {
      if (index % 50 === 0) {
        const key = await keyOf(organization, scopes[index / 50] as Scope[]);
        ask = graphql(service.app, key.key);
      }
      const foreseen = await ask.post(request, PREFLIGHT);
      const answer = await ask.post(request);
      expect(foreseen.status, request?.query).toBe(200);
      const { cost, refusals, scopes: stated } = foreseen.json.extensions.preflight;
      expect([request?.query, cost]).toEqual([request?.query, answer.json.extensions.rateLimit.cost]);
      const { errors = [], data } = answer.json;
      const actual = errors.map(comparable);
      const expected = refusals.map(comparable);
      refused += expected.length;
      // Everything that is foreseen happens, unless there is no record above it.
      for (const [n, one] of expected.entries()) {
        const { path = [] } = refusals[n];
        // A department may have no head; an error of a directive needs a record.
        if (/^headOf/.test(path.at(-1)) || one.endsWith('["if"]')) continue;
        // A payload lists what a person can resolve.
        if (path.length === 1 && listsUserErrors(data?.[path[0]])) continue;
        if (data == null || isReached(data, path.slice(0, -1))) expect([request?.query, ...actual]).toContainEqual(one);
      }
      // Everything that happens is foreseen, unless it depends on records.
      const unforeseen = actual.filter(
        (text: string) => !expected.includes(text) && !OF_RECORDS.some((code) => text.startsWith(`"${code}"`)),
      );
      expect([request?.query, request?.variables, unforeseen]).toEqual([request?.query, request?.variables, []]);
      const lacking = errors.flatMap(({ message }: Error) => /lacks the scope (\S+)/.exec(message)?.[1] ?? []);
      expect(stated.missing).toEqual(expect.arrayContaining(lacking));
      expect(stated.needed).toEqual(expect.arrayContaining(stated.missing));
    }
    expect(refused).toBeGreaterThan(100);
  }, 240_000);

  describe('a preflight', () => {
    const person = { first_name: 'A', last_name: 'B', email_address: 'preflight@example.org' };
    let organization: TestOrganization;
    beforeAll(async () => {
      organization = await service.organization();
    });

    it('validates an Idempotency-Key and input that depends on the organization', async () => {
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

    it('names all missing scopes, and the errors of an invalid document with their locations', async () => {
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

    it('tells the rate limit of the key, from which it takes nothing', async () => {
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
      // That of the response is the rate limit of preflights.
      expect(rateLimit.limit).toBe(120);
    });

    it('says which part REST cannot express', async () => {
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

    it('bounds the requests that many mutations with a large input become', async () => {
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

/** Code, path and invalid fields of an error, without the indexes of lists. */
function comparable({
  path = [],
  extensions,
}: {
  path?: (string | number)[];
  extensions: { code: string; details?: { field: string }[] };
}): string {
  const keys = path.filter((key) => typeof key === 'string');
  return [extensions.code, keys, (extensions.details ?? []).map(({ field }) => field)]
    .map((part) => JSON.stringify(part))
    .join(' ');
}

/** Whether the data has an object at a path, in any item of the lists on the way. */
function isReached(data: unknown, path: readonly string[]): boolean {
  if (Array.isArray(data)) return data.some((item) => isReached(item, path));
  if (typeof data !== 'object' || data === null) return false;
  const [key, ...rest] = path;
  return key === undefined || isReached((data as Record<string, unknown>)[key], rest);
}

/** Requests to every route with valid and invalid parameters and bodies. */
function randomRequests(ids: readonly string[]) {
  const id = fc.constantFrom(...ids, ...ids.map((one) => one.replace('form_', '')));
  const query = fc.dictionary(
    fc.constantFrom('limit', 'q', 'cursor', 'count', 'order_by', 'tag_id', 'is_guest', 'from', 'resources', 'search'),
    fc.oneof(
      id,
      fc.constantFrom('1', '5', '0', '-1', 'true', 'false', 'name', '-date', 'x', '2026-01-01', 'tags', 'members,tags'),
    ),
    { maxKeys: 3 },
  );
  const text = fc.constantFrom('A', '', null, 5, 'a@example.org', '+12025550123', 'no phone', ['tag_x'], {});
  const body = fc.dictionary(
    fc.constantFrom(
      'first_name',
      'last_name',
      'email_address',
      'phone_number',
      'description',
      'add',
      'remove',
      'answers',
      'tag_ids',
      'other',
    ),
    text,
    { maxKeys: 5 },
  );
  return fc
    .record({
      route: fc.constantFrom(...routes),
      ids: fc.array(id, { minLength: 2, maxLength: 2 }),
      query,
      body,
      scopes: someScopes,
      plain: fc.boolean(),
    })
    .map(({ route, ids, query, body, scopes, plain }) => {
      let next = 0;
      const path = route.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids[next++] as string));
      const search = plain ? '' : `?${new URLSearchParams(query)}`;
      return {
        method: route.method,
        path: `${path}${search}`,
        body: route.method === 'GET' ? undefined : body,
        scopes,
      };
    });
}

it('docs/preflight.md is linked from both API pages', () => {
  for (const page of ['docs/rest.md', 'docs/graphql.md'])
    expect(readFileSync(page, 'utf8')).toContain('(preflight.md)');
});
