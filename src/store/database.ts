import pg from 'pg';
import type { Abort } from './connections/abort.ts';
import { startTimer } from './connections/blocked-event-loop.ts';
import { FairQueue, StoreBusyError } from './connections/fair-queue.ts';
import type { ReadPipeline } from './connections/read-pipeline.ts';
import { type ConnectionOwner, type FairPool, SERVICE } from './connections/server-pool.ts';
import { assertCommitted, watchConnection } from './connections/transaction.ts';
import { ReadTimeoutError } from './errors.ts';
import { assertVersionSupported } from './migrations/schema-version.ts';
import type { Statement } from './sql.ts';
import { StatementNames } from './statement-names.ts';

/**
 * Runs statements of the `sql` tag on a connection pool. The APIs read and write tenant records with it; imports use the pool.
 */
export interface Database {
  /**
   * Runs a read, or any statement within a transaction; returns rows keyed by column name. Statements that are run often are
   * prepared.
   *
   * @param isShort whether it reads few rows by keys or in the order of an index, see {@link ReadPipeline}.
   */
  rows<Row>(statement: Statement, isShort?: boolean): Promise<Row[]>;
  /**
   * Runs a SELECT whose best plan depends on its values, such as a list with filters: PostgreSQL plans it each time, because it is
   * not prepared.
   */
  rowsUnprepared<Row>(statement: Statement): Promise<Row[]>;
  /**
   * Runs a statement that writes, outside of a transaction too. It is completed even if its request is aborted.
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
  /** Ends the wait for a connection; a read that was sent runs to its end, a write is completed. */
  readonly abort?: Abort | undefined;
  /**
   * The oldest version of the service that works with the schema, as the request has read it. If this version is older,
   * writes throw {@link OutdatedVersionError}.
   */
  readonly minimumVersion?: string;
}

export interface DatabaseOptions {
  /** Whether statements are prepared. False for sessions that clients share: the embedded database and PgBouncer. */
  readonly isPrepared?: boolean;
  /**
   * The BEGIN statement for PgBouncer, which sets the timeouts of the transaction. Each statement is run in one, because
   * a session of PgBouncer has no settings.
   */
  readonly beginStatement?: string | undefined;
  /** The time after which a statement without a response is abandoned and its connection closed; 0 for no limit. */
  readonly responseTimeoutMs?: number;
  /** Runs short reads. Undefined for sessions that clients share. */
  readonly pipeline?: ReadPipeline | undefined;
  /** Called with the SQLSTATE of each failed statement. */
  readonly onError?: (sqlState: string) => void;
}

/** A `Database` on a pool of connections. */
export function createDatabase(pool: FairPool, options: DatabaseOptions): Database {
  return databaseFor({ group: SERVICE }, new StatementSender(pool, options));
}

/** SQLSTATE of a cancelled statement, also by `statement_timeout`. */
const QUERY_CANCELED = '57014';

/** SQLSTATE of a write on a read-only server. */
const READ_ONLY = '25006';

/**
 * SQLSTATEs after which a connection is closed: the server is read-only or shuts down, or a prepared statement has no valid
 * plan, because the schema changed, or does not exist any more.
 */
const UNUSABLE = /^(25006|57P0.|0A000|26000)$/;

/** Each write locks the counter of its organization, so a second one would only occupy a connection. */
const MAX_WRITES_PER_GROUP = 1;

/** The share of the connections that writes may occupy, so that those that wait for locks never delay all reads. */
const MAX_WRITE_SHARE = 0.7;

/** Runs statements on the connections of a pool. */
class StatementSender {
  private readonly writes: FairQueue;
  private readonly names = new StatementNames();
  /** The generation of the names of a connection's prepared statements. */
  private readonly generations = new WeakMap<pg.PoolClient, number>();

  constructor(
    private readonly pool: FairPool,
    private readonly options: DatabaseOptions,
  ) {
    const slots = Math.max(1, Math.floor(pool.maxConnections * MAX_WRITE_SHARE));
    this.writes = new FairQueue({ slots, maxWaitMs: pool.maxWaitMs, maxPerGroup: MAX_WRITES_PER_GROUP });
  }

