import pg from 'pg';

/** Watches a connection between the statements of a transaction. */
export interface ConnectionWatch {
  /** The error to report for a failed statement: if the connection was lost before, the reason. */
  explain(error: unknown): unknown;
  stop(): void;
}

/**
 * Keeps the error of a connection that is lost between two statements. The next statement would only report that the
 * connection is closed, and an unhandled error event would end the process.
 */
export function watchConnection(client: pg.PoolClient): ConnectionWatch {
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost ??= error;
  };
  client.on('error', onError);
  return {
    explain(error) {
      // The error of a statement, possibly wrapped, came before the loss of the connection.
      const { cause } = error as Error;
      return error instanceof pg.DatabaseError || cause instanceof pg.DatabaseError ? error : (lost ?? error);
    },
    stop: () => client.off('error', onError),
  };
}
