import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { ENTITIES, type EntityName } from '../../../src/domain/entities/registry.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { raw, sql } from '../../../src/store/sql.ts';
import { importText, ndjson } from '../../import-export/imports.ts';
import { changesAfter } from '../../support/changes.ts';
import { person, times } from '../../support/data.ts';
import { type Send, streamingFollower, waitingFollower } from '../../support/followers.ts';
import { graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import { onEachStore, onOneStore, type TestOrganization } from '../../support/service.ts';
import { eventually } from '../../support/time/eventually.ts';

/** `CHANGE_FEED_RUNS=20` repeats the run with concurrent writers. */
const RUNS = Number(process.env.CHANGE_FEED_RUNS ?? 1);
const WRITERS = 20;
/** One of 10 transactions is slow. */
const SLOW = times(10, (n) => n === 0);
const WRITES = Number(process.env.CHANGE_FEED_WRITES ?? 4);

/** Inserts an event, without the service. @returns its id. */
function insertEvent(
  client: pg.ClientBase,
  { id: organizationId }: TestOrganization,
  id = newId('evt'),
): Promise<string> {
  return client
    .query(
      `INSERT INTO event (organization_id, id, title, dates, search_text) VALUES ($1, $2, 'Picnic', '[]', 'PICNIC')`,
      [organizationId, id],
    )
    .then(() => id);
}

describe.skipIf(!inject('databaseUrl'))('the change feed', () => {
  onOneStore((service) => {
    it('excludes changes of rolled back transactions and killed connections', async () => {
      const organization = await service.organization();
      const [client, killed] = [await service.store.pool.connect(), await service.store.pool.connect()];
      const insert = async (one: pg.ClientBase) => {
        await one.query('BEGIN');
        await insertEvent(one, organization);
      };
      await insert(client);
      await client.query('ROLLBACK');
      await insert(killed);
      const { rows } = await killed.query('SELECT pg_backend_pid() AS pid');
      await client.query('SELECT pg_terminate_backend($1, 10000)', [rows[0].pid]);
      client.release();
      killed.release(true);
      expect((await changesAfter(organization, undefined)).changes).toEqual([]);
    });
  });
});

describe('the change feed with concurrent transactions', () => {
  onEachStore((service) => {
    it.each(times(RUNS, (run) => run + 1))(
      'lets clients that wait and streams that break keep an exact copy of the database, run %i',
      async (run) => {
        const organization = await service.organization();
        const numbers = fc.sample(fc.noBias(fc.nat()), { seed: run, numRuns: 1_000 });
        let picked = 0;
        const pick = <One>(all: readonly One[]) => all[(numbers[picked++ % 1_000] as number) % all.length] as One;
        const app = service.appWith({ changes: { intervalMs: 50 } });
        const send: Send = async (path, { headers, ...init } = {}) =>
          app.fetch(
            new Request(`http://service.test${path}`, {
              ...init,
              headers: { ...headers, 'X-Api-Key': organization.key },
            }),
          );
        const followers = [
          ...[10, Number.POSITIVE_INFINITY].map((events) => streamingFollower(send, '...record', RECORD, events)),
          waitingFollower(send, '...record', RECORD),
        ];
        const records = recordsOf(service, organization.id);
        const members = await Promise.all(
          times(10, async () => (await organization.post('/members', person())).json.data.id as string),
        );
        const tags = await Promise.all(times(3, async () => (await records.tag()).id));
        const departments = await Promise.all(times(3, async () => (await records.department()).id));
        const events = await Promise.all(times(5, async () => (await records.event()).id));
        const choices = [
          () => organization.post('/members', person()),
          () => organization.patch(`/members/${pick(members)}`, { city: randomUUID() }),
          () => organization.patch(`/members/${pick(members)}/tags`, { add: [pick(tags)] }),
          () => organization.patch(`/members/${pick(members)}/tags`, { remove: [pick(tags)] }),
          () => organization.post('/prayer-requests', { description: 'Rain' }),
          () => inTransaction('COMMIT'),
          () => inTransaction('ROLLBACK'),
          () => inTransaction('killed'),
        ];
        /** Runs several statements in a transaction without the service; `killed` closes its connection in between. */
        const inTransaction = async (end: 'COMMIT' | 'ROLLBACK' | 'killed') => {
          const client = await service.store.pool.connect();
          let isBroken = end === 'killed';
          const isSlow = pick(SLOW);
          const statements = [
            () => insertEvent(client, organization),
            () => client.query(`UPDATE event SET title = $2 WHERE id = $1`, [pick(events), randomUUID()]),
            () => client.query(`DELETE FROM event WHERE id = $1`, [pick(events)]),
            () =>
              client.query(
                `INSERT INTO department_member (organization_id, department_id, member_id) VALUES ($1, $2, $3)
                 ON CONFLICT DO NOTHING`,
                [organization.id, pick(departments), pick(members)],
              ),
            () =>
              client.query(`DELETE FROM department_member WHERE organization_id = $1 AND department_id = $2`, [
                organization.id,
                pick(departments),
              ]),
          ];
          try {
            await client.query('BEGIN');
            for (let count = 0; count < 3; count++) await pick(statements)();
            if (isSlow) await client.query('SELECT pg_sleep(0.2)');
            if (end !== 'killed') await client.query(end);
          } catch {
            // A deadlock: nothing was committed.
            isBroken = true;
          } finally {
            client.release(isBroken);
          }
        };

        const writers = times(WRITERS, async () => {
          for (let count = 0; count < WRITES; count++) await pick(choices)();
        });
        // Two batches.
        const rows = times(160, (n) => ({ ...person({ last_name: `Imported ${n}` }), id: `${n}` }));
        const imported = importText(service.store, organization.id, 'members.ndjson', ndjson(...rows));
        await Promise.all([...writers, imported]);
        expect((await imported).created).toBe(160);
        const state = await stateOf(organization);
        await eventually(() => {
          for (const { copy } of followers) expect(Object.fromEntries(copy)).toEqual(state);
        });
        for (const { stop } of followers) await stop();
        expect(followers.flatMap(({ faults }) => faults)).toEqual([]);
      },
      600_000,
    );

    /** All records of the organization by resource and id, in the order of entry, as the API returns them. */
    async function stateOf(organization: TestOrganization): Promise<Record<string, unknown>> {
      const state: Record<string, unknown> = {};
      for (const name of Object.keys(ENTITIES) as EntityName[]) {
        const { table } = ENTITIES[name].entity;
        const rows = await service.store.db.rows<{ id: string }>(
          sql`SELECT id::text FROM ${raw(table)} WHERE organization_id = ${organization.id} ORDER BY position`,
        );
        for (let at = 0; at < rows.length; at += 100) {
          const ids = rows.slice(at, at + 100).map(({ id }) => id);
          const { json } = await graphql(service.app, organization.key)(
            `query ($ids: [ID!]!) { nodes(ids: $ids) { ...record } } ${RECORD}`,
            { ids },
          );
          for (const [index, id] of ids.entries()) state[`${name} ${id}`] = json.data.nodes[index];
        }
      }
      return state;
    }
  });
});

const RECORD = `fragment record on Node {
  __typename id
  ... on Member { lastName city tags { id } }
  ... on Department { name memberIds }
  ... on Event { title }
  ... on PrayerRequest { description }
}`;
