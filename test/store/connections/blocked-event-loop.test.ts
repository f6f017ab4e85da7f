import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { wasLateRecently, watchEventLoop } from '../../../src/store/connections/blocked-event-loop.ts';
import { createDatabase, type Database } from '../../../src/store/database.ts';
import { sql } from '../../../src/store/sql.ts';
import { createFairPool } from '../../support/stores/fair-pool.ts';

const TIMEOUT_MS = 500;

/** Blocks the event loop for longer than the timeouts. */
function block(): void {
  const until = performance.now() + 2 * TIMEOUT_MS;
  while (performance.now() < until);
}

describe.skipIf(!inject('databaseUrl'))('a process whose event loop was blocked for longer than the timeouts', () => {
  let pool: pg.Pool;
  let db: Database;
  beforeEach(() => {
    const created = createFairPool(
      { connectionString: inject('databaseUrl') },
      { max: 2, connectionTimeoutMillis: TIMEOUT_MS },
    );
    pool = created.pool;
    db = createDatabase(created.fairPool, { isPrepared: true, responseTimeoutMs: TIMEOUT_MS });
  });
  afterEach(() => pool.end());

  const read = () => db.rows(sql`SELECT 1 AS one`);

  it('connects', async () => {
    const connecting = read();
    // The connection is opened in the next turn of the event loop.
    setImmediate(block);
    expect(await connecting).toEqual([{ one: 1 }]);
  });

  it('receives the response of a statement', async () => {
    await read();
    const reading = read();
    setImmediate(block);
    expect(await reading).toEqual([{ one: 1 }]);
  });
});

it('is noticed for a while, because a server may have responded in time', async () => {
  watchEventLoop();
  block();
  await vi.waitFor(() => expect(wasLateRecently()).toBe(true));
});
