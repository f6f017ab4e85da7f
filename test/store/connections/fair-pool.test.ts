import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Abort } from '../../../src/store/connections/abort.ts';
import { type FairPool, MAX_PER_GROUP } from '../../../src/store/connections/server-pool.ts';
import { createDatabase, type Database } from '../../../src/store/database.ts';
import { sql } from '../../../src/store/sql.ts';
import { times } from '../../support/data.ts';
import { createFairPool } from '../../support/stores/fair-pool.ts';

const SLOTS = 10;

describe.skipIf(!inject('databaseUrl'))('a pool shared by organizations', () => {
  let pool: pg.Pool;
  let fairPool: FairPool;
  let database: Database;
  let abort: Abort;
  let busy: Database;
  let quiet: Database;
  /** The numbers of statements of the busy organization that were started and completed. */
  let started: number;
  let ended: number;
  /** Cancels running sleepers. @returns how many. */
  let cancelSleepers: (most?: number) => Promise<number>;
  beforeEach(() => {
    const application = `fair_pool_${process.pid}_${Date.now()}`;
    const server = { connectionString: inject('databaseUrl'), application_name: application };
    ({ pool, fairPool } = createFairPool(server, { max: SLOTS }));
    database = createDatabase(fairPool, { isPrepared: true });
    [started, ended] = [0, 0];
    abort = new Abort();
    busy = database.forRequest({ organizationId: 'busy', abort });
    quiet = database.forRequest({ organizationId: 'quiet' });
    cancelSleepers = async (most = SLOTS) => {
      const other = new pg.Client({ connectionString: inject('databaseUrl') });
      await other.connect();
      const { rows } = await other.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
         WHERE application_name = $1 AND state = 'active' AND query LIKE '%pg_sleep%' LIMIT $2`,
        [application, most],
      );
      await other.end();
      return rows.length;
    };
  });
  afterEach(async () => {
    abort.abort(new Error('over'));
    while (ended < started) await cancelSleepers();
    await pool.end();
  });

  const sleeper = sql`SELECT 1 FROM pg_sleep(60)`;
  const read = sql`SELECT 1 AS one`;
  const counted = (statement: Promise<unknown>) => {
    started += 1;
    const count = () => {
      ended += 1;
    };
    statement.then(count, count);
  };

  it('serves one organization and the service itself while another organization saturates the pool', async () => {
    for (const _ of times(MAX_PER_GROUP + 3, (n) => n)) counted(busy.rows(sleeper));
    expect(await Promise.all(times(20, () => quiet.rows(read)))).toEqual(times(20, () => [{ one: 1 }]));
    expect(await database.rows(read)).toEqual([{ one: 1 }]);
    expect([ended, fairPool.counts.waiting]).toEqual([0, 3]);
  });

  it('runs a write of an organization before the reads that waited longer', async () => {
    for (const _ of times(MAX_PER_GROUP, (n) => n)) counted(busy.rows(sleeper));
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const reads = times(3, () => busy.rows(read).then(note('read')));
    const write = busy.write(read).then(note('write'));
    await expect.poll(() => fairPool.counts.waiting).toBe(4);
    // One connection becomes free, on which all run one after another.
    while ((await cancelSleepers(1)) === 0);
    await Promise.all([...reads, write]);
    expect(order[0]).toBe('write');
  });

  it('sends no statement of a request that was aborted while it waited, or before', async () => {
    for (const _ of times(MAX_PER_GROUP, (n) => n)) counted(busy.rows(sleeper));
    const [reason, own] = [new Error('the client disconnected'), new Abort()];
    const aborted = database.forRequest({ organizationId: 'busy', abort: own });
    const waiting = [aborted.rows(read), aborted.rowsUnprepared(read)];
    await expect.poll(() => fairPool.counts.waiting).toBe(2);
    own.abort(reason);
    for (const result of await Promise.allSettled([...waiting, aborted.rows(read)]))
      expect(result).toMatchObject({ reason });
    expect([ended, fairPool.counts.waiting]).toEqual([0, 0]);
  });

  it('completes a write whose request is aborted', async () => {
    const written = busy.write(sql`SELECT 1 AS written FROM pg_sleep(0.2)`);
    abort.abort(new Error('the client disconnected'));
    expect(await written).toEqual([{ written: 1 }]);
  });
});
