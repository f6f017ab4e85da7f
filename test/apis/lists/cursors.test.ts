import { beforeAll, describe, expect, it } from 'vitest';
import { raw, sql } from '../../../src/store/sql.ts';
import { graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onEmbeddedStore, onOneStore } from '../../support/service.ts';
import { LIST_NAMES, type List, type ListName, listOf, listOn } from './lists.ts';

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
    const made = () => listOf(service, name, ROWS);
    /** For tests that change nothing. */
    let list: List;
    beforeAll(async () => {
      list = await made();
    });

    it('paginates forwards while alternating between the APIs', async () => {
      const { ids } = await list.rest({});
      for (const first of ['rest', 'graphql'] as const) expect(await walk(list, first)).toEqual(ids);
    });

    it.each(['after', 'before'])('rejects a cursor of another organization given as %s', async (place) => {
      const other = await made();
      const { next } = await other.rest({ limit: 3 });
      expect((await list.graphql({ [place]: next })).code).toBe('invalid_cursor');
    });

    it('rejects the cursor of every other list', async () => {
      const list = await made();
      const own = manyOf(service, list.organization.id);
      const others = LIST_NAMES.filter((other) => other !== name && other !== 'responses');
      for (const other of others) {
        await own[other as Exclude<ListName, 'responses'>](2);
        const { cursors } = await listOn(service, list.organization, other).graphql({ first: 1 });
        expect([other, (await list.graphql({ after: cursors[0] })).code]).toEqual([other, 'invalid_cursor']);
      }
    });

    // The responses of a form cannot be searched.
    const itWithSearch = name === 'responses' ? () => {} : it;
    itWithSearch('rejects the cursor of another search', async () => {
      const search = { members: 'last', tags: 'tag', prayerRequests: 'prayer' }[name as string] ?? name.slice(0, -1);
      const { cursors, ids } = await list.graphql({ search });
      expect(ids).toHaveLength(ROWS);
      expect((await list.rest({ q: search, cursor: cursors[0] as string })).ids).toEqual(ids.slice(1));
      expect((await list.graphql({ search: search.toUpperCase(), after: cursors[0] })).code).toBe('invalid_cursor');
      expect((await list.graphql({ after: cursors[0] })).code).toBe('invalid_cursor');
      expect((await list.rest({ q: `${search} 1`, cursor: cursors[0] as string })).code).toBe('invalid_cursor');
    });
  });

  // A root list and a nested one.
  describe.each(['members', 'responses'] as const)('pages of %s', (name) => {
    let list: List;
    beforeAll(async () => {
      list = await listOf(service, name, ROWS);
    });

    it('paginates backwards in GraphQL from a REST cursor', async () => {
      const { ids } = await list.rest({});
      const { next } = await list.rest({ limit: 6 });
      const page = await list.graphql({ last: 2, before: next });
      expect(page.ids).toEqual(ids.slice(3, 5));
      const before = await list.graphql({ last: 10, before: page.pageInfo.startCursor });
      expect(before.ids).toEqual(ids.slice(0, 3));
      expect((await list.rest({ cursor: before.pageInfo.endCursor ?? '', limit: 2 })).ids).toEqual(ids.slice(3, 5));
    });

    it('returns the rows between two cursors, from either end', async () => {
      const { ids, cursors } = await list.graphql({});
      const between = { after: cursors[0], before: cursors[5] };
      expect((await list.graphql({ ...between, first: 3 })).ids).toEqual(ids.slice(1, 4));
      expect((await list.graphql({ ...between, last: 3 })).ids).toEqual(ids.slice(2, 5));
      expect((await list.graphql({ ...between, first: 9 })).ids).toEqual(ids.slice(1, 5));
    });

    it('returns correct hasNextPage and hasPreviousPage, from either end, with and without a cursor', async () => {
      const { cursors } = await list.graphql({});
      const pageInfoOf = async (args: Record<string, unknown>) => {
        const { hasNextPage, hasPreviousPage } = (await list.graphql(args)).pageInfo;
        return { before: hasPreviousPage, behind: hasNextPage };
      };
      expect(await pageInfoOf({ first: 2 })).toEqual({ before: false, behind: true });
      expect(await pageInfoOf({ first: ROWS })).toEqual({ before: false, behind: false });
      expect(await pageInfoOf({ first: 2, after: cursors[1] })).toEqual({ before: true, behind: true });
      expect(await pageInfoOf({ first: 9, after: cursors[1] })).toEqual({ before: true, behind: false });
      expect(await pageInfoOf({ first: 2, after: cursors[6] })).toEqual({ before: true, behind: false });
      expect(await pageInfoOf({ last: 2 })).toEqual({ before: true, behind: false });
      expect(await pageInfoOf({ last: ROWS })).toEqual({ before: false, behind: false });
      expect(await pageInfoOf({ last: 2, before: cursors[5] })).toEqual({ before: true, behind: true });
      expect(await pageInfoOf({ last: 9, before: cursors[5] })).toEqual({ before: false, behind: true });
      expect(await pageInfoOf({ last: 2, before: cursors[0] })).toEqual({ before: false, behind: true });
    });

    it('returns correct hasNextPage and hasPreviousPage between two cursors, and against the direction', async () => {
      const { cursors } = await list.graphql({});
      for (const args of [
        { first: 9, after: cursors[0], before: cursors[5] },
        { last: 9, after: cursors[0], before: cursors[5] },
      ]) {
        expect((await list.graphql(args)).pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
      }
      expect((await list.graphql({ first: 9, before: cursors[5] })).pageInfo.hasNextPage).toBe(true);
      expect((await list.graphql({ last: 9, after: cursors[0] })).pageInfo.hasPreviousPage).toBe(true);
    });

    it('continues after the position of a deleted row', async () => {
      const list = await listOf(service, name, ROWS);
      const { ids, cursors } = await list.graphql({});
      await remove(list, name, ids[2] as string);
      expect((await list.rest({ cursor: cursors[2] as string })).ids).toEqual(ids.slice(3));
      expect((await list.graphql({ last: 9, before: cursors[2] })).ids).toEqual(ids.slice(0, 2));
    });

    it.each(['', 'x', 'A'.repeat(32), '\0', '1'])('rejects %o as a cursor', async (cursor) => {
      expect((await list.graphql({ after: cursor })).code).toBe('invalid_cursor');
      expect((await list.graphql({ last: 1, before: cursor })).code).toBe('invalid_cursor');
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

  it('paginates the members of each department with separate cursors', async () => {
    const organization = await service.organization();
    const many = manyOf(service, organization.id);
    const members = await many.members(4);
    const [one = '', two = ''] = await many.departments(2, (n) => (n === 0 ? members : [...members].reverse()));
    const ask = graphql(service.app, organization.key);
    const page = async (id: string, after: string | null) => {
      const { json } = await ask(
        `query ($id: ID!, $after: String) { node(id: $id) { ... on Department {
          members(first: 2, after: $after) { edges { node { id } } pageInfo { endCursor } } } } }`,
        { id, after },
      );
      return json;
    };
    const idsIn = (json: Awaited<ReturnType<typeof page>>) =>
      json.data.node.members.edges.map(({ node }: { node: { id: string } }) => node.id);
    const start = await page(two, null);
    expect(idsIn(start)).toEqual([members[3], members[2]]);
    const { endCursor } = start.data.node.members.pageInfo;
    expect(idsIn(await page(two, endCursor))).toEqual([members[1], members[0]]);
    expect((await page(one, endCursor)).errors[0].extensions.code).toBe('invalid_cursor');
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
