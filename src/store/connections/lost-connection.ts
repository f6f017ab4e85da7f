import pg from 'pg';

/** Watches a connection between the statements of a transaction. */
export interface ConnectionWatch {
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
