import pg from 'pg';

/** What happened to a connection while no statement of its transaction was waiting for a result. */
export interface ConnectionWatch {
  /** The error to report for a statement that failed: why the connection was lost, where it was lost before. */
  explain(error: unknown): unknown;
  stop(): void;
}

/**
 * Remembers why a connection was lost between two statements. The next statement would only tell that the connection
 * is gone; as an event that nobody listens to, the error would end the process.
 */
export function watchConnection(client: pg.PoolClient): ConnectionWatch {
  let lost: Error | undefined;
  const remember = (error: Error) => {
    lost ??= error;
  };
  client.on('error', remember);
  // What the server said about the statement itself came first.
  return {
    explain: (error) => (error instanceof pg.DatabaseError ? error : (lost ?? error)),
    stop: () => client.off('error', remember),
  };
}
