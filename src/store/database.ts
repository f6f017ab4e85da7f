import pg from 'pg';
import { type FairPool, SERVICE } from './connections/fair-pool.ts';
import { StoreBusyError } from './connections/fair-queue.ts';
import { watchConnection } from './connections/lost-connection.ts';
import { NoPrimaryError } from './connections/servers.ts';
import type { Statement } from './sql.ts';
import type { Abort } from './statements/abort.ts';
import { sendCancelRequest } from './statements/cancel-request.ts';
import type { Connection } from './statements/pending-statement.ts';
import { queryPrepared } from './statements/prepared-statements.ts';
import { type SharedConnections, type StatementOwner, shareConnections } from './statements/shared-connections.ts';
import { QUERY_CANCELED } from './statements/statement-batch.ts';

/**
 * Runs SQL that was written with the `sql` tag, on the pool that Prisma Client shares.
 *
 * Every read and write of tenant records goes through here: one statement, its columns as asked.
 */
export interface Database {
  /** The rows of one read, each an object keyed by column name. It may share its connection with other reads. */
  rows<Row>(statement: Statement): Promise<Row[]>;
  /**
   * The same for a statement whose best plan depends on its values, such as a search: planned for them, and
   * on a connection of its own, so that no other statement waits for it.
   */
  rowsAlone<Row>(statement: Statement): Promise<Row[]>;
  /**
   * Runs one statement that writes, on a connection of its own, so that no read waits for its locks.
   *
   * @returns the rows that it returns.
   */
  write<Row>(statement: Statement): Promise<Row[]>;
  /**
   * Runs `work` in one transaction (READ COMMITTED). It is rolled back when `work` throws; the error
   * is passed on. A COMMIT that fails is an error too: nothing is acknowledged that is not stored.
   */
  transaction<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` so that a transaction it may be part of survives its failure: a savepoint inside a
   * transaction, nothing outside of one, where every statement stands alone.
   */
  attempt<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same database for one request: its organization shares connections fairly with others. */
  forRequest(request: DatabaseRequest): Database;
}

/** For whom statements run. */
export interface DatabaseRequest {
  readonly organizationId: string;
  /** Cancels the reads of the request that still run; writes are carried out. */
  readonly abort?: Abort | undefined;
}

export interface DatabaseOptions {
  /** Whether clients have sessions of their own: then they pipeline, and statements are prepared. Not so when embedded. */
  readonly ownSessions: boolean;
  /** Begins a transaction where a session lasts no longer (PgBouncer): nothing is prepared there. */
  readonly beginPooled?: string | undefined;
}

/** PostgreSQL ended a read of a request because it took longer than a statement may. */
export class ReadTimeoutError extends Error {
  override name = 'ReadTimeoutError';
}

/** A `Database` on a pool of connections. */
export function createDatabase(pool: FairPool, { ownSessions, beginPooled }: DatabaseOptions): Database {
  const connections = ownSessions ? shareConnections(pool) : unsharedConnections(pool);
  const query = ownSessions && !beginPooled ? queryPrepared : queryOnce;
  return databaseFor({ group: SERVICE }, { pool, connections, query, begin: beginPooled ?? 'BEGIN' });
}

/** For statements of a batch, which gives them up itself. */
const NO_TIMEOUT_MS = 86_400_000;

interface DatabaseParts {
  readonly pool: FairPool;
  readonly connections: SharedConnections;
  readonly query: Query;
  readonly begin: string;
}

function databaseFor(owner: StatementOwner, parts: DatabaseParts): Database {
  const { pool, connections, query, begin } = parts;
  return {
    rows: <Row>(statement: Statement) =>
      connections
        .share(owner, (client) => run<Row>(client, statement, query, NO_TIMEOUT_MS))
        .catch(explainTimeout(owner)),
    rowsAlone: <Row>(statement: Statement) =>
      connections
        .readAlone(owner, (client) => run<Row>(client, statement, queryOnce, NO_TIMEOUT_MS))
        .catch(explainTimeout(owner)),
    write: (statement) => connections.writeAlone(owner, (client) => run(client, statement, query, NO_TIMEOUT_MS)),
    attempt: (work) => work(),
    forRequest: ({ organizationId: group, abort }) => databaseFor({ group, abort }, parts),
    async transaction(work) {
      const client = await pool.connectFor(owner.group);
      const watch = watchConnection(client);
      try {
        await client.query(begin);
        const result = await work(insideTransaction(client, query));
        await client.query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        await client.query('ROLLBACK').then(
          () => client.release(),
          // The server may still run a statement: until that ends, it counts as a connection of the pool.
          () => void sendCancelRequest(client).then(() => client.release(true)),
        );
        throw watch.explain(error);
      } finally {
        watch.stop();
      }
    },
  };
}

/** What the service reads by itself is never too much for one statement. */
function explainTimeout({ group }: StatementOwner): (error: unknown) => never {
  return (error) => {
    const isTimeout = error instanceof pg.DatabaseError && error.code === QUERY_CANCELED && group !== SERVICE;
    throw isTimeout ? new ReadTimeoutError('The statement took too long', { cause: error }) : error;
  };
}

/** Each statement on any connection of the pool. One that is given up before it has one is not sent. */
function unsharedConnections(pool: FairPool): SharedConnections {
  const runAlone: SharedConnections['readAlone'] = async ({ group, abort }, use) => {
    if (abort?.reason) throw abort.reason;
    const client = await pool.connectFor(group, abort);
    let broken: Error | undefined;
    try {
      return await use(client);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  };
  return { share: runAlone, readAlone: runAlone, writeAlone: ({ group }, use) => runAlone({ group }, use) };
}

/** Inside a transaction a further one is a part of it that can fail alone. */
function insideTransaction(client: pg.PoolClient, query: Query): Database {
  const database: Database = {
    rows: (statement) => run(client, statement, query),
    rowsAlone: (statement) => run(client, statement, queryOnce),
    write: (statement) => run(client, statement, query),
    forRequest: () => database,
    transaction: (work) => database.attempt(() => work(database)),
    async attempt(work) {
      await client.query('SAVEPOINT attempt');
      try {
        const result = await work();
        await client.query('RELEASE SAVEPOINT attempt');
        return result;
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt');
        throw error;
      }
    },
  };
  return database;
}

type Query = typeof queryPrepared;

/** Parses the statement each time. */
const queryOnce: Query = (connection, { text, values }, query_timeout) =>
  connection.query({ text, values, ...(query_timeout && { query_timeout }) });

async function run<Row>(
  connection: Connection,
  statement: Statement,
  query: Query,
  timeoutMs?: number,
): Promise<Row[]> {
  return (await query(connection, statement, timeoutMs)).rows as Row[];
}

/** Whether an error says that a constraint of the database refused a write; its name when it does. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined;
}

/**
 * Whether the store may be reached later without anybody changing a setting: not so for a wrong password
 * or a database that does not exist.
 */
export function isStoreUnreachable(error: unknown): boolean {
  const isRefused = error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '');
  return isStoreUnavailable(error) && !isRefused;
}

/** SQLSTATE classes that say something about the statement, not about the store's health. */
const STATEMENT_FAULTS = ['0A', '21', '22', '23', '2B', '2F', '34', '42', 'P0'];

function isStatementFault(sqlState = ''): boolean {
  return STATEMENT_FAULTS.includes(sqlState.slice(0, 2));
}

/** An error of Prisma Client: what the driver said is inside. Its message quotes source code, which says nothing. */
interface PrismaError extends Error {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } } };
}

/** Without a SQLSTATE it is the connection that failed. */
function isReportedUnavailable({ meta }: PrismaError): boolean {
  const cause = meta?.driverAdapterError?.cause;
  return cause !== undefined && !isStatementFault(cause.originalCode);
}

/** The driver's errors without a code, by their whole messages: errors of other code mention connections too. */
const DRIVER_CONNECTION_ERRORS: readonly string[] = [
  'Cannot use a pool after calling end on the pool',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Query read timeout',
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
  'timeout exceeded when trying to connect',
  'timeout expired',
];

/**
 * Whether an error means that the store is out of reach or out of strength: no connection, a killed
 * backend (which `pg` reports as a plain Error), a timeout, a server that is shutting down.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return !isStatementFault(error.code);
  if (error instanceof StoreBusyError || error instanceof ReadTimeoutError || error instanceof NoPrimaryError)
    return true;
  if (!(error instanceof Error)) return false;
  if (error.name.startsWith('PrismaClient')) return isReportedUnavailable(error as PrismaError);
  const code = (error as NodeJS.ErrnoException).code;
  return (
    (code !== undefined && /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code)) ||
    DRIVER_CONNECTION_ERRORS.includes(error.message)
  );
}
