import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { Statement } from '../sql.ts';
import type { Connection } from './pending-statement.ts';

/**
 * How many prepared statements a connection keeps. PostgreSQL needs up to 170 kB for each with its plan, and callers
 * can select fields in more ways than that.
 */
const MAX_PREPARED = 300;

/**
 * Runs a statement that a connection parses once, and keeps until too many others were used more recently.
 *
 * As a query of the driver's class: an object with a text and a name is copied by the driver, property by property,
 * which takes as long as the rest of what it does to send the statement.
 *
 * @param connection a client; a pool would not know when the query ends.
 * @param timeoutMs after which the driver destroys the connection; undefined: as the pool is configured.
 */
export async function queryPrepared(
  connection: Connection,
  { text, values }: Statement,
  timeoutMs?: number,
): Promise<pg.QueryResult> {
  const query = new PreparedQuery(text, values, timeoutMs);
  const send = connection.query.bind(connection) as unknown as SendQuery;
  try {
    return await new Promise((resolve, reject) => {
      send(query, (error, result) => (error ? reject(error) : resolve(result)));
    });
  } catch (error) {
    // The stack of the driver's error leads to the socket, not to the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

// What the driver's types leave out.
type SendQuery = (query: DriverQuery, callback: (error: Error | undefined, result: pg.QueryResult) => void) => void;
interface DriverConnection extends EventEmitter {
  /** The text of each statement that PostgreSQL has parsed, by name. */
  readonly parsedStatements: Record<string, string>;
  /** The same for those whose Parse PostgreSQL has not answered yet. */
  readonly submittedNamedStatements: Record<string, string>;
  close(message: { readonly type: 'S'; readonly name: string }): void;
}
interface DriverQuery {
  readonly text: string;
  name: string | undefined;
  submit(connection: DriverConnection): Error | null;
  handleError(error: Error, connection: DriverConnection): void;
}
const DriverQuery = pg.Query as unknown as new (text: string, values: readonly unknown[]) => DriverQuery;

/** Takes its name when it is sent, so that the order of names taken and closed is the order of the messages. */
class PreparedQuery extends DriverQuery {
  constructor(
    text: string,
    values: readonly unknown[],
    /** The driver reads it under this name. */
    readonly query_timeout: number | undefined,
  ) {
    super(text, values);
  }

  override submit(connection: DriverConnection): Error | null {
    this.name = statementsOf(connection).nameFor(this.text);
    return super.submit(connection);
  }

  override handleError(error: Error, connection: DriverConnection): void {
    if (this.name !== undefined) statementsOf(connection).handleError(this.text, this.name, error);
    super.handleError(error, connection);
  }
}

const INVALID_STATEMENT_NAME = '26000';

/**
 * A name is used for one statement of one connection and never again. Whatever is still in flight under it, and even
 * if a connection pooler mixes up connections, it cannot run another statement.
 */
const PREFIX = randomUUID().slice(0, 8);
let named = 0;

/** The prepared statements of one connection. */
class PreparedStatements {
  readonly #connection: DriverConnection;
  /** By text. */
  readonly #names: LRUCache<string, string>;
  /** Names that the driver still has to forget. */
  readonly #closed = new Set<string>();

  constructor(connection: DriverConnection) {
    this.#connection = connection;
    this.#names = new LRUCache({ max: MAX_PREPARED, dispose: (name) => this.#close(name) });
    connection.on('closeComplete', () => this.#forgetClosed());
  }

  /** Undefined until PostgreSQL has parsed the statement for the first query: if that fails, the others may not. */
  nameFor(text: string): string | undefined {
    const kept = this.#names.get(text);
    if (kept !== undefined) return this.#connection.parsedStatements[kept] === undefined ? undefined : kept;
    const name = `${PREFIX}_${++named}`;
    this.#names.set(text, name);
    return name;
  }

  /** Forgets a statement that PostgreSQL could not parse or no longer has; the driver closes one that it cannot bind. */
  handleError(text: string, name: string, error: Error): void {
    const isKept =
      error instanceof pg.DatabaseError &&
      error.code !== INVALID_STATEMENT_NAME &&
      this.#connection.parsedStatements[name] !== undefined;
    if (!isKept && this.#names.peek(text) === name) this.#names.delete(text);
  }

  /**
   * DEALLOCATE as a message of the protocol: it is carried out after the statements sent before it, in aborted
   * transactions too, and cannot fail, not even for a name that does not exist. The Sync of the next statement will do.
   */
  #close(name: string): void {
    this.#connection.close({ type: 'S', name });
    this.#closed.add(name);
  }

  /** When the answer to a Parse arrives the driver adds the name: until then it cannot be removed for good. */
  #forgetClosed(): void {
    const { parsedStatements, submittedNamedStatements } = this.#connection;
    for (const name of this.#closed) {
      if (submittedNamedStatements[name] !== undefined) continue;
      delete parsedStatements[name];
      this.#closed.delete(name);
    }
  }
}

const statements = new WeakMap<DriverConnection, PreparedStatements>();

function statementsOf(connection: DriverConnection): PreparedStatements {
  let ofConnection = statements.get(connection);
  if (!ofConnection) {
    ofConnection = new PreparedStatements(connection);
    statements.set(connection, ofConnection);
  }
  return ofConnection;
}
