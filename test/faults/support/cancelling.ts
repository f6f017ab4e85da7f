import type pg from 'pg';
import { expect } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { Abort } from '../../../src/store/statements/abort.ts';
import type { Store } from '../../../src/store/store.ts';
import { until } from '../../support/servers/own-servers.ts';

/** Shorter than the statement timeout, so that only a cancel request can end a read in time. */
const SLEEP_SECONDS = 1;

/**
 * Aborts running reads, and expects PostgreSQL to cancel them and the connections to be reusable.
 *
 * @param observer another connection to the same server.
 */
export async function cancelsGivenUpReads(store: Store, observer: pg.Client): Promise<void> {
  const running = async () => {
    const { rowCount } = await observer.query(
      `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    return rowCount;
  };
  for (let round = 0; round < 3; round++) {
    const abort = new Abort();
    const db = store.db.forRequest({ organizationId: 'org_a', abort });
    const given = db.queryUnshared(sql`SELECT pg_sleep(${SLEEP_SECONDS})`);
    const refused = expect(given).rejects.toThrow('the client disconnected');
    await until(async () => (await running()) === 1);
    abort.abort(new Error('the client disconnected'));
    await refused;
    const took = await until(async () => (await running()) === 0);
    expect(took).toBeLessThan((SLEEP_SECONDS * 1_000) / 2);
    expect(await store.db.rows(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  }
}