  /** Runs a write of a group when the group may run another one. The service's own writes do not wait. */
  async write<Result>(group: string, work: (owner: ConnectionOwner) => Promise<Result>): Promise<Result> {
    if (group === SERVICE) return work({ group });
    const startedAt = performance.now();
    await this.writes.take(group);
    try {
      return await work({ group, waitedMs: performance.now() - startedAt, isWriter: true });
    } finally {
      this.writes.release(group);
    }
  }

  async connect(owner: ConnectionOwner): Promise<pg.PoolClient> {
    if (owner.abort?.reason) throw owner.abort.reason;
    const client = await this.pool.connect(owner);
    if (!this.generations.has(client)) this.generations.set(client, this.names.generation);
    return client;
  }

  /** Releases a connection after its last statement. @param error why that failed. */
  release(client: pg.PoolClient, error?: unknown): void {
    client.release(!this.isReusable(client, error));
  }

  /** Whether a connection can be used after a statement. @param error why that failed. */
  private isReusable(client: pg.PoolClient, error?: unknown): boolean {
    const isUsable = error === undefined || isOfStatement(error);
    return isUsable && this.generations.get(client) === this.names.generation;
  }

  /** Sends a statement. @param isPrepared whether it may be a prepared one. */
  async send(client: pg.PoolClient, { text, values }: Statement, isPrepared = false): Promise<pg.QueryResult> {
    const { responseTimeoutMs = 0, onError } = this.options;
    const name = isPrepared && this.options.isPrepared ? this.names.nameOf(text) : undefined;
    try {
      return await new Promise((resolve, reject) => {
        const giveUp = () => reject(new StoreBusyError('PostgreSQL did not respond in time'));
        const stopTimer = responseTimeoutMs > 0 ? startTimer(responseTimeoutMs, giveUp) : undefined;
        // A callback, because a promise of the driver costs memory, see "Objects that are expensive for V8" in
        // docs/architecture.md.
        client.query({ name, text, values } as pg.QueryConfig, (error, result) => {
          stopTimer?.();
          if (error) reject(error);
          else resolve(result);
        });
      });
    } catch (error) {
      // The driver's stack does not contain the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      if (error instanceof pg.DatabaseError) {
        onError?.(error.code ?? '');
        if (error.code === READ_ONLY) this.pool.reportReadOnly();
      }
      throw error;
    }
  }

  /**
   * Runs a short read of an organization in the pipeline. If it is not short after all, or the connection of the pipeline
   * breaks, it is run once more on a connection of the pool.
   */
  async runShort<Row>(owner: ConnectionOwner, statement: Statement): Promise<Row[]> {
    const { pipeline } = this.options;
    if (!pipeline || owner.group === SERVICE || !pipeline.accepts(owner.group)) return this.run(owner, statement, true);
    if (owner.abort?.reason) throw owner.abort.reason;
    let isSent = false;
    const send = async (client: pg.PoolClient) => {
      isSent = true;
      if (!this.generations.has(client)) this.generations.set(client, this.names.generation);
      return (await this.send(client, statement, true)).rows;
    };
    try {
      return await pipeline.run(owner, send, (client, error) => !this.isReusable(client, error));
    } catch (error) {
      const isCancelled = error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
      if (isCancelled) pipeline.exclude(owner.group);
      else if (!isSent || error instanceof StoreBusyError || isOfStatement(error)) throw error;
      return this.run(owner, statement, true);
    }
  }

  /** Runs one statement. */
  async run<Row>(owner: ConnectionOwner, statement: Statement, isPrepared: boolean): Promise<Row[]> {
    if (this.options.beginStatement) {
      return this.transact(owner, async (client) => (await this.send(client, statement)).rows);
    }
    const client = await this.connect(owner);
    let failure: unknown;
    try {
      return (await this.send(client, statement, isPrepared)).rows;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      this.release(client, failure);
    }
  }

  /** Runs `work` in a transaction. */
  async transact<Result>(owner: ConnectionOwner, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.connect(owner);
    const watch = watchConnection(client);
    let failure: unknown;
    try {
      await this.send(client, commandOf(this.options.beginStatement ?? 'BEGIN'));
      const result = await work(client);
      assertCommitted(await this.send(client, commandOf('COMMIT')));
      return result;
    } catch (error) {
      // A connection without a response cannot run ROLLBACK either.
      failure = error instanceof StoreBusyError ? error : ((await this.rollBack(client)) ?? databaseErrorOf(error));
      throw watch.explain(error);
    } finally {
      watch.stop();
      this.release(client, failure);
    }
  }

  /** Rolls back. @returns why the connection cannot be used any more. */
  private async rollBack(client: pg.PoolClient): Promise<unknown> {
    try {
      await this.send(client, commandOf('ROLLBACK'));
      return undefined;
    } catch (error) {
      return error;
    }
  }
}

