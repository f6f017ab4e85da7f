import { AsyncResource } from 'node:async_hooks';
import type { Writable } from 'node:stream';
import type pg from 'pg';

/** How many statements share a connection: with more, the last would wait too long for the first. */
const STATEMENTS_PER_CONNECTION = 8;

/** What runs a statement: a client, or a pool for any of its clients. */
export type Connection = Pick<pg.Pool, 'query'>;

/** Runs a statement on a connection that others of the same turn of the event loop use too. */
export type Share = <Result>(use: (connection: Connection) => Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly use: (connection: Connection) => Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Lets statements that are asked for in one turn of the event loop share connections of a pool whose
 * clients pipeline: they go out in one write and come back in one read, each standing alone. Under load
 * that saves most of what a round trip costs both sides.
 */
export function shareConnections(pool: pg.Pool): Share {
  let waiting: Waiting[] = [];
  const connect = () => {
    const all = waiting;
    waiting = [];
    for (let first = 0; first < all.length; first += STATEMENTS_PER_CONNECTION) {
      void runPipelined(pool, all.slice(first, first + STATEMENTS_PER_CONNECTION));
    }
  };
  return <Result>(use: (connection: Connection) => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(connect);
      // Whoever traces statements finds the request by its asynchronous context.
      const asked = new AsyncResource('Statement');
      waiting.push({
        use: (connection) => asked.runInAsyncScope(use, undefined, connection),
        resolve: resolve as (result: unknown) => void,
        reject,
      });
    });
}

/** A connection that broke is removed by the pool itself when it is released. */
async function runPipelined(pool: pg.Pool, statements: readonly Waiting[]): Promise<void> {
  let client: pg.PoolClient | undefined;
  let failure: Error | undefined;
  try {
    const connected = await pool.connect();
    client = connected;
    await Promise.all(coalesceWrites(connected, () => statements.map((statement) => settle(statement, connected))));
  } catch (error) {
    failure = error as Error;
    for (const { reject } of statements) reject(failure);
    // It is unknown what was sent. The client alone would not end before results that may never come.
    if (client) streamOf(client).destroy();
  } finally {
    client?.release(failure);
  }
}

/** Never rejects: a statement that fails, even before it is sent, fails alone. */
async function settle({ use, resolve, reject }: Waiting, client: pg.PoolClient): Promise<void> {
  try {
    resolve(await use(client));
  } catch (error) {
    reject(error);
  }
}

/** The socket of a client. */
function streamOf(client: pg.PoolClient): Writable {
  return (client as unknown as { connection: { stream: Writable } }).connection.stream;
}

/**
 * The client writes each message by itself, five a statement. Joining them costs less than what a socket does for
 * every write, even for corked ones.
 */
function coalesceWrites<Result>(client: pg.PoolClient, send: () => Result): Result {
  const stream = streamOf(client);
  const { write } = stream;
  const messages: Buffer[] = [];
  stream.write = (message: Buffer) => messages.push(message) > 0;
  try {
    return send();
  } finally {
    // Put back, not deleted: an object that loses a property is slow from then on, and so is all that reads of sockets.
    stream.write = write;
    if (messages.length > 0) stream.write(Buffer.concat(messages));
  }
}
