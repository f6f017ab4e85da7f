import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { FairPool } from '../../../src/store/connections/fair-pool.ts';
import { createDatabase, type Database } from '../../../src/store/database.ts';
import { sql } from '../../../src/store/sql.ts';
import { Abort } from '../../../src/store/statements/abort.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { times } from '../../support/data.ts';
import { eventually } from '../../support/time/eventually.ts';

const APPLICATION = `cancelled_${process.pid}`;

describe.skipIf(!inject('databaseUrl'))('cancelled statements', () => {
  let store: Store;
  let observer: pg.Client;
  beforeAll(async () => {
    const url = new URL(inject('databaseUrl') as string);
    observer = new pg.Client({ connectionString: url.href });
    await observer.connect();
    url.searchParams.set('application_name', APPLICATION);
    store = await openStore({ databaseUrl: url.href, dataDirectory: '', timeouts: 'request' });
  });
  afterAll(async () => {
    await store?.close();
    await observer?.end();
  });

  /** The number of active backends of the pool. */
  async function activeBackends(): Promise<number> {
    const { rows } = await observer.query(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1 AND state = 'active'",
      [APPLICATION],
    );
    return rows[0].count;
  }

  /** The maximum number of active backends while `work` ran. */
  async function mostActiveDuring(work: Promise<unknown>): Promise<number> {
    let [most, isOver] = [0, false];
    void work.finally(() => {
      isOver = true;
    });
    while (!isOver) most = Math.max(most, await activeBackends());
    return most;
  }

  /** Statements that run until they are cancelled, on a pool of four connections that sets no time limit. */
  async function withSleepers(work: (database: Database, max: number) => Promise<void>): Promise<void> {
    const max = 4;
    const connectionString = inject('databaseUrl');
    const pool = new FairPool({ connectionString, max, pipeline: true, application_name: APPLICATION });
    pool.on('connect', (client) => client.on('error', () => {}));
    try {
      await work(createDatabase(pool, { hasSessions: true }), max);
    } finally {
      await pool.end();
    }
  }
  const sleeper = sql`SELECT 1 FROM pg_sleep(3600)`;
  const active = (count: number) => eventually(async () => expect(await activeBackends()).toBe(count));
  const areGone = () => active(0);
  const given = new Error('given up');

  it('are cancelled on the server when their requests are aborted', () =>
    withSleepers(async (database, max) => {
      const requests = times(30, (n) => ({ organizationId: `organization ${n}`, abort: new Abort() }));
      const results = Promise.allSettled(
        requests.map((request, n) => {
          const db = database.forRequest(request);
          return n % 2 === 0 ? db.rows(sleeper) : db.queryUnshared(sleeper);
        }),
      );
      const giveUp = async () => {
        await active(max);
        for (const { abort } of requests) abort.abort(given);
        expect((await results).every((result) => result.status === 'rejected' && result.reason === given)).toBe(true);
        await areGone();
      };
      expect(await mostActiveDuring(giveUp())).toBe(max);
    }));

  it('do not affect reads on the same connection', () =>
    withSleepers(async (database) => {
      const aborts = times(4, () => new Abort());
      const db = (abort?: Abort) => database.forRequest({ organizationId: 'organization', abort });
      const sleeping = aborts.map((abort) => db(abort).rows(sleeper));
      const reads = times(4, (n) => db().rows(sql`SELECT ${n}::int AS n`));
      await active(1);
      for (const abort of aborts.reverse()) abort.abort(given);
      expect(await Promise.allSettled(sleeping)).toEqual(times(4, () => ({ status: 'rejected', reason: given })));
      expect(await Promise.all(reads)).toEqual(times(4, (n) => [{ n }]));
      await areGone();
    }));

  it('are not sent if they were aborted before', () =>
    withSleepers(async (database) => {
      const abort = new Abort();
      const db = database.forRequest({ organizationId: 'organization', abort });
      const waiting = [db.rows(sleeper), db.queryUnshared(sleeper)];
      abort.abort(given);
      waiting.push(db.rows(sleeper), db.queryUnshared(sleeper));
      for (const result of await Promise.allSettled(waiting)) expect(result).toMatchObject({ reason: given });
      expect(await activeBackends()).toBe(0);
    }));

  it('are completed if they write', () =>
    withSleepers(async (database) => {
      const abort = new Abort();
      const db = database.forRequest({ organizationId: 'organization', abort });
      const written = db.write(sql`SELECT 1 AS written FROM pg_sleep(0.2)`);
      await active(1);
      abort.abort(given);
      expect(await written).toEqual([{ written: 1 }]);
    }));

  const sleep = () => store.db.rows(sql`SELECT 1 FROM pg_sleep(1)`);

  it('end within a second, and never exceed the connections of the pool', async () => {
    const rounds = async () => {
      for (const _ of times(3, (n) => n)) {
        const results = await Promise.allSettled(times(30, sleep));
        expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
      }
    };
    expect(await mostActiveDuring(rounds())).toBeLessThanOrEqual(store.pool.options.max);
    await areGone();
  });
});
