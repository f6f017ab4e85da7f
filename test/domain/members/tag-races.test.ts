import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { expectInvalid, recordIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { eventually } from '../../support/time/eventually.ts';

interface World {
  readonly organization: TestOrganization;
  readonly memberId: string;
  readonly tagId: string;
}

describe.skipIf(!inject('databaseUrl'))('a change of tags during a concurrent transaction', () => {
  onOneStore((service) => {
    const clients: pg.Client[] = [];
    afterAll(() => Promise.all(clients.map((client) => client.end())));

    /** Begins a transaction on a separate connection. */
    const begin = async () => {
      const client = new pg.Client({ connectionString: inject('databaseUrl') });
      await client.connect();
      clients.push(client);
      // PostgreSQL then aborts the transaction of the service.
      await client.query(`SET deadlock_timeout = '1min'`);
      await client.query('BEGIN');
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      /** Resolves when a statement waits for a lock of the transaction. */
      const isAwaited = () =>
        eventually(async () => {
          const waiting = 'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
          expect((await service.store.pool.query(waiting, [rows[0].pid])).rows).toHaveLength(1);
        });
      return { query: client.query.bind(client) as pg.Client['query'], isAwaited };
    };

    const world = async (): Promise<World> => {
      const organization = await service.organization();
      const { id: memberId } = recordIn(await organization.post('/members', person()), 201);
      const { id: tagId } = await recordsOf(service, organization.id).tag();
      return { organization, memberId, tagId };
    };

    it('is repeated if PostgreSQL aborts it because of a deadlock', async () => {
      const { organization, memberId, tagId } = await world();
      const other = await begin();
      const key = [organization.id, memberId];
      await other.query('SELECT FROM record_change WHERE organization_id = $1 AND record_id = $2 FOR UPDATE', key);
      const change = organization.patch(`/members/${memberId}/tags`, { add: [tagId] });
      await other.isAwaited();
      await other.query('SELECT FROM member WHERE organization_id = $1 AND id = $2 FOR UPDATE', key);
      await other.query('COMMIT');
      expect(recordIn(await change)).toMatchObject([{ id: tagId }]);
    });

    /** Calls `change` while the tag is deleted, before that is committed. */
    const whileDeleted = async ({ tagId }: World, change: () => ReturnType<TestOrganization['post']>) => {
      const deleting = await begin();
      await deleting.query('DELETE FROM tag WHERE id = $1', [tagId]);
      const answer = change();
      await deleting.isAwaited();
      await deleting.query('COMMIT');
      return answer;
    };

    it('ignores a tag that is deleted', async () => {
      const created = await world();
      const { organization, memberId, tagId } = created;
      const change = () => organization.patch(`/members/${memberId}/tags`, { add: [tagId] });
      expect(recordIn(await whileDeleted(created, change))).toEqual([]);
    });

    it('is rejected in an update of the member with a tag that is deleted', async () => {
      const created = await world();
      const { organization, memberId, tagId } = created;
      const change = () => organization.patch(`/members/${memberId}`, { tag_ids: [tagId] });
      expectInvalid(await whileDeleted(created, change), 'tag_ids');
    });

    it('is rejected in a creation of a member with a tag that is deleted', async () => {
      const created = await world();
      const { organization, tagId } = created;
      const change = () => organization.post('/members', person({ tag_ids: [tagId] }));
      expectInvalid(await whileDeleted(created, change), 'tag_ids');
    });
  });
});
