import type { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import pg from 'pg';
import type { Statement } from '../sql.ts';
import type { Connection } from './pending-statement.ts';

/** The protocol connection of a client; missing in the driver's types. */
export interface DriverConnection
  extends EventEmitter<{ errorMessage: [{ readonly code?: string }]; closeComplete: [] }> {
  /** The socket. */
  readonly stream: Writable;
  /** The texts of statements that PostgreSQL has parsed, by name. */
  readonly parsedStatements: Record<string, string>;
  /** The texts of statements whose Parse has no response yet, by name. */
  readonly submittedNamedStatements: Record<string, string>;
  close(message: { readonly type: 'S'; readonly name: string }): void;
}

export function connectionOf(client: pg.ClientBase): DriverConnection {
  return (client as unknown as { connection: DriverConnection }).connection;
}

interface QueryObject {
  readonly text: string;
  name: string | undefined;
  submit(connection: DriverConnection): Error | null;
  handleError(error: Error, connection: DriverConnection): void;
}
const QueryObject = pg.Query as unknown as new (text: string, values: readonly unknown[]) => QueryObject;

/**
 * A query object of the driver. Passing it instead of a query configuration halves the driver's time to send a
 * statement, because the driver copies the properties of configurations.
 */
export class DriverQuery extends QueryObject {
  /** @param query_timeout milliseconds, named as the driver expects; undefined for none. */
  constructor(
    { text, values }: Statement,
    readonly query_timeout: number | undefined,
  ) {
    super(text, values);
  }
}

// Missing in the driver's types.
type Submit = (query: DriverQuery, callback: (error: Error | undefined, result: pg.QueryResult) => void) => void;

/**
 * Sends a query object.
 *
 * @param connection a client; a pool would not know when the query ends.
 */
export async function submitQuery(connection: Connection, query: DriverQuery): Promise<pg.QueryResult> {
  const submit = connection.query.bind(connection) as unknown as Submit;
  try {
    return await new Promise((resolve, reject) => {
      submit(query, (error, result) => (error ? reject(error) : resolve(result)));
    });
  } catch (error) {
    // Replace the stack of the driver's error, which does not contain the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
