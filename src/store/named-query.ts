import pg from 'pg';
import type { Connection } from './shared-connections.ts';
import type { Statement } from './sql.ts';

/** What a client takes besides what its types tell of: a query of its own class, and who is called with its result. */
type TakesQuery = (query: pg.Query, callback: (error: Error | undefined, result: pg.QueryResult) => void) => void;

/**
 * Runs a statement that a connection parses once, under its name.
 *
 * As a query of the driver's class: an object with a text and a name is copied by the driver, property by property,
 * which takes as long as the rest of what it does to send the statement.
 *
 * @param connection a client; a pool would not know when it is done with one.
 */
export async function queryNamed(connection: Connection, name: string, statement: Statement): Promise<pg.QueryResult> {
  const query = Object.assign(new pg.Query(statement.text, statement.values), { name });
  const send = connection.query.bind(connection) as unknown as TakesQuery;
  try {
    return await new Promise((resolve, reject) => {
      send(query, (error, result) => (error ? reject(error) : resolve(result)));
    });
  } catch (error) {
    // Its stack leads to the socket, where nobody looks for who asked.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
