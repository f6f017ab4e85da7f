import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { newId } from '../../src/domain/values/ids.ts';
import { changesAfter, changesShown } from '../support/changes.ts';
import { walkGraphql, walkRest } from '../support/list-walks.ts';
import { onOneStore } from '../support/service.ts';

describe.skipIf(!inject('databaseUrl'))('a record that is committed after a later one', () => {
  onOneStore((service) => {
    const clients: pg.Client[] = [];
    afterAll(() => Promise.all(clients.map((client) => client.end())));

    it('does not hide the later one, is in each walk that begins afterwards, and once in the change feed', async () => {
      const organization = await service.organization();
      const { cursor } = await changesAfter(organization, undefined);
      const insert = async (ending: 'COMMIT' | undefined) => {
        const client = new pg.Client({ connectionString: inject('databaseUrl') });
        await client.connect();
        clients.push(client);
        const id = newId('evt');
        await client.query('BEGIN');
        await client.query(
          `INSERT INTO event (organization_id, id, title, dates, search_text) VALUES ($1, $2, 'Picnic', '[]', 'PICNIC')`,
          [organization.id, id],
        );
        if (ending) await client.query(ending);
        return { id, client };
      };
      const walk = async () => {
        const request = { filter: {}, order: undefined, size: 1, backwards: false };
        return [
          await walkRest(organization, '/events', request),
          (await walkGraphql(service, organization, 'events', request)).ids,
        ];
      };
      const late = await insert(undefined);
      const { id: later } = await insert('COMMIT');
      expect(await walk()).toEqual([[later], [later]]);
      await late.client.query('COMMIT');
      expect(await walk()).toEqual([
        [late.id, later],
        [late.id, later],
      ]);
      await changesShown(service);
      const { changes } = await changesAfter(organization, cursor);
      expect(changes.map(({ id }) => id)).toEqual([late.id, later]);
    });
  });
});
