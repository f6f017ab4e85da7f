import { connect, createServer, type Socket, type Server as TcpServer } from 'node:net';

/** A proxy of PostgreSQL that counts statements. */
export interface StatementCounter {
  /** The server's URL through the proxy. */
  readonly url: string;
  /** Statements since the last call. */
  take(): number;
  close(): Promise<void>;
}

/** Message types of PostgreSQL's protocol, version 3: Execute of extended queries, and simple queries. */
const EXECUTE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/** Messages that open a connection have a length, but no type. */
const HEADER_BYTES = 5;

/** Starts a proxy between a program and PostgreSQL on a free port. */
export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    const look = messageReader((type) => {
      if (type === EXECUTE || type === QUERY) count += 1;
    });
    near.on('data', (chunk) => {
      look(chunk);
      far.write(chunk);
    });
    far.on('data', (chunk) => near.write(chunk));
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(databaseUrl);
  own.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: own.href,
    take() {
      const taken = count;
      count = 0;
      return taken;
    },
    close: () => close(server, sockets),
  };
}

function close(server: TcpServer, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Finds the messages in the data of a client, in any chunks, and calls back with the type of each. */
function messageReader(onMessage: (type: number) => void): (chunk: Buffer) => void {
  let unread = Buffer.alloc(0);
  let skip = 0;
  let isStarted = false;
  return (chunk) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const skipped = Math.min(skip, unread.length);
      unread = unread.subarray(skipped);
      skip -= skipped;
      if (skip > 0 || unread.length < HEADER_BYTES) return;
      if (isStarted) {
        onMessage(unread[0] as number);
        skip = 1 + unread.readUInt32BE(1);
      } else {
        isStarted = true;
        skip = unread.readUInt32BE(0);
      }
    }
  };
}