/** Whether an error is about a statement only, so that its connection can be used further. */
function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !UNUSABLE.test(error.code ?? '');
}

/** The error of PostgreSQL that a transaction failed with, if it did. */
function databaseErrorOf(error: unknown): pg.DatabaseError | undefined {
  return error instanceof pg.DatabaseError ? error : undefined;
}

/** A statement without values. */
function commandOf(text: string): Statement {
  return { text, values: [] };
}

function databaseFor(owner: ConnectionOwner, sender: StatementSender, minimumVersion?: string): Database {
  const onFailure = convertTimeout(owner);
  const runAsWriter = async <Result>(work: (writer: ConnectionOwner) => Promise<Result>): Promise<Result> => {
    assertVersionSupported(minimumVersion);
    return sender.write(owner.group, work);
  };
  return {
    rows: <Row>(statement: Statement, isShort?: boolean) =>
      (isShort ? sender.runShort<Row>(owner, statement) : sender.run<Row>(owner, statement, true)).catch(onFailure),
    rowsUnprepared: <Row>(statement: Statement) => sender.run<Row>(owner, statement, false).catch(onFailure),
    write: (statement) => runAsWriter((writer) => sender.run(writer, statement, true)),
    savepoint: (work) => work(),
    forRequest: ({ organizationId: group, abort, minimumVersion }) =>
      databaseFor({ group, abort }, sender, minimumVersion),
    transaction: (work) =>
      runAsWriter((writer) => sender.transact(writer, (client) => work(transactionDatabase(client, sender)))),
  };
}

/** Converts statement timeouts to ReadTimeoutErrors, except those of the service's own reads. */
function convertTimeout({ group }: ConnectionOwner): (error: unknown) => never {
  return (error) => {
    const isTimeout = error instanceof pg.DatabaseError && error.code === QUERY_CANCELED && group !== SERVICE;
    throw isTimeout ? new ReadTimeoutError('The statement took too long', { cause: error }) : error;
  };
}

/** The database within a transaction; nested transactions are savepoints. */
function transactionDatabase(client: pg.PoolClient, sender: StatementSender): Database {
  const run = async <Row>(statement: Statement, isPrepared: boolean): Promise<Row[]> =>
    (await sender.send(client, statement, isPrepared)).rows;
  const database: Database = {
    rows: (statement) => run(statement, true),
    rowsUnprepared: (statement) => run(statement, false),
    write: (statement) => run(statement, true),
    forRequest: () => database,
    transaction: (work) => database.savepoint(() => work(database)),
    async savepoint(work) {
      await sender.send(client, commandOf('SAVEPOINT nested'));
      try {
        const result = await work();
        await sender.send(client, commandOf('RELEASE SAVEPOINT nested'));
        return result;
      } catch (error) {
        await sender.send(client, commandOf('ROLLBACK TO SAVEPOINT nested; RELEASE SAVEPOINT nested'));
        throw error;
      }
    },
  };
  return database;
}
