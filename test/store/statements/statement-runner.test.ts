import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { FairPool, SERVICE } from '../../../src/store/connections/fair-pool.ts';
import { Abort } from '../../../src/store/statements/abort.ts';
import type { Connection, RunOnConnection } from '../../../src/store/statements/pending-statement.ts';
import { createStatementRunner, type StatementRunner } from '../../../src/store/statements/statement-runner.ts';
import { times } from '../../support/data.ts';

describe.skipIf(!inject('databaseUrl'))('shared connections', () => {
  let pool: FairPool;
  let runner: StatementRunner;
  let runSharedRead: <Result>(use: RunOnConnection<Result>) => Promise<Result>;
  beforeEach(() => {
    const connectionString = inject('databaseUrl');
    pool = new FairPool({ connectionString, max: 1, pipeline: true, connectionTimeoutMillis: 2_000 });
    pool.on('connect', (client) => client.on('error', () => {}));
    runner = createStatementRunner(pool);
    runSharedRead = (use) => runner.runSharedRead({ group: SERVICE }, use);
  });
  afterEach(() => pool.end(), 5_000);

  const select = (value: number) => async (connection: Connection) =>
    (await connection.query('SELECT $1::int AS value', [value])).rows[0].value;
  const throwing = () => {
    throw new Error('thrown at once');
  };

  it('releases the connection when a statement throws instead of returning a promise', async () => {
    await expect(runSharedRead(throwing)).rejects.toThrow('thrown at once');
    expect(await runSharedRead(select(1))).toBe(1);
  });

  it('runs the statements on the same connection as one that throws', async () => {
    const results = await Promise.allSettled([
      runSharedRead(select(1)),
      runSharedRead(throwing),
      runSharedRead(select(2)),
    ]);
    expect(results).toMatchObject([{ value: 1 }, { reason: { message: 'thrown at once' } }, { value: 2 }]);
  });

  it('destroys a connection that cannot be written to, and continues on another', async () => {
    pool.once('acquire', (client) => {
      const { stream } = (client as unknown as { connection: { stream: { write(): boolean } } }).connection;
      stream.write = throwing;
    });
    const results = await Promise.allSettled(times(3, (n) => runSharedRead(select(n))));
    expect(results).toMatchObject(times(3, () => ({ reason: { message: 'thrown at once' } })));
    expect(await runSharedRead(select(1))).toBe(1);
  });

  it('acquires no connection for statements that were aborted before they were sent', async () => {
    const connectFor = vi.spyOn(pool, 'connectFor');
    const abort = new Abort();
    const reason = new Error('given up');
    const givenUp = times(3, (n) => runner.runSharedRead({ group: `organization ${n}`, abort }, select(n)));
    abort.abort(reason);
    for (const result of await Promise.allSettled(givenUp)) expect(result).toMatchObject({ reason });
    expect(await runner.runSharedRead({ group: 'organization' }, select(1))).toBe(1);
    expect(connectFor.mock.calls.map(([group]) => group)).toEqual(['organization']);
  });
});
