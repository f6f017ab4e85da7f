import { afterAll, describe, expect, inject, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { insertsInto, openTransactions } from '../../support/stores/open-transactions.ts';

describe.skipIf(!inject('databaseUrl'))('pages on the other side of a cursor', () => {
  onOneStore((service) => {
    const transactions = openTransactions(inject('databaseUrl') as string);
    afterAll(() => transactions.close());

    const insert = async ({ id }: TestOrganization, last: string) => {
      const { client, end } = await transactions.begin();
      await insertsInto(client, id).member(last);
      return { commit: () => end('COMMIT') };
    };
    const commit = async (organization: TestOrganization, ...names: readonly string[]) => {
      for (const name of names) await (await insert(organization, name)).commit();
    };
    /** Reads a page of members by name; `order` is `ENTRY` or `NAME`. */
    const reader = (organization: TestOrganization, order: string) => async (page: string) => {
      const { json } = await graphql(
        service.app,
        organization.key,
      )(`{ members(orderBy: { field: ${order} }, ${page}) { nodes { lastName } pageInfo { startCursor endCursor } } }`);
      const { nodes, pageInfo } = json.data.members;
      return {
        names: nodes.map(({ lastName }: { lastName: string }) => lastName) as string[],
        start: pageInfo.startCursor as string,
        end: pageInfo.endCursor as string,
      };
    };

    it.each(['ENTRY', 'NAME'])('include the record that precedes a late one, by %s', async (order) => {
      const organization = await service.organization();
      const read = reader(organization, order);
      await commit(organization, 'A');
      const late = await insert(organization, 'AA');
      await commit(organization, 'B', 'C');
      const first = await read('first: 2');
      expect(first.names).toEqual(['A', 'B']);
      await late.commit();
      const second = await read(`first: 2, after: "${first.end}"`);
      expect(second.names).toEqual(['AA', 'C']);
      // The late record is repeated, because it is there in this order.
      expect((await read(`last: 5, before: "${second.start}"`)).names).toEqual(['A', 'AA', 'B']);
      expect((await read(`first: 5, before: "${second.start}"`)).names).toEqual(['A', 'AA', 'B']);
    });

    it.each(['ENTRY', 'NAME'])('include the record that follows a late one read from the end, by %s', async (order) => {
      const organization = await service.organization();
      const read = reader(organization, order);
      await commit(organization, 'A', 'B');
      const late = await insert(organization, 'BB');
      await commit(organization, 'C');
      const last = await read('last: 1');
      const before = await read(`last: 1, before: "${last.start}"`);
      expect([before.names, last.names]).toEqual([['B'], ['C']]);
      await late.commit();
      const first = await read(`last: 2, before: "${before.start}"`);
      expect(first.names).toEqual(['A', 'BB']);
      expect((await read(`first: 5, after: "${first.end}"`)).names).toEqual(['B', 'BB', 'C']);
      expect((await read(`last: 5, after: "${first.end}"`)).names).toEqual(['B', 'BB', 'C']);
    });

    it.each(['ENTRY', 'NAME'])(
      'include a record committed after the end of the list was read, by %s',
      async (order) => {
        const organization = await service.organization();
        const read = reader(organization, order);
        await commit(organization, 'A');
        const late = await insert(organization, 'AA');
        await commit(organization, 'B');
        const last = await read('last: 1');
        expect(last.names).toEqual(['B']);
        await late.commit();
        await commit(organization, 'C');
        expect((await read(`first: 5, after: "${last.end}"`)).names).toEqual(['AA', 'C']);
      },
    );

    it('include it also for a client that reads the newest records first', async () => {
      const organization = await service.organization();
      const read = reader(organization, 'ENTRY, direction: DESC');
      await commit(organization, 'A');
      const late = await insert(organization, 'AA');
      await commit(organization, 'B');
      const newest = await read('first: 1');
      expect(newest.names).toEqual(['B']);
      await late.commit();
      await commit(organization, 'C');
      expect((await read(`last: 5, before: "${newest.start}"`)).names.toSorted()).toEqual(['AA', 'C']);
    });

    it('do not include late records of the side that was read before', async () => {
      const organization = await service.organization();
      const read = reader(organization, 'NAME');
      await commit(organization, 'A', 'B', 'C', 'D', 'E');
      const first = await read('first: 2');
      const late = await insert(organization, 'Z');
      const second = await read(`first: 2, after: "${first.end}"`);
      await late.commit();
      expect(second.names).toEqual(['C', 'D']);
      expect((await read(`last: 2, before: "${second.start}"`)).names).toEqual(['A', 'B']);
      expect((await read(`first: 5, after: "${second.end}"`)).names).toEqual(['E', 'Z']);
    });

    it('do not repeat a member to whom two late tags were added', async () => {
      const organization = await service.organization();
      const many = manyOf(service, organization.id);
      const members = await many.members(5);
      const [untagged, tagged] = [members.slice(0, 3), members.slice(3)];
      const [first = '', second = ''] = await many.tags(2, (n) => (n === 0 ? tagged : []));
      const earlier = await transactions.begin();
      const later = await transactions.begin();
      const link = ({ client }: typeof later, tag: string, member = '') =>
        insertsInto(client, organization.id).tagOfMember(tag, member);
      for (const member of untagged.slice(0, 2)) await link(earlier, first, member);
      let cursor = '';
      const read = async (limit: number) => {
        const { json } = await organization.get(`/members?limit=${limit}&tag_id=${first},${second}${cursor}`);
        cursor = `&cursor=${json.pagination.next_cursor}`;
        return json.data.map(({ id }: { id: string }) => id);
      };
      expect(await read(1)).toEqual([tagged[0]]);
      await link(later, first, untagged[2]);
      await link(later, second, untagged[2]);
      await earlier.end('COMMIT');
      expect(await read(1)).toEqual([untagged[0]]);
      await later.end('COMMIT');
      const others = [...(await read(1)), ...(await read(1)), ...(await read(1))];
      expect(others).toEqual([untagged[1], untagged[2], tagged[1]]);
    });

    it('do not include a member to whom a late tag was added that is not assignable', async () => {
      const organization = await service.organization();
      const many = manyOf(service, organization.id);
      const members = (await many.members(3)) as [string, string, string];
      const [visible = '', hidden = ''] = await many.tags(2, (n) => (n === 0 ? members.slice(1) : []));
      await service.store.db.rows(sql`UPDATE tag SET privacy = 'private' WHERE id = ${hidden}`);
      const late = await transactions.begin();
      await insertsInto(late.client, organization.id).tagOfMember(hidden, members[0]);
      const path = `/members?limit=1&tag_id=${visible},${hidden}`;
      const first = (await organization.get(path)).json;
      await late.end('COMMIT');
      const second = (await organization.get(`${path}&cursor=${first.pagination.next_cursor}`)).json;
      expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(members.slice(1));
      expect(second.pagination.has_more).toBe(false);
    });
  });
});
