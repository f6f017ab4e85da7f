import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { FairPool, SERVICE } from '../../src/store/fair-pool.ts';
import type { Connection, Use } from '../../src/store/pending-statement.ts';
import { shareConnections } from '../../src/store/shared-connections.ts';
import { times } from '../support/data.ts';

describe.skipIf(!inject('databaseUrl'))('shared connections', () => {
  let pool: FairPool;
  let share: <Result>(use: Use<Result>) => Promise<Result>;
  beforeEach(() => {
    const connectionString = inject('databaseUrl');
    pool = new FairPool({ connectionString, max: 1, pipeline: true, connectionTimeoutMillis: 2_000 });
    pool.on('connect', (client) => client.on('error', () => {}));
    const connections = shareConnections(pool);
    share = (use) => connections.share({ group: SERVICE }, use);
  });
  afterEach(() => pool.end(), 5_000);

  const select = (value: number) => async (connection: Connection) =>
    (await connection.query('SELECT $1::int AS value', [value])).rows[0].value;
  const throwing = () => {
    throw new Error('thrown at once');
  };

  it('gives the connection back when a statement throws instead of returning a promise', async () => {
    await expect(share(throwing)).rejects.toThrow('thrown at once');
    expect(await share(select(1))).toBe(1);
  });

  it('runs the statements that share a connection with one that throws', async () => {
    const results = await Promise.allSettled([share(select(1)), share(throwing), share(select(2))]);
    expect(results).toMatchObject([{ value: 1 }, { reason: { message: 'thrown at once' } }, { value: 2 }]);
  });

  it('destroys a connection that cannot be written to, and continues on another', async () => {
    pool.once('acquire', (client) => {
      const { stream } = (client as unknown as { connection: { stream: { write(): boolean } } }).connection;
      stream.write = throwing;
    });
    const results = await Promise.allSettled(times(3, (n) => share(select(n))));
    expect(results).toMatchObject(times(3, () => ({ reason: { message: 'thrown at once' } })));
    expect(await share(select(1))).toBe(1);
  });
});
