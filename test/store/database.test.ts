import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { beginWithSettings } from '../../src/store/connections/pool-config.ts';
import type { FairPool } from '../../src/store/connections/server-pool.ts';
import { createDatabase, type Database } from '../../src/store/database.ts';
import { isStoreUnavailable } from '../../src/store/errors.ts';
import { raw, type Statement, sql } from '../../src/store/sql.ts';
import { times } from '../support/data.ts';
import { createTestPool } from '../support/servers/databases.ts';
import { createFairPool } from '../support/stores/fair-pool.ts';

describe.skipIf(!inject('databaseUrl'))('statements on PostgreSQL', () => {
  let pool: pg.Pool;
  let fairPool: FairPool;
  let db: Database;
  let observer: pg.Pool;
  const open = (config: pg.PoolConfig = {}) => {
    ({ pool, fairPool } = createFairPool({ connectionString: inject('databaseUrl') }, { max: 1, ...config }));
    db = createDatabase(fairPool, { isPrepared: true, responseTimeoutMs: 500 });
  };
  beforeEach(() => {
    open();
    observer = createTestPool({ connectionString: inject('databaseUrl'), max: 1 });
  });
  afterEach(async () => {
    await pool.end();
    await observer.end();
  });

  const statement = (n: number): Statement => ({ text: `SELECT $1::int + ${n} AS sum`, values: [1] });
  const runFiveTimes = async (run: Database['rows'], n: number) => {
    for (const _ of times(5, (n) => n)) expect(await run(statement(n))).toEqual([{ sum: 1 + n }]);
  };
  const preparedTexts = async () =>
    (await pool.query('SELECT statement FROM pg_prepared_statements ORDER BY statement')).rows.map(
      (row) => row.statement,
    );
  const backend = async () => (await db.rows<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`))[0]?.pid;

  it('prepares what is read and written often', async () => {
    await runFiveTimes(db.rows, 0);
    await runFiveTimes(db.write, 1);
    await db.rows(statement(2));
    expect(await preparedTexts()).toEqual([statement(0).text, statement(1).text]);
  });

  it('does not prepare searches, so that PostgreSQL plans them for their values', async () => {
    await runFiveTimes(db.rowsUnprepared, 0);
    expect(await preparedTexts()).toEqual([]);
  });

  it('prepares at most 300 statements per connection', async () => {
    for (const n of times(301, (n) => n)) await runFiveTimes(db.rows, n);
    await db.rows(statement(0));
    expect(await preparedTexts()).toEqual([]);
  });

  it('reads for an organization while the writes of three others wait for a lock', async () => {
    await pool.end();
    open({ max: 10, connectionTimeoutMillis: 5_000 });
    const lock = Math.floor(Math.random() * 1e9);
    await observer.query('SELECT pg_advisory_lock($1)', [lock]);
    const of = (organizationId: string) => db.forRequest({ organizationId });
    const wait = sql`SELECT pg_advisory_xact_lock_shared(${lock}::int)`;
    const writes = ['a', 'b', 'c'].flatMap((id) =>
      times(10, (n) =>
        n % 2 === 0 ? of(id).write(wait) : of(id).transaction((transaction) => transaction.rows(wait)),
      ),
    );
    expect(await of('d').rows(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    await observer.query('SELECT pg_advisory_unlock($1)', [lock]);
    await Promise.allSettled(writes);
  });

  it('closes a connection whose prepared statement has no valid plan any more', async () => {
    const table = raw(`changed_${randomUUID().replaceAll('-', '')}`);
    await db.write(sql`CREATE TABLE ${table} (n int)`);
    const read = () => db.rows(sql`SELECT n FROM ${table} WHERE ${1}::int = 1`);
    try {
      for (const _ of times(5, (n) => n)) await read();
      await observer.query(`ALTER TABLE ${table.text} ALTER n TYPE text`);
      await expect(read()).rejects.toThrow('cached plan');
      expect(await read()).toEqual([]);
    } finally {
      await observer.query(`DROP TABLE ${table.text}`);
    }
  });

  it('gives up a statement that gets no response, closes its connection, and uses another', async () => {
    const before = await backend();
    const error = await db.rows(sql`SELECT pg_sleep(2)`).catch((error: unknown) => error);
    expect(isStoreUnavailable(error)).toBe(true);
    expect(await backend()).not.toBe(before);
  });

  it('throws if COMMIT rolls back, because the error of a statement was ignored', async () => {
    const table = raw(`ignored_${randomUUID().replaceAll('-', '')}`);
    await db.write(sql`CREATE TABLE ${table} (n int UNIQUE)`);
    try {
      const written = db.transaction(async (transaction) => {
        await transaction.write(sql`INSERT INTO ${table} VALUES (1)`);
        await transaction.write(sql`INSERT INTO ${table} VALUES (1)`).catch(() => {});
      });
      await expect(written).rejects.toThrow('rolled back');
      expect(await db.rows(sql`SELECT n FROM ${table}`)).toEqual([]);
    } finally {
      await db.write(sql`DROP TABLE ${table}`);
    }
  });

  it('ends slow statements and lock waits through PgBouncer in time, whose sessions have no settings', async () => {
    const throughPgBouncer = createDatabase(fairPool, { beginStatement: beginWithSettings('request') });
    const request = throughPgBouncer.forRequest({ organizationId: 'org_a' });
    await expect(request.rows(sql`SELECT pg_sleep(60)`)).rejects.toThrow('took too long');
    const table = `locked_${randomUUID().replaceAll('-', '')}`;
    await observer.query(`CREATE TABLE ${table} (n int)`);
    try {
      await observer.query(`BEGIN; LOCK TABLE ${table}`);
      await expect(request.write(sql`INSERT INTO ${raw(table)} VALUES (1)`)).rejects.toThrow('lock timeout');
      expect(await request.rows(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    } finally {
      await observer.query(`ROLLBACK; DROP TABLE ${table}`);
    }
  });
});
