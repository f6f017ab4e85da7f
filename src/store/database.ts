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
 * Runs SQL of the `sql` tag on the pool that Prisma Client shares.
 *
 * All reads and writes of tenant records go through it.
 */
export interface Database {
  /** Runs a read; returns rows keyed by column name. It may share its connection with other reads. */
  rows<Row>(statement: Statement): Promise<Row[]>;
  /**
   * Runs a read whose best plan depends on its values, such as a search: unprepared, and on a separate connection, so
   * that no other statement waits for it.
   */
  queryUnshared<Row>(statement: Statement): Promise<Row[]>;
  /**
   * Runs a statement that writes, on a separate connection, so that no read waits for its locks.
   *
   * @returns the rows of its RETURNING clause.
   */
  write<Row>(statement: Statement): Promise<Row[]>;
  /**
   * Runs `work` in one transaction (READ COMMITTED), which is rolled back when `work` throws. A failed COMMIT throws too,
   * so that nothing is acknowledged that is not stored.
   */
  transaction<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in a savepoint, so that its failure does not abort the transaction. Outside of a transaction, just runs it.
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
  /** Whether clients have separate sessions, unlike in the embedded database: then they pipeline and prepare statements. */
  readonly hasSessions: boolean;
  /** The BEGIN statement for PgBouncer, whose sessions last for one transaction; statements are not prepared there. */
  readonly beginStatement?: string | undefined;
}

/** A read of a request exceeded the statement timeout. */
export class ReadTimeoutError extends Error {
  override name = 'ReadTimeoutError';
}

/** A `Database` on a pool of connections. */
export function createDatabase(pool: FairPool, { hasSessions, beginStatement }: DatabaseOptions): Database {
  const connections = hasSessions ? shareConnections(pool) : unsharedConnections(pool);
  const query = hasSessions && !beginStatement ? queryPrepared : queryOnce;
  return databaseFor({ group: SERVICE }, { pool, connections, query, begin: beginStatement ?? 'BEGIN' });
}

/** Effectively no driver timeout: batches have their own. */
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
    queryUnshared: <Row>(statement: Statement) =>
      connections
        .readAlone(owner, (client) => run<Row>(client, statement, queryOnce, NO_TIMEOUT_MS))
        .catch(explainTimeout(owner)),
    write: (statement) => connections.writeAlone(owner, (client) => run(client, statement, query, NO_TIMEOUT_MS)),
    savepoint: (work) => work(),
    forRequest: ({ organizationId: group, abort }) => databaseFor({ group, abort }, parts),
    async transaction(work) {
      const client = await pool.connectFor(owner.group);
      const watch = watchConnection(client);
      try {
        await client.query(begin);
        const result = await work(transactionDatabase(client, query));
        await client.query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        await client.query('ROLLBACK').then(
          () => client.release(),
          // The server may still run a statement, so the connection occupies the pool until it is cancelled.
          () => void sendCancelRequest(client).then(() => client.release(true)),
        );
        throw watch.explain(error);
      } finally {
        watch.stop();
      }
    },
  };
}

/** Converts statement timeouts of requests, but not of the service's own reads, to ReadTimeoutErrors. */
function explainTimeout({ group }: StatementOwner): (error: unknown) => never {
  return (error) => {
    const isTimeout = error instanceof pg.DatabaseError && error.code === QUERY_CANCELED && group !== SERVICE;
    throw isTimeout ? new ReadTimeoutError('The statement took too long', { cause: error }) : error;
  };
}

/** Runs each statement on a separate connection; one that is aborted while it waits is not sent. */
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

/** The database within a transaction; nested transactions are savepoints. */
function transactionDatabase(client: pg.PoolClient, query: Query): Database {
  const database: Database = {
    rows: (statement) => run(client, statement, query),
    queryUnshared: (statement) => run(client, statement, queryOnce),
    write: (statement) => run(client, statement, query),
    forRequest: () => database,
    transaction: (work) => database.savepoint(() => work(database)),
    async savepoint(work) {
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

/** Runs a statement without preparing it. */
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

/** The name of the constraint that refused a write; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined;
}

/**
 * Whether retrying to connect may succeed without a change of settings; not for a wrong password or an unknown database.
 */
export function isStoreUnreachable(error: unknown): boolean {
  const isRefused = error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '');
  return isStoreUnavailable(error) && !isRefused;
}

/** SQLSTATE classes of errors in the statement, not of an unhealthy store. */
const STATEMENT_ERROR_CLASSES = ['0A', '21', '22', '23', '2B', '2F', '34', '42', 'P0'];

function isStatementError(sqlState = ''): boolean {
  return STATEMENT_ERROR_CLASSES.includes(sqlState.slice(0, 2));
}

/** An error of Prisma Client, which wraps the driver's error. */
interface PrismaError extends Error {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } } };
}

/** Without a SQLSTATE, the connection failed. */
function isReportedUnavailable({ meta }: PrismaError): boolean {
  const cause = meta?.driverAdapterError?.cause;
  return cause !== undefined && !isStatementError(cause.originalCode);
}

/** Messages of driver errors without a code; matched exactly, because other errors mention connections too. */
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
 * Whether an error means that the store is unavailable or overloaded: no connection, a killed backend (which `pg` reports
 * as a plain Error), a timeout, a server that is shutting down.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return !isStatementError(error.code);
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
