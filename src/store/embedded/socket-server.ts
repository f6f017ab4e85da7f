import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A database with a single session, as PGlite is. */
export interface SingleSession {
  /** Executes protocol messages; returns the responses. */
  execute(messages: Buffer): Buffer;
  isInTransaction(): boolean;
}

export interface SocketServerOptions {
  readonly socketPath: string;
  /** The maximum idle time of a transaction while other connections wait. */
  readonly idleInTransactionMs: number;
  /** Called when an idle transaction was rolled back and its connection closed. */
  readonly onIdleInTransaction: () => void;
}

/** Idle time is counted in this number of steps, so that a process that was suspended has not exceeded the limit. */
const IDLE_STEPS = 10;

const SYNC = message('S');
const ROLLBACK = message('Q', 'ROLLBACK\0');
/** The same message as that of a PostgreSQL server. */
const IDLE_IN_TRANSACTION = message(
  'E',
  'SFATAL\0VFATAL\0C25P03\0Mterminating connection due to idle-in-transaction timeout\0\0',
);

/**
 * Shares the single session of a database among clients of a Unix socket. Their requests wait in one queue. A connection
 * with an open transaction or a pending Sync has exclusive use of the session; if it is idle for too long while others
 * wait, its transaction is rolled back and the connection closed.
 *
 * @returns a function that closes all connections and rolls back their open transactions.
 */
export async function serveSession(session: SingleSession, options: SocketServerOptions): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  let queue: ClientRequest[] = [];
  let owner: Socket | undefined;
  let running = false;
  let idleSteps = 0;

  /** Runs one request per turn of the event loop, so that others can be queued meanwhile. */
  const runNext = () => {
    const index = queue.findIndex(({ client }) => !owner || client === owner);
    const [next] = index === -1 ? [] : queue.splice(index, 1);
    running = next !== undefined;
    if (!next) return;
    const { client, bytes, syncPending } = next;
    const response = session.execute(bytes);
    owner = syncPending || session.isInTransaction() ? client : undefined;
    idleSteps = 0;
    if (!client.destroyed) client.write(response);
    setImmediate(runNext);
  };

  const start = () => {
    if (running) return;
    running = true;
    setImmediate(runNext);
  };

  const release = (client: Socket) => {
    queue = queue.filter((queued) => queued.client !== client);
    if (owner !== client) return;
    session.execute(SYNC);
    if (session.isInTransaction()) session.execute(ROLLBACK);
    owner = undefined;
    start();
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    readRequests(socket, (request) => {
      queue.push(request);
      start();
    });
    // Handled by 'close', which follows.
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      release(socket);
    });
  });

  const idle = setInterval(() => {
    if (!owner || running) return;
    idleSteps += 1;
    if (idleSteps < IDLE_STEPS || queue.length === 0) return;
    const socket = owner;
    options.onIdleInTransaction();
    release(socket);
    // Closes only this side of the connection: a client that sends its next statement before it reads would otherwise
    // lose the error message.
    socket.removeAllListeners('readable').resume().end(IDLE_IN_TRANSACTION);
  }, options.idleInTransactionMs / IDLE_STEPS);

  await once(server.listen(options.socketPath), 'listening');
  return () =>
    new Promise((resolve) => {
      clearInterval(idle);
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
}

/** A protocol message: type, length and body. */
function message(type: string, body = ''): Buffer {
  const header = Buffer.alloc(5, type);
  header.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([header, Buffer.from(body)]);
}

/** A request of the PostgreSQL protocol to a server without authentication and encryption. */
interface ClientRequest {
  readonly client: Socket;
  readonly bytes: Buffer;
  /** Whether it ended with a Flush: the next messages of this client, up to a Sync, then belong to the same query. */
  readonly syncPending: boolean;
}

const PROTOCOL_3 = 196_608;

/**
 * The header of a message is its type and length; that of a startup message is its length and version. The length counts
 * itself and all that follows it, of which the minimum is in the header.
 */
const STARTUP = { headerBytes: 8, lengthOffset: 0, minLength: 8, maxLength: 10_000 };
const MESSAGE = { headerBytes: 5, lengthOffset: 1, minLength: 4, maxLength: 2 ** 30 };

/** Parse, Bind, Describe, Execute and Close, whose responses are sent at the next Sync or Flush. */
const BEFORE_SYNC = ['P', 'B', 'D', 'E', 'C'];
const FLUSH = 'H';
const TERMINATE = 'X';

/**
 * Splits a client's data into requests that can be interleaved with those of other clients. An extended query from Parse
 * to Sync is one request, because another client's Parse in between would replace the statement. Disconnects a client
 * that ends the connection or does not use protocol 3.0.
 */
function readRequests(client: Socket, onRequest: (request: ClientRequest) => void): void {
  let format = STARTUP;
  let header: Buffer | undefined;
  /** The complete messages of the next request. */
  let messages: Buffer[] = [];

  /** Returns the next bytes if all have arrived. For 0 bytes, `read` returns null; after the end of the data, fewer bytes. */
  const take = (bytes: number): Buffer | undefined => {
    const taken = bytes === 0 ? Buffer.alloc(0) : (client.read(bytes) as Buffer | null);
    return taken?.length === bytes ? taken : undefined;
  };
  const takeMessage = (): Buffer | undefined => {
    header ??= take(format.headerBytes);
    if (!header) return undefined;
    const { lengthOffset, minLength, maxLength } = format;
    const length = header.readInt32BE(lengthOffset);
    const hasValidVersion = format !== STARTUP || header.readInt32BE(4) === PROTOCOL_3;
    if (length < minLength || length > maxLength || !hasValidVersion) return void client.destroy();
    const body = take(length - minLength);
    if (!body) return undefined;
    const message = Buffer.concat([header, body]);
    header = undefined;
    return message;
  };

  client.on('readable', () => {
    for (let message = takeMessage(); message; message = takeMessage()) {
      messages.push(message);
      const type = format === STARTUP ? '' : message.toString('latin1', 0, 1);
      format = MESSAGE;
      if (BEFORE_SYNC.includes(type)) continue;
      if (type === TERMINATE) client.destroySoon();
      else onRequest({ client, bytes: Buffer.concat(messages), syncPending: type === FLUSH });
      messages = [];
    }
  });
}
