import pg from 'pg';
import { type FairPool, SERVICE } from './connections/fair-pool.ts';
import { watchConnection } from './connections/lost-connection.ts';
import { ReadTimeoutError } from './errors.ts';
import type { Statement } from './sql.ts';
import type { Abort } from './statements/abort.ts';
import { sendCancelRequest } from './statements/cancel-request.ts';
import type { Connection } from './statements/pending-statement.ts';
import { queryOnce, queryPrepared, queryWithCustomPlan } from './statements/prepared-statements.ts';
import { QUERY_CANCELED } from './statements/statement-batch.ts';
import { createStatementRunner, type StatementOwner, type StatementRunner } from './statements/statement-runner.ts';

/**
 * Runs statements of the `sql` tag on the connection pool that it shares with Prisma Client. All reads and writes of
 * tenant records use it.
 */
export interface Database {
  /** Runs a read; returns rows keyed by column name. It may share its connection with other reads. */
  rows<Row>(statement: Statement): Promise<Row[]>;
  /**
   * Runs a SELECT whose best plan depends on its values, such as a search: PostgreSQL plans it each time. It runs on a
   * separate connection, so that no other statement waits for it.
   */
  queryUnshared<Row>(statement: Statement): Promise<Row[]>;
  /**
   * Returns the number of rows that PostgreSQL estimates for a SELECT and its values. Reads no rows; runs on a separate
   * connection.
   */
  estimateRows(statement: Statement): Promise<number>;
  /**
   * Runs a statement that writes, on a separate connection, so that no read waits for its locks.
   *
   * @returns the rows of its RETURNING clause.
   */
  write<Row>(statement: Statement): Promise<Row[]>;
  /**
   * Runs `work` in one transaction (READ COMMITTED), which is rolled back when `work` throws. Also throws if COMMIT
   * fails, so that a write is acknowledged only if it is stored.
   */
  transaction<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in a savepoint, so that its failure does not abort the transaction. Outside of a transaction, it only
   * calls `work`.
   */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The database for one request, whose organization shares connections fairly with others. */
  forRequest(request: DatabaseRequest): Database;
}

/** The request that statements belong to. */
export interface DatabaseRequest {
  readonly organizationId: string;
  /** Cancels running reads of the request; writes are completed. */
  readonly abort?: Abort | undefined;
}

export interface DatabaseOptions {
  /**
   * Whether each connection has its own session; statements are then pipelined and prepared. False for the embedded
   * database.
   */
  readonly hasSessions: boolean;
  /** The BEGIN statement for PgBouncer, whose sessions last for one transaction; statements are not prepared there. */
  readonly beginStatement?: string | undefined;
}

/** A `Database` on a pool of connections. */
export function createDatabase(pool: FairPool, { hasSessions, beginStatement }: DatabaseOptions): Database {
  const runner = hasSessions ? createStatementRunner(pool) : createUnsharedRunner(pool);
  const isPrepared = hasSessions && !beginStatement;
  return databaseFor(
    { group: SERVICE },
    {
      pool,
      runner,
      query: isPrepared ? queryPrepared : queryOnce,
      queryWithCustomPlan: isPrepared ? queryWithCustomPlan : queryOnce,
      begin: beginStatement ?? 'BEGIN',
    },
  );
}

interface DatabaseParts {
  readonly pool: FairPool;
  readonly runner: StatementRunner;
  readonly query: Query;
  /** Like `query`, but PostgreSQL plans the statement each time. */
  readonly queryWithCustomPlan: Query;
  readonly begin: string;
}

function databaseFor(owner: StatementOwner, parts: DatabaseParts): Database {
  const { pool, runner, query, queryWithCustomPlan, begin } = parts;
  return {
    rows: <Row>(statement: Statement) =>
      runner.runSharedRead(owner, (client) => run<Row>(client, statement, query)).catch(convertTimeout(owner)),
    queryUnshared: <Row>(statement: Statement) =>
      runner.runRead(owner, (client) => run<Row>(client, statement, queryWithCustomPlan)).catch(convertTimeout(owner)),
    estimateRows: (statement) =>
      runner.runRead(owner, (client) => estimate(client, statement)).catch(convertTimeout(owner)),
    write: (statement) => runner.runWrite(owner, (client) => run(client, statement, query)),
    savepoint: (work) => work(),
    forRequest: ({ organizationId: group, abort }) => databaseFor({ group, abort }, parts),
    async transaction(work) {
      const client = await pool.connectFor(owner.group);
      const watch = watchConnection(client);
      try {
        await client.query(begin);
        const result = await work(transactionDatabase(client, parts));
        await client.query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        await client.query('ROLLBACK').then(
          () => client.release(),
          // The server may still run a statement, so the connection stays in the pool until the statement is cancelled.
          () => void sendCancelRequest(client).then(() => client.release(true)),
        );
        throw watch.explain(error);
      } finally {
        watch.stop();
      }
    },
  };
}

/** Converts statement timeouts to ReadTimeoutErrors, except those of the service's own reads. */
function convertTimeout({ group }: StatementOwner): (error: unknown) => never {
  return (error) => {
    const isTimeout = error instanceof pg.DatabaseError && error.code === QUERY_CANCELED && group !== SERVICE;
    throw isTimeout ? new ReadTimeoutError('The statement took too long', { cause: error }) : error;
  };
}

/** Runs each statement on a separate connection; one that is aborted while it waits is not sent. */
function createUnsharedRunner(pool: FairPool): StatementRunner {
  const runRead: StatementRunner['runRead'] = async ({ group, abort }, runOn) => {
    if (abort?.reason) throw abort.reason;
    const client = await pool.connectFor(group, abort);
    let broken: Error | undefined;
    try {
      return await runOn(client);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  };
  return {
    runSharedRead: runRead,
    runRead,
    runWrite: ({ group }, runOn) => runRead({ group }, runOn),
  };
}

/** The database within a transaction; nested transactions are savepoints. */
function transactionDatabase(client: pg.PoolClient, { pool, query, queryWithCustomPlan }: DatabaseParts): Database {
  const timeoutMs = pool.options.query_timeout;
  const database: Database = {
    rows: (statement) => run(client, statement, query, timeoutMs),
    queryUnshared: (statement) => run(client, statement, queryWithCustomPlan, timeoutMs),
    estimateRows: (statement) => estimate(client, statement, timeoutMs),
    write: (statement) => run(client, statement, query, timeoutMs),
    forRequest: () => database,
    transaction: (work) => database.savepoint(() => work(database)),
    async savepoint(work) {
      await client.query('SAVEPOINT nested');
      try {
        const result = await work();
        await client.query('RELEASE SAVEPOINT nested');
        return result;
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT nested; RELEASE SAVEPOINT nested');
        throw error;
      }
    },
  };
  return database;
}

type Query = typeof queryPrepared;

async function run<Row>(
  connection: Connection,
  statement: Statement,
  query: Query,
  timeoutMs?: number,
): Promise<Row[]> {
  return (await query(connection, statement, timeoutMs)).rows as Row[];
}

async function estimate(connection: Connection, { text, values }: Statement, timeoutMs?: number): Promise<number> {
  const statement = { text: `EXPLAIN (FORMAT JSON) ${text}`, values };
  type Explained = { 'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }] };
  const [explained] = await run<Explained>(connection, statement, queryOnce, timeoutMs);
  return explained?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
