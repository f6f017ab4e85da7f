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
      void together(pool, all.slice(first, first + STATEMENTS_PER_CONNECTION));
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

/** A connection that broke is not given back: the pool sees to that by itself. */
async function together(pool: pg.Pool, statements: readonly Waiting[]): Promise<void> {
  try {
    const client = await pool.connect();
    const results = inOneWrite(client, () =>
      statements.map(({ use, resolve, reject }) => use(client).then(resolve, reject)),
    );
    await Promise.all(results);
    client.release();
  } catch (error) {
    for (const { reject } of statements) reject(error);
  }
}

/**
 * The client writes each message by itself, five a statement; `connection.stream` is the socket below it. Joining
 * them costs less than what a socket does for every write, even for corked ones.
 */
function inOneWrite<Result>(client: pg.PoolClient, send: () => Result): Result {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
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
