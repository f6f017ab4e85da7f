import pg from 'pg';
import { afterEach, expect, inject } from 'vitest';
import { eventually } from '../time/eventually.ts';

/** A transaction on a connection of its own. */
export interface SeparateTransaction {
  readonly query: pg.Client['query'];
  /** Resolves when a statement of another connection waits for a lock of the transaction. */
  isAwaited(): Promise<void>;
}

/** Returns a function that begins a transaction on the server of the tests. It ends with the test at the latest. */
export function separateTransactions(): () => Promise<SeparateTransaction> {
  const clients: pg.Client[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
  });
  const connect = async () => {
    const client = new pg.Client({ connectionString: inject('databaseUrl') });
    await client.connect();
    clients.push(client);
    return client;
  };
  return async () => {
    const [client, observer] = [await connect(), await connect()];
    // Of two transactions that wait for each other, PostgreSQL then aborts that of the service.
    await client.query(`SET deadlock_timeout = '1min'`);
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    const waiting = 'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    return {
      query: client.query.bind(client) as pg.Client['query'],
      isAwaited: () =>
        eventually(async () => expect((await observer.query(waiting, [rows[0].pid])).rows).toHaveLength(1)),
    };
  };
}
