import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import { takeNumbers } from '../../../src/domain/core/writes.ts';
import { sql } from '../../../src/store/sql.ts';
import { appOn } from '../../support/apps.ts';
import { expectError, expectInvalid } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';

const without = (scope: Scope) => ALL_SCOPES.filter((other) => other !== scope);

/** The error of a GraphQL operation. */
async function errorOf(ask: ReturnType<typeof graphql>, document: string) {
  const { json } = await ask(document);
  const [error] = json.errors;
  return { code: error.extensions.code, message: error.message, details: error.extensions.details };
}

onOneStore((service) => {
  describe('a filter', () => {
    it.each([
      ['tag_id', 'tagId', 'tags.view', 'tag_01j00000000000000000000001'],
      ['department_id', 'departmentId', 'departments.view', 'dep_01j00000000000000000000001'],
    ] as const)(
      '%s requires the scope of the filtered resource, even if it is invalid',
      async (name, field, scope, id) => {
        const organization = await service.organization({ scopes: without(scope) });
        for (const value of [id, `${id}&limit=0`, 'nonsense']) {
          expectError(await organization.get(`/members?${name}=${value}`), 403, 'missing_scope');
        }
        const ask = graphql(service.app, organization.key);
        const { code, message } = await errorOf(ask, `{ members(filter: { ${field}: "${id}" }) { nodes { id } } }`);
        expect([code, message]).toEqual(['missing_scope', expect.stringContaining(scope)]);
      },
    );

    it("by another organization's tag matches no member", async () => {
      const [own, other] = [await service.organization(), await service.organization()];
      const [memberId] = await manyOf(service, other.id).members(1);
      const [tagId] = await manyOf(service, other.id).tags(1, () => [memberId as string]);
      await own.post('/members', person());
      expect((await own.get(`/members?tag_id=${tagId}`)).json.data).toEqual([]);
      expect((await other.get(`/members?tag_id=${tagId}`)).json.data).toHaveLength(1);
    });

    it.each([
      [`tag_id=${times(51, () => 'tag_01j00000000000000000000001').join()}`, 'tag_id', 'must be 1 to 50 ids'],
      [`ids=${times(101, () => 'mem_01j00000000000000000000001').join()}`, 'ids', 'must be 1 to 100 ids'],
    ])('rejects ?%s', async (query, field, message) => {
      const organization = await service.organization();
      const answer = await organization.get(`/members?${query}`);
      expectInvalid(answer, field);
      expect(answer.json.error.details).toEqual([{ field, message }]);
    });

    it('is named as its input field in GraphQL errors', async () => {
      const organization = await service.organization();
      const ask = graphql(service.app, organization.key);
      const { code, details } = await errorOf(
        ask,
        '{ members(filter: { designationId: ["dsg_01j00000000000000000000001", "x"] }) { nodes { id } } }',
      );
      expect([code, details[0].field]).toEqual(['invalid_request', 'filter.designationId.1']);
    });
  });

  describe('a cursor', () => {
    it.each(['is_guest=false', 'order_by=name', 'order_by=-entry', 'order_by=updated_at&is_guest=false', ''])(
      'of ?%s is rejected with another filter or order',
      async (query) => {
        const organization = await service.organization();
        for (const _ of times(2, (n) => n)) await organization.post('/members', person());
        const { next_cursor } = (await organization.get(`/members?limit=1&${query}`)).json.pagination;
        expect((await organization.get(`/members?limit=1&${query}&cursor=${next_cursor}`)).json.data).toHaveLength(1);
        for (const other of ['order_by=-name', 'is_guest=true', 'is_guest=false&order_by=name']) {
          expectError(await organization.get(`/members?limit=1&${other}&cursor=${next_cursor}`), 400, 'invalid_cursor');
        }
      },
    );
  });

  describe('a count', () => {
    it('is exact up to 10,000 records, and null above', async () => {
      const organization = await service.organization();
      const countOf = async () => {
        const { json } = await graphql(service.app, organization.key)('{ events { totalCount } }');
        const { pagination } = (await organization.get('/events?count=true&limit=1')).json;
        expect(pagination.total_count).toBe(json.data.events.totalCount);
        return json.data.events;
      };
      await service.store.db.rows(sql`
        WITH numbers AS (${takeNumbers(organization.id, 10_000)})
        INSERT INTO event (organization_id, id, title, dates, search_text, position)
        SELECT ${organization.id}, 'evt_' || lpad(n::text, 26, '0'), n, '[]', n, previous_number + n
        FROM numbers, generate_series(1, 10000) n`);
      expect(await countOf()).toEqual({ totalCount: 10_000 });
      await recordsOf(service, organization.id).events(['One more']);
      expect(await countOf()).toEqual({ totalCount: null });
    });

    it('costs one more point in both APIs, and is absent unless requested', async () => {
      const app = appOn(service, { limit: 10 });
      const organization = await service.organization({ app });
      const remaining = async (path: string) => (await organization.get(path)).headers.get('x-ratelimit-remaining');
      expect([await remaining('/tags'), await remaining('/tags?count=true')]).toEqual(['9', '7']);
      expect((await organization.get('/tags?count=false')).json.pagination).toEqual({
        next_cursor: null,
        has_more: false,
      });
      const { json } = await graphql(app, organization.key)('{ tags { totalCount nodes { id } } }');
      expect(json.extensions.rateLimit.cost).toBe(2);
    });
  });
});
