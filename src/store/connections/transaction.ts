import pg from 'pg';

/**
 * Checks the result of COMMIT: if a statement failed and its error was ignored, PostgreSQL rolls back instead.
 *
 * @throws if it did.
 */
export function assertCommitted({ command }: Pick<pg.QueryResult, 'command'>): void {
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back, because a statement had failed');
}

/** Runs statements on one connection, inside one transaction. */
export type TransactionQuery = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/**
 * Makes the text format of values independent of the server's settings, and disables the timeouts of statements and
 * locks.
 */
const SETTINGS = `
  SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL bytea_output = 'hex';
  SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

/**
 * Runs `work` in one transaction without a time limit; rolls it back when `work` throws. `work` must not use the pool,
 * which has only one connection for the embedded database.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  begin: 'BEGIN' | 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  work: (query: TransactionQuery) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const run = (text: string, values: readonly unknown[] = []) => client.query({ text, values: [...values] });
  const query = async <Row>(text: string, values?: readonly unknown[]) => (await run(text, values)).rows as Row[];
  let broken = false;
  const watch = watchConnection(client);
  try {
    await query(begin);
    await query(SETTINGS);
    const result = await work(query);
    assertCommitted(await run('COMMIT'));
    return result;
  } catch (error) {
    await query('ROLLBACK').catch(() => {
      broken = true;
    });
    throw watch.explain(error);
  } finally {
    watch.stop();
    client.release(broken);
  }
}

/** Watches a connection between the statements of a transaction. */
interface ConnectionWatch {
  /** The error to report for a failed statement: if the connection was lost before, the reason. */
  explain(error: unknown): unknown;
  stop(): void;
}

/**
 * Keeps the error of a connection that is lost between two statements: the next statement would only report that the
 * connection is closed.
 */
export function watchConnection(client: pg.PoolClient): ConnectionWatch {
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost ??= error;
  };
  client.on('error', onError);
  return {
    explain(error) {
      // A database error, possibly wrapped, comes from the statement, before the connection was lost.
      const { cause } = error as Error;
      return error instanceof pg.DatabaseError || cause instanceof pg.DatabaseError ? error : (lost ?? error);
    },
    stop: () => client.off('error', onError),
  };
}
