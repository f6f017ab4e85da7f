import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type ClientRequest, readRequests } from './frontend-messages.ts';

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
