import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type ClientRequest, FrontendReader } from './frontend-messages.ts';

/** A database with a single session, as PGlite is. */
export interface SingleSession {
  /** Executes protocol messages; returns the responses. */
  execute(messages: Buffer): Buffer;
  isInTransaction(): boolean;
}

export interface SocketServerOptions {
  /** The maximum idle time of a transaction while other connections wait. */
  readonly idleInTransactionMs: number;
  /** Called when an idle transaction was rolled back and its connection closed. */
  readonly onIdleInTransaction: () => void;
}

/** Shares the single session of a database among clients of a Unix socket. */
export interface SocketServer {
  listen(path: string): Promise<void>;
  /** Closes all connections and rolls back their open transactions. */
  close(): Promise<void>;
}

interface Connection {
  readonly socket: Socket;
  readonly reader: FrontendReader;
}

interface QueuedRequest {
  readonly connection: Connection;
  readonly request: ClientRequest;
}

const MAX_CONNECTIONS = 100;

/**
 * Idle time is counted in this number of steps, so that a process that was suspended does not exceed the limit
 * immediately.
 */
const IDLE_STEPS = 10;

const SYNC = message('S');
const ROLLBACK = message('Q', Buffer.from('ROLLBACK\0'));
const NO_ENCRYPTION = Buffer.from('N');

/**
 * Requests of all connections wait in one queue. A connection with an open transaction or a pending Sync has exclusive
 * use of the session; if it is idle for too long while others wait, its transaction is rolled back and the connection
 * closed.
 */
export function createSocketServer(session: SingleSession, options: SocketServerOptions): SocketServer {
  const connections = new Set<Connection>();
  let queue: QueuedRequest[] = [];
  let owner: Connection | undefined;
  let running = false;
  let idleSteps = 0;

  const takeNext = (): QueuedRequest | undefined => {
    if (!owner) return queue.shift();
    const index = queue.findIndex(({ connection }) => connection === owner);
    return index === -1 ? undefined : queue.splice(index, 1)[0];
  };

  /** Runs one request per turn of the event loop, so that others can be queued meanwhile. */
  const runNext = () => {
    const next = takeNext();
    running = next !== undefined;
    if (!next) return;
    const { connection, request } = next;
    const response = session.execute(request.bytes);
    owner = request.syncPending || session.isInTransaction() ? connection : undefined;
    idleSteps = 0;
    if (!connection.socket.destroyed) connection.socket.write(response);
    setImmediate(runNext);
  };

  const start = () => {
    if (running) return;
    running = true;
    setImmediate(runNext);
  };

  const accept = (connection: Connection, request: ClientRequest) => {
    const { socket } = connection;
    if (request.kind === 'encryption') socket.write(NO_ENCRYPTION);
    else if (request.kind === 'terminate' || request.kind === 'cancel') socket.destroySoon();
    else queue.push({ connection, request });
  };

  const release = (connection: Connection) => {
    queue = queue.filter((queued) => queued.connection !== connection);
    if (owner !== connection) return;
    session.execute(SYNC);
    if (session.isInTransaction()) session.execute(ROLLBACK);
    owner = undefined;
    start();
  };

  const server = createServer((socket) => {
    const connection = { socket, reader: new FrontendReader() };
    connections.add(connection);
    socket.on('data', (bytes) => {
      try {
        for (const request of connection.reader.read(bytes)) accept(connection, request);
        start();
      } catch {
        socket.destroy();
      }
    });
    // Handled by 'close', which follows.
    socket.on('error', () => {});
    socket.on('close', () => {
      connections.delete(connection);
      release(connection);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;

  const idle = setInterval(() => {
    if (!owner || running) return;
    idleSteps += 1;
    if (idleSteps < IDLE_STEPS || queue.length === 0) return;
    const { socket } = owner;
    options.onIdleInTransaction();
    release(owner);
    // Closes only this side of the connection: a client that sends its next statement before it reads would otherwise
    // lose the error message.
    socket.removeAllListeners('data').resume().end(IDLE_IN_TRANSACTION);
  }, options.idleInTransactionMs / IDLE_STEPS);

  return {
    async listen(path) {
      server.listen(path);
      await once(server, 'listening');
    },
    close: () =>
      new Promise((resolve) => {
        clearInterval(idle);
        server.close(() => resolve());
        for (const { socket } of connections) socket.destroy();
      }),
  };
}

/** A protocol message: type, length and body. */
function message(type: string, body = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([header, body]);
}

/** The same message as that of a PostgreSQL server. */
const IDLE_IN_TRANSACTION = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C25P03\0Mterminating connection due to idle-in-transaction timeout\0\0'),
);
