import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { Statement } from '../sql.ts';
import { type DriverConnection, DriverQuery, submitQuery } from './driver.ts';
import type { Connection } from './pending-statement.ts';

/**
 * The maximum number of prepared statements per connection. Limited, because each takes PostgreSQL up to 170 kB with its
 * plan, and callers can select fields in far more combinations.
 */
const MAX_PREPARED = 300;

/**
 * The maximum number of prepared statements with custom plans per connection, in addition to the others. Lower, because
 * filters have so many combinations that few are used again soon.
 */
const MAX_PREPARED_WITH_CUSTOM_PLAN = 50;

/** Longer statements, such as those with filters by many ids, would take PostgreSQL megabytes if they were prepared. */
const MAX_CHARACTERS_PREPARED_WITH_CUSTOM_PLAN = 5_000;

/**
 * Runs a statement as a prepared statement. Each connection keeps the most recently used ones.
 *
 * @param connection a client; a pool would not know when the query ends.
 * @param timeoutMs after which the driver destroys the connection; undefined for none.
 */
export function queryPrepared(
  connection: Connection,
  statement: Statement,
  timeoutMs: number | undefined,
): Promise<pg.QueryResult> {
  return submitQuery(connection, new PreparedQuery(statement, timeoutMs, statementsOf));
}

/** Runs a statement without preparing it. The parameters are those of {@link queryPrepared}. */
export function queryOnce(
  connection: Connection,
  statement: Statement,
  timeoutMs: number | undefined,
): Promise<pg.QueryResult> {
  return submitQuery(connection, new DriverQuery(statement, timeoutMs));
}

/**
 * Runs a SELECT as a prepared statement that always gets a custom plan, that is, one for its values. Otherwise PostgreSQL
 * can switch to a generic plan after five executions. The setting `plan_cache_mode` is not used, because it would apply
 * to all statements of the connection. Long statements are not prepared, which also gives them a custom plan.
 *
 * The parameters are those of {@link queryPrepared}.
 */
export function queryWithCustomPlan(
  connection: Connection,
  statement: Statement,
  timeoutMs: number | undefined,
): Promise<pg.QueryResult> {
  const { text, values } = statement;
  if (text.length > MAX_CHARACTERS_PREPARED_WITH_CUSTOM_PLAN) return queryOnce(connection, statement, timeoutMs);
  // The parameter is always true, so a custom plan does not contain the condition, and it is never evaluated. A generic
  // plan must contain it, and PostgreSQL rejects generic plans with such a high estimated cost.
  const condition = `$${values.length + 1}::boolean OR (SELECT count(*) FROM generate_series(1, 1000000000000)) > 0`;
  const planned = { text: `SELECT * FROM (${text}) result WHERE ${condition}`, values: [...values, true] };
  return submitQuery(connection, new PreparedQuery(planned, timeoutMs, statementsWithCustomPlanOf));
}

/**
 * A query whose statement name is determined when it is sent, so that names are allocated and closed in the order of
 * messages.
 */
class PreparedQuery extends DriverQuery {
  /** @param cacheOf returns the cache of a connection that keeps this statement. */
  constructor(
    statement: Statement,
    timeoutMs: number | undefined,
    private readonly cacheOf: (connection: DriverConnection) => PreparedStatements,
  ) {
    super(statement, timeoutMs);
  }

  override submit(connection: DriverConnection): Error | null {
    this.name = this.cacheOf(connection).nameFor(this.text);
    return super.submit(connection);
  }

  override handleError(error: Error, connection: DriverConnection): void {
    if (this.name !== undefined) this.cacheOf(connection).handleError(this.text, this.name, error);
    super.handleError(error, connection);
  }
}

const INVALID_STATEMENT_NAME = '26000';

/**
 * Names are unique across connections and never reused, so that they cannot refer to another statement, even with
 * messages in flight or a connection pooler that mixes up connections.
 */
const PREFIX = randomUUID().slice(0, 8);
let lastNumber = 0;

/** Prepared statements of one connection, of which the most recently used are kept. */
class PreparedStatements {
  readonly #connection: DriverConnection;
  /** The names of statements, by text. */
  readonly #names: LRUCache<string, string>;
  /** Closed names that the driver still has in `parsedStatements`. */
  readonly #closed = new Set<string>();

  constructor(connection: DriverConnection, max: number) {
    this.#connection = connection;
    this.#names = new LRUCache({ max, dispose: (name) => this.#close(name) });
    connection.on('closeComplete', () => this.#removeClosed());
  }

  /**
   * Returns the name for a statement; undefined while the first query with this statement is being parsed, so that
   * concurrent queries do not fail with it.
   */
  nameFor(text: string): string | undefined {
    const cachedName = this.#names.get(text);
    if (cachedName !== undefined)
      return this.#connection.parsedStatements[cachedName] === undefined ? undefined : cachedName;
    const name = `${PREFIX}_${++lastNumber}`;
    this.#names.set(text, name);
    return name;
  }

  /** Removes a statement that PostgreSQL could not parse or no longer has; the driver closes one that it cannot bind. */
  handleError(text: string, name: string, error: Error): void {
    const isKept =
      error instanceof pg.DatabaseError &&
      error.code !== INVALID_STATEMENT_NAME &&
      this.#connection.parsedStatements[name] !== undefined;
    if (!isKept && this.#names.peek(text) === name) this.#names.delete(text);
  }

  /**
   * Sends a Close message, which takes effect after the statements sent before it, also in aborted transactions, and
   * succeeds even for unknown names. The Sync of the next statement follows it.
   */
  #close(name: string): void {
    this.#connection.close({ type: 'S', name });
    this.#closed.add(name);
  }

  /**
   * Removes closed names from the driver's `parsedStatements`. The driver adds a name when the response to its Parse
   * arrives, so it can only be removed afterwards.
   */
  #removeClosed(): void {
    const { parsedStatements, submittedNamedStatements } = this.#connection;
    for (const name of this.#closed) {
      if (submittedNamedStatements[name] !== undefined) continue;
      delete parsedStatements[name];
      this.#closed.delete(name);
    }
  }
}

const statementsOf = createCachePerConnection(MAX_PREPARED);
const statementsWithCustomPlanOf = createCachePerConnection(MAX_PREPARED_WITH_CUSTOM_PLAN);

/** Returns a function that returns a cache of prepared statements of a connection, at most `max`. */
function createCachePerConnection(max: number): (connection: DriverConnection) => PreparedStatements {
  const byConnection = new WeakMap<DriverConnection, PreparedStatements>();
  return (connection) => {
    let statements = byConnection.get(connection);
    if (!statements) {
      statements = new PreparedStatements(connection, max);
      byConnection.set(connection, statements);
    }
    return statements;
  };
}
