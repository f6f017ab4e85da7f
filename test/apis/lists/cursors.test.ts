import { beforeAll, describe, expect, it } from 'vitest';
import { nameInSentence } from '../../../src/domain/definition/entity.ts';
import { ENTITIES, type EntityName } from '../../../src/domain/entities/registry.ts';
import { raw, sql } from '../../../src/store/sql.ts';
import { graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { expectPages } from '../../support/pages.ts';
import { onEmbeddedStore, onOneStore } from '../../support/service.ts';
import { snakeName } from '../equivalence/rest-bodies.ts';
import { LIST_NAMES, type List, listOf, listOn } from './lists.ts';

/** The length of every list here: three pages of two rows, and one more row. */
const ROWS = 7;

// Only on the embedded store: transactions of other tests would change the cursors.
onEmbeddedStore((service) => {
  it.each(LIST_NAMES)('%s returns the same rows and cursors in both APIs', async (name) => {
    const list = await listOf(service, name, ROWS);
    const whole = await list.graphql({});
    expect(whole.ids).toEqual((await list.rest({})).ids);
    expect(whole.ids).toHaveLength(ROWS);
    for (let limit = 1; limit < ROWS; limit += 1) {
      const page = await list.graphql({ first: limit });
      expect((await list.rest({ limit })).next).toBe(page.pageInfo.endCursor);
      expect(page.pageInfo.endCursor).toBe(whole.cursors[limit - 1]);
      expect(page.pageInfo.endCursor).toMatch(/^[\w-]{32}$/);
    }
  });
});

onOneStore((service) => {
  describe.each(LIST_NAMES)('on %s', (name) => {
    let list: List;
    beforeAll(async () => {
      list = await listOf(service, name, ROWS);
    });

    it('paginates forwards while alternating between the APIs', async () => {
      const { ids } = await list.rest({});
      for (const first of ['rest', 'graphql'] as const) expect(await walk(list, first)).toEqual(ids);
    });

    it('rejects a cursor of another organization', async () => {
      const { next } = await (await listOf(service, name, ROWS)).rest({ limit: 3 });
      for (const place of ['after', 'before']) {
        expect((await list.graphql({ [place]: next })).code).toBe('invalid_cursor');
      }
    });

    // The responses of a form cannot be searched.
    const itWithSearch = name === 'responses' ? () => {} : it;
    itWithSearch('rejects the cursor of another search', async () => {
      const { entity } = ENTITIES[snakeName(name) as EntityName];
      const search = name === 'members' ? 'last' : nameInSentence(entity);
      const { cursors, ids } = await list.graphql({ search });
      expect(ids).toHaveLength(ROWS);
      expect((await list.rest({ q: search, cursor: cursors[0] as string })).ids).toEqual(ids.slice(1));
      expect((await list.graphql({ search: search.toUpperCase(), after: cursors[0] })).code).toBe('invalid_cursor');
      expect((await list.graphql({ after: cursors[0] })).code).toBe('invalid_cursor');
      expect((await list.rest({ q: `${search} 1`, cursor: cursors[0] as string })).code).toBe('invalid_cursor');
    });
  });

  it('accepts in each list only its own cursors', async () => {
    const organization = await service.organization();
    const many = manyOf(service, organization.id);
    const [form] = await many.forms(2, 2);
    const lists = LIST_NAMES.map((name) => listOn(service, organization, name, form));
    const cursors: unknown[] = [];
    for (const [index, name] of LIST_NAMES.entries()) {
      if (name !== 'forms' && name !== 'responses') await many[name](2);
      cursors.push((await lists[index]?.graphql({ first: 1 }))?.cursors[0]);
    }
    for (const [index, list] of lists.entries()) {
      const codes = await Promise.all(cursors.map(async (after) => (await list.graphql({ after })).code));
      expect(codes).toEqual(cursors.map((_, other) => (other === index ? undefined : 'invalid_cursor')));
    }
  });

  // A root list and a nested one.
  describe.each(['members', 'responses'] as const)('pages of %s', (name) => {
    it('has the pages of a list in memory, forwards and backwards', async () => {
      await expectPages((await listOf(service, name, 3)).graphql);
    });

    it('continues after the position of a deleted row', async () => {
      const list = await listOf(service, name, ROWS);
      const { ids, cursors } = await list.graphql({});
      await remove(list, name, ids[2] as string);
      expect((await list.rest({ cursor: cursors[2] as string })).ids).toEqual(ids.slice(3));
      expect((await list.graphql({ last: 9, before: cursors[2] })).ids).toEqual(ids.slice(0, 2));
    });
  });

  it('returns an empty page without cursors for an empty list', async () => {
    const list = await listOf(service, 'events', 0);
    const { ids, pageInfo } = await list.graphql({});
    expect({ ids, ...pageInfo }).toEqual({
      ids: [],
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    });
  });

  it("rejects the cursor of another form's responses, for that form only", async () => {
    const organization = await service.organization();
    const [one, two] = await manyOf(service, organization.id).forms(2, 2);
    const { next } = await listOn(service, organization, 'responses', one).rest({ limit: 1 });
    const { json } = await graphql(service.app, organization.key)(
      `query ($after: String) { forms { edges { node { formId responses(after: $after) { edges { node { id } } } } } } }`,
      { after: next },
    );
    const [first, second] = json.data.forms.edges.map(({ node }: { node: unknown }) => node);
    expect(first).toEqual({ formId: one, responses: { edges: [{ node: { id: expect.any(String) } }] } });
    expect(second).toEqual({ formId: two, responses: null });
    expect(json.errors).toHaveLength(1);
    expect(json.errors[0]).toMatchObject({
      path: ['forms', 'edges', 1, 'node', 'responses'],
      extensions: { code: 'invalid_cursor' },
    });
  });

  /** The ids of a list, where each page is read through the other API. */
  async function walk(list: List, first: 'rest' | 'graphql'): Promise<string[]> {
    const ids: string[] = [];
    let api = first;
    for (let cursor: string | null = null; ; ) {
      const args: Record<string, string> = cursor === null ? {} : { [api === 'rest' ? 'cursor' : 'after']: cursor };
      if (api === 'rest') {
        const page = await list.rest({ limit: 2, ...args });
        ids.push(...page.ids);
        cursor = page.next;
      } else {
        const page = await list.graphql({ first: 2, ...args });
        ids.push(...page.ids);
        cursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      }
      if (cursor === null || ids.length > ROWS) return ids;
      api = api === 'rest' ? 'graphql' : 'rest';
    }
  }

  async function remove({ organization }: List, name: 'members' | 'responses', id: string): Promise<void> {
    const table = raw(name === 'members' ? 'member' : 'form_response');
    await service.store.db.rows(sql`DELETE FROM ${table} WHERE organization_id = ${organization.id} AND id = ${id}`);
  }
});
