import { PrismaPg } from '@prisma/adapter-pg';
import { execute, isObjectType, parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import type { Caller, Context } from '../../src/domain/context.ts';
import { createKeyUsage } from '../../src/gate/key-usage.ts';
import { createLoaders } from '../../src/graphql/data/loaders.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { PrismaClient } from '../../src/store/generated/client.ts';
import { sql } from '../../src/store/sql.ts';
import { appOn, UNCOUNTED } from '../support/apps.ts';
import type { Answer } from '../support/client.ts';
import { person, times } from '../support/data.ts';
import { codesIn, errorsIn, graphql } from '../support/graphql.ts';
import { onEachStore, type TestOrganization } from '../support/service.ts';
import { statementsDuring } from '../support/statements.ts';

const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/** All that a viewer leads to. */
const FIELDS = `
  organization { id name country createdAt } keyName scopes expiresAt rateLimit
  key {
    id name scopes expiresAt createdAt firstUsedAt lastUsedAt
    usage { edges { cursor node { day units scopes { scope requests } } } ${PAGE_INFO} }
    auditEntries { edges { cursor node { id at api operation recordId result requestId } } ${PAGE_INFO} }
  }`;
const PLAIN = `{ viewer { ${FIELDS} } }`;
const WITH_FRAGMENT = `{ viewer { ...Whole } } fragment Whole on Viewer { ${FIELDS} }`;

/** What identifies the nodes of each list of a key. */
const LISTS = { usage: 'day', auditEntries: 'id' } as const;
type List = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as List[];

const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

onEachStore((service) => {
  /** Its requests leave no usage: tests say what there is. */
  let app: App;
  beforeAll(() => {
    app = appOn(service, { keyUsage: UNCOUNTED });
  });
  const organization = () => service.organization({ app });
  const ask = ({ key }: TestOrganization, query: string, variables?: Record<string, unknown>): Promise<Answer> =>
    graphql(app, key)(query, variables);

  /** Some days of usage, units and requests counted from `first`; two scopes each. */
  async function insertUsage(keyId: string, days: number, first = 1): Promise<void> {
    await service.store.db.rows(sql`
      INSERT INTO api_key_usage (api_key_id, day, units)
      SELECT ${keyId}, '2026-02-26'::date + n, n + ${first}::int FROM generate_series(0, ${days}::int - 1) n`);
    await service.store.db.rows(sql`
      INSERT INTO api_key_scope_usage (api_key_id, day, scope, requests)
      SELECT api_key_id, day, scope, units FROM api_key_usage, unnest('{tags.view,events.view}'::text[]) scope
      WHERE api_key_id = ${keyId}`);
  }

  async function insertAudit({ id, keyId }: TestOrganization, entries: number): Promise<void> {
    await service.store.db.rows(sql`
      INSERT INTO audit_entry (organization_id, api_key_id, door, operation, result)
      SELECT ${id}, ${keyId}, 'rest', 'createMember', 'ok' FROM generate_series(1, ${entries}::int)`);
  }

  async function withLists(rows: number): Promise<TestOrganization> {
    const own = await organization();
    await insertUsage(own.keyId, rows);
    await insertAudit(own, rows);
    return own;
  }

  async function pageOf(own: TestOrganization, list: List, args: Record<string, unknown>) {
    const { json } = await ask(
      own,
      `query ($first: Int, $after: String, $last: Int, $before: String) { viewer { keyName key {
        page: ${list}(first: $first, after: $after, last: $last, before: $before) {
          ...Page } } } } fragment Page on ${list === 'usage' ? 'ApiKeyUsage' : 'AuditEntry'}Connection {
            edges { cursor node { ${LISTS[list]} } } ${PAGE_INFO} }`,
      args,
    );
    const { keyName, key } = json.data.viewer;
    expect(keyName).toBe('Test');
    const edges: { cursor: string; node: Record<string, string> }[] = key.page?.edges ?? [];
    return {
      ids: edges.map(({ node }) => node[LISTS[list]] as string),
      cursors: edges.map(({ cursor }) => cursor),
      pageInfo: key.page?.pageInfo,
      errors: json.errors && errorsIn({ json } as Answer),
      details: json.errors?.[0].extensions.details,
    };
  }

  it('leads to the organization, the key, its usage by day and scope, and its audit entries', async () => {
    const own = await organization();
    await insertUsage(own.keyId, 3);
    const created = await own.post('/prayer-requests', { description: 'Rain' });
    const viewer = (await ask(own, WITH_FRAGMENT)).json.data.viewer;
    expect(viewer).toEqual({
      organization: { id: own.id, name: 'Test organization', country: 'US', createdAt: MOMENT },
      ...{ keyName: 'Test', scopes: expect.arrayContaining(['tags.view']), expiresAt: null, rateLimit: 1_000_000 },
      key: {
        ...{ id: own.keyId, name: 'Test', scopes: viewer.scopes, expiresAt: null, createdAt: MOMENT },
        ...{ firstUsedAt: null, lastUsedAt: null },
        usage: {
          edges: ['2026-02-28', '2026-02-27', '2026-02-26'].map((day, index) => ({
            cursor: expect.stringMatching(/^[\w-]{32}$/),
            node: {
              ...{ day, units: 3 - index },
              scopes: ['events.view', 'tags.view'].map((scope) => ({ scope, requests: 3 - index })),
            },
          })),
          pageInfo: expect.objectContaining({ hasNextPage: false, hasPreviousPage: false }),
        },
        auditEntries: {
          edges: [
            {
              cursor: viewer.key.auditEntries.pageInfo.endCursor,
              node: {
                ...{ id: expect.stringMatching(/^\d+$/), at: MOMENT, api: 'rest', operation: 'submitPrayerRequest' },
                ...{ recordId: created.json.data.id, result: 'ok', requestId: created.headers.get('X-Request-Id') },
              },
            },
          ],
          pageInfo: expect.objectContaining({ hasNextPage: false, hasPreviousPage: false }),
        },
      },
    });
    expect((await ask(own, PLAIN)).json.data.viewer).toEqual(viewer);
  });

  it('shows when the key expires, and when it was used', async () => {
    const own = await organization();
    const [created, first, last, end] = [1, 2, 3, 4].map((day) => `2036-01-0${day}T05:06:07.089Z`);
    await service.store.db.rows(sql`
      UPDATE api_key SET created_at = ${created}::timestamptz, first_used_at = ${first}::timestamptz,
        last_used_at = ${last}::timestamptz, expires_at = ${end}::timestamptz WHERE id = ${own.keyId}`);
    const { json } = await ask(own, '{ viewer { expiresAt key { expiresAt createdAt firstUsedAt lastUsedAt } } }');
    expect(json.data.viewer).toEqual({
      expiresAt: end,
      key: { expiresAt: end, createdAt: created, firstUsedAt: first, lastUsedAt: last },
    });
  });

  it('counts the requests of REST and GraphQL by scope', async () => {
    const usage = createKeyUsage(service.store.db, () => {});
    const counting = appOn(service, { keyUsage: usage });
    const own = await service.organization({ app: counting });
    const request = graphql(counting, own.key);
    await own.get('/members');
    await own.get('/events');
    await request('{ a: members { edges { node { id tags { id } } } } b: members { edges { node { id } } } }');
    await usage.close();
    const { json } = await ask(own, WITH_FRAGMENT);
    expect(json.data.viewer.key.usage.edges.map(({ node }: { node: unknown }) => node)).toEqual([
      {
        ...{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), units: 5 },
        scopes: [
          { scope: 'events.view', requests: 1 },
          { scope: 'members.view', requests: 2 },
        ],
      },
    ]);
    expect(json.data.viewer.key).toMatchObject({ firstUsedAt: MOMENT, lastUsedAt: MOMENT });
  });

  it('shows the writes of both APIs, refused ones too, newest first', async () => {
    const own = await organization();
    const body = person();
    const { id } = (await own.post('/members', body)).json.data;
    await own.post('/members', body);
    const unknown = 'mem_00000000000000000000000000';
    await own.patch(`/members/${unknown}`, { first_name: 'Ada' });
    await ask(own, 'mutation { submitPrayerRequest(input: { description: "Rain" }) { prayerRequest { id } } }');
    const { json } = await ask(
      own,
      '{ viewer { key { auditEntries { edges { node { api operation result recordId } } } } } }',
    );
    const entries = json.data.viewer.key.auditEntries.edges.map(({ node }: { node: unknown }) => node);
    expect(entries).toEqual([
      { api: 'graphql', operation: 'submitPrayerRequest', result: 'ok', recordId: expect.stringMatching(/^pry_/) },
      { api: 'rest', operation: 'updateMember', result: 'not_found', recordId: unknown },
      { api: 'rest', operation: 'createMember', result: 'member_exists', recordId: null },
      { api: 'rest', operation: 'createMember', result: 'ok', recordId: id },
    ]);
  });

  describe('in statements', () => {
    const KEY_CHECK = /k\.hash = ANY/;
    let own: TestOrganization;
    beforeAll(async () => {
      own = await withLists(3);
    });

    it.each([
      ['without fragments', PLAIN],
      ['with a fragment', WITH_FRAGMENT],
    ])('reads all that it leads to in two beside the key check, %s', async (_name, query) => {
      const statements = await statementsDuring(() => ask(own, query));
      expect(statements.filter((text) => KEY_CHECK.test(text))).toHaveLength(1);
      const [key = '', audit = '', ...others] = statements.filter((text) => !KEY_CHECK.test(text));
      expect(others).toEqual([]);
      for (const table of ['api_key', 'organization', 'api_key_usage', 'api_key_scope_usage']) {
        expect(key).toContain(`"public"."${table}"`);
      }
      expect(audit).toContain('"public"."audit_entry"');
    });

    it('reads the organization and the key in one beside the key check', async () => {
      const query =
        '{ viewer { ...V } } fragment V on Viewer { organization { name } key { name usage { edges { cursor } } } }';
      expect(await statementsDuring(() => ask(own, query))).toHaveLength(2);
      expect(await statementsDuring(() => ask(own, '{ viewer { keyName } }'))).toHaveLength(2);
    });

    it('reads it in two by graphql-js alone, with and without a fragment', async () => {
      const { store } = service;
      const { name, scopes } = await store.prisma.apiKey.findUniqueOrThrow({ where: { id: own.keyId } });
      const caller: Caller = {
        ...{ keyId: own.keyId, keyName: name, scopes: new Set(scopes) as Caller['scopes'], expiresAt: null },
        organization: { id: own.id, name: 'Test organization', country: 'US' },
      };
      const domain: Context = {
        ...{ caller, confirmed: Promise.resolve(caller), db: store.db, cursorSecret: store.cursorSecret },
        origin: { door: 'graphql', requestId: 'test' },
      };
      const answered = (await ask(own, WITH_FRAGMENT)).json.data;
      for (const query of [WITH_FRAGMENT, PLAIN]) {
        const context = {
          domain,
          loaders: createLoaders(domain),
          prisma: store.prisma,
          rateLimit: 1_000_000,
          writes: 0,
        };
        let result: unknown;
        const statements = await statementsDuring(async () => {
          result = await execute({ schema, document: parse(query), contextValue: context });
        });
        expect(JSON.parse(JSON.stringify(result))).toEqual({ data: answered });
        expect(statements).toHaveLength(2);
      }
    });

    it('asks for the organization in each, and for no secret', async () => {
      const statements = await statementsDuring(() => ask(own, WITH_FRAGMENT));
      for (const text of statements.filter((text) => !KEY_CHECK.test(text))) {
        expect(text).toMatch(/WHERE .*"t0"\."organization_id" = \$\d/);
        expect(text).not.toMatch(/hash|prefix|created_by/);
      }
    });
  });

  describe.each(LIST_NAMES)('pages %s', (list) => {
    const ROWS = 4;
    let own: TestOrganization;
    let all: Awaited<ReturnType<typeof pageOf>>;
    beforeAll(async () => {
      own = await withLists(ROWS);
      all = await pageOf(own, list, {});
    });

    /** What a list in memory would show. */
    function expected({ first, after, last, before }: Record<string, number | null>) {
      const [start, end] = [after == null ? 0 : after + 1, before ?? ROWS];
      const between = all.ids.map((_, index) => index).filter((index) => index >= start && index < end);
      const shown = last == null ? between.slice(0, first ?? 25) : between.slice(-last);
      return {
        ids: shown.map((index) => all.ids[index]),
        cursors: shown.map((index) => all.cursors[index]),
        pageInfo: {
          hasNextPage: before != null || (last == null && shown.length < between.length),
          hasPreviousPage: after != null || (last != null && shown.length < between.length),
          startCursor: all.cursors[shown.at(0) ?? ROWS] ?? null,
          endCursor: all.cursors[shown.at(-1) ?? ROWS] ?? null,
        },
      };
    }

    it('newest first', () => {
      expect(all.ids).toHaveLength(ROWS);
      const places = all.ids.map((id) => id.padStart(20, '0'));
      expect(places).toEqual([...places].sort().reverse());
      expect(new Set(all.cursors).size).toBe(ROWS);
    });

    it.each(['first', 'last'])('by %s, between any two cursors, as a list in memory', async (direction) => {
      const places = [null, ...times(ROWS, (n) => n)];
      for (const size of [1, 2, ROWS, null]) {
        for (const after of places) {
          for (const before of places) {
            const cursorAt = (index: number | null) => (index === null ? null : all.cursors[index]);
            const page = await pageOf(own, list, {
              [direction]: size,
              after: cursorAt(after),
              before: cursorAt(before),
            });
            const { ids, cursors, pageInfo } = page;
            expect({ ids, cursors, pageInfo }).toEqual(expected({ [direction]: size, after, before }));
          }
        }
      }
    });

    it('of 25 unless told, and of at most 100', async () => {
      const many = await withLists(101);
      expect((await pageOf(many, list, {})).ids).toHaveLength(25);
      const largest = await pageOf(many, list, { first: 1_000 });
      expect(largest.ids).toHaveLength(100);
      expect(largest.pageInfo.hasNextPage).toBe(true);
      const rest = await pageOf(many, list, { first: 100, after: largest.pageInfo.endCursor });
      expect([rest.ids.length, rest.pageInfo.hasNextPage]).toEqual([1, false]);
      expect((await pageOf(many, list, { last: 100, before: rest.cursors[0] })).ids).toEqual(largest.ids);
    });

    it.each([
      ['first', { first: 0 }],
      ['last', { last: -1 }],
      ['last', { first: 1, last: 1 }],
    ])('and refuses a wrong %s for this list alone', async (field, args) => {
      const { errors, details } = await pageOf(own, list, args);
      expect(errors).toEqual([{ code: 'invalid_request', path: 'viewer.key.page' }]);
      expect(details).toEqual([{ field, message: expect.any(String) }]);
    });

    it('and refuses cursors that are forged or of other lists, keys and organizations', async () => {
      const otherList = LIST_NAMES.find((name) => name !== list) as List;
      const [sibling, stranger] = [await own.withScopes('events.view'), await withLists(2)];
      await insertUsage(sibling.keyId, 2);
      await insertAudit(sibling, 2);
      await own.post('/members', person());
      const members = await ask(own, '{ members(first: 1) { edges { cursor } } }');
      const foreign = [
        ...['', 'x', 'A'.repeat(32)],
        (await pageOf(own, otherList, {})).cursors[0],
        (await pageOf(sibling, list, {})).cursors[0],
        (await pageOf(stranger, list, {})).cursors[0],
        members.json.data.members.edges[0].cursor,
      ];
      for (const cursor of foreign) {
        for (const place of ['after', 'before']) {
          const { errors } = await pageOf(own, list, { [place]: cursor });
          expect([cursor, errors]).toEqual([cursor, [{ code: 'invalid_cursor', path: 'viewer.key.page' }]]);
        }
      }
    });
  });

  it('shows each caller its own, and nothing of other keys and organizations, however many ask at once', async () => {
    const [one, two] = await Promise.all([organization(), organization()]);
    const callers = [one, await one.withScopes('events.view'), two, await two.withScopes('tags.view')];
    for (const [index, caller] of callers.entries()) {
      await insertUsage(caller.keyId, 2, 100 * (index + 1));
      await insertAudit(caller, index + 1);
    }
    // What operators do has no key.
    await service.store.db.rows(sql`
      INSERT INTO audit_entry (organization_id, actor, door, operation, result)
      VALUES (${one.id}, 'cli:test', 'cli', 'createApiKey', 'ok')`);
    for (const query of [WITH_FRAGMENT, PLAIN]) {
      const answers = await Promise.all(callers.map(({ key }) => graphql(app, key)(query)));
      for (const [index, caller] of callers.entries()) {
        const { organization, key } = answers[index]?.json.data.viewer ?? {};
        expect([organization.id, key.id]).toEqual([caller.id, caller.keyId]);
        const units = key.usage.edges.map(({ node }: { node: { units: number } }) => node.units);
        expect(units).toEqual([100 * (index + 1) + 1, 100 * (index + 1)]);
        expect(key.auditEntries.edges).toHaveLength(index + 1);
      }
    }
  });

  it('gives a list under two names its own page each', async () => {
    const own = await withLists(3);
    const { json } = await ask(
      own,
      `{ viewer { key { ...K } } } fragment K on ApiKey {
        a: usage(first: 1) { edges { node { day } } } b: usage(last: 1) { edges { node { day scopes { scope } } } }
        c: auditEntries(first: 1) { edges { node { id } } } d: auditEntries(last: 2) { edges { node { id } } } }`,
    );
    const { a, b, c, d } = json.data.viewer.key;
    expect(a.edges).toEqual([{ node: { day: '2026-02-28' } }]);
    expect(b.edges).toEqual([
      { node: { day: '2026-02-26', scopes: [{ scope: 'events.view' }, { scope: 'tags.view' }] } },
    ]);
    expect([c.edges.length, d.edges.length]).toEqual([1, 2]);
  });

  it('shows counts that are larger than an Int as the largest Int', async () => {
    const own = await organization();
    await insertUsage(own.keyId, 1, 2 ** 31 - 1);
    await service.store.db.rows(sql`UPDATE api_key_usage SET units = units + 1 WHERE api_key_id = ${own.keyId}`);
    const { json } = await ask(own, WITH_FRAGMENT);
    const [{ node }] = json.data.viewer.key.usage.edges;
    expect(node.units).toBe(2 ** 31 - 1);
  });

  it('is unavailable while Prisma Client does not reach the store', async () => {
    const own = await organization();
    const prisma = new PrismaClient({ adapter: new PrismaPg('postgresql://root@127.0.0.1:1/none') });
    const cut = appOn({ store: { ...service.store, prisma } }, { keyUsage: UNCOUNTED });
    const answer = await graphql(cut, own.key)('{ viewer { keyName } events { edges { cursor } } }');
    expect(codesIn(answer)).toEqual(['unavailable']);
    expect(answer.text).not.toMatch(/prisma|127\.0\.0\.1|reach database/i);
  });

  it('shows no hash, prefix or key', async () => {
    const own = await withLists(1);
    const { hash, prefix } = await service.store.prisma.apiKey.findUniqueOrThrow({ where: { id: own.keyId } });
    const { text } = await ask(own, WITH_FRAGMENT);
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      expect(text).not.toContain(Buffer.from(hash).toString(encoding));
    }
    expect(text).not.toContain(own.key);
    expect(prefix).toBeTruthy();
    expect(text).not.toContain(prefix as string);
  });

  it('has no field for a secret anywhere in the schema', () => {
    const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
    );
    expect(fields.filter((field) => /hash|secret|prefix|password|token/i.test(field))).toEqual([]);
    expect(fields.filter((field) => field.startsWith('ApiKey.')).sort()).toEqual(
      ['auditEntries', 'createdAt', 'expiresAt', 'firstUsedAt', 'id', 'lastUsedAt', 'name', 'scopes', 'usage'].map(
        (field) => `ApiKey.${field}`,
      ),
    );
  });
});
