import { afterAll, describe, expect, inject, it } from 'vitest';
import { changesAfter, changesShown } from '../../support/changes.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { insertsInto, openTransactions } from '../../support/stores/open-transactions.ts';
import { statementsDuring } from '../../support/stores/statements.ts';
import { walkGraphql, walkRest } from './list-walks.ts';

describe.skipIf(!inject('databaseUrl'))('a record that commits after a later one', () => {
  onOneStore((service) => {
    const transactions = openTransactions(inject('databaseUrl') as string);
    afterAll(() => transactions.close());
    const insertEvent = async ({ id }: TestOrganization) => {
      const transaction = await transactions.begin();
      const event = await insertsInto(transaction.client, id).event('2027-01-01');
      return { id: event, end: transaction.end };
    };

    it('does not hide the later one, is in every walk started afterwards, and once in the change feed', async () => {
      const organization = await service.organization();
      const { cursor } = await changesAfter(organization, undefined);
      const walk = async () => {
        const request = { filter: {}, order: undefined, size: 1, backwards: false };
        return [
          await walkRest(organization, '/events', request),
          (await walkGraphql(service, organization, 'events', request)).ids,
        ];
      };
      const late = await insertEvent(organization);
      const later = await insertEvent(organization);
      await later.end('COMMIT');
      expect(await walk()).toEqual([[later.id], [later.id]]);
      await late.end('COMMIT');
      expect(await walk()).toEqual([
        [late.id, later.id],
        [late.id, later.id],
      ]);
      await changesShown(service);
      const { changes } = await changesAfter(organization, cursor);
      expect(changes.map(({ id }) => id)).toEqual([late.id, later.id]);
    });

    it('follows a cursor created before the commit, before later records, in both APIs', async () => {
      const organization = await service.organization();
      const ask = graphql(service.app, organization.key);
      const late = await insertEvent(organization);
      const rolledBack = await insertEvent(organization);
      const later = await insertEvent(organization);
      await later.end('COMMIT');
      const last = await insertEvent(organization);
      const page = `nodes { id } pageInfo { startCursor endCursor }`;
      const events = (args: string) => ask(`{ events(${args}) { ${page} } }`).then(({ json }) => json.data.events);
      const { pageInfo, nodes } = await events('first: 5');
      expect(nodes).toEqual([{ id: later.id }]);
      const cursor = pageInfo.endCursor as string;
      expect((await events(`first: 5, after: "${cursor}"`)).nodes).toEqual([]);
      await last.end('COMMIT');
      await rolledBack.end('ROLLBACK');
      await late.end('COMMIT');
      const read = async (at: string, size = 5) => (await organization.get(`/events?limit=${size}&cursor=${at}`)).json;
      const ids = (json: { data: { id: string }[] }) => json.data.map(({ id }) => id);
      expect(ids(await read(cursor))).toEqual([late.id, last.id]);
      expect((await events(`first: 5, after: "${cursor}"`)).nodes).toEqual([{ id: late.id }, { id: last.id }]);
      const first = await read(cursor, 1);
      expect(ids(first)).toEqual([late.id]);
      expect(ids(await read(first.pagination.next_cursor))).toEqual([last.id]);
      expect((await events(`last: 5, before: "${cursor}"`)).nodes).toEqual([{ id: late.id }]);
    });

    it('is read with the rest of its page in one statement', async () => {
      const organization = await service.organization();
      const late = await insertEvent(organization);
      for (const _ of [1, 2]) await (await insertEvent(organization)).end('COMMIT');
      const { json } = await organization.get('/events?limit=1');
      await late.end('COMMIT');
      const cursor = json.pagination.next_cursor;
      const statements = await statementsDuring(async () => {
        const { json: next } = await organization.get(`/events?limit=5&cursor=${cursor}`);
        expect(next.data).toHaveLength(2);
      });
      expect(statements.filter((text) => text.includes('FROM event'))).toHaveLength(1);
    });
  });
});
