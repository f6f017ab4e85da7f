import { connect, createServer, type Socket, type Server as TcpServer } from 'node:net';

/** A way to PostgreSQL that counts the statements that pass. */
export interface StatementCounter {
  /** The server's address, by way of the counter. */
  readonly url: string;
  /** Statements since the last call. */
  take(): number;
  close(): Promise<void>;
}

/** Message types of PostgreSQL's protocol, version 3: an extended statement is executed, a simple one is sent. */
const EXECUTE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/** Messages that open a connection have no type, only their length. */
const HEADER_BYTES = 5;

/** Stands between a program and PostgreSQL, on a port of its own. */
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

/** Finds the messages in what a client sends, however it is cut; tells the type of each. */
function messageReader(tell: (type: number) => void): (chunk: Buffer) => void {
  let kept = Buffer.alloc(0);
  let skip = 0;
  let isStarted = false;
  return (chunk) => {
    kept = Buffer.concat([kept, chunk]);
    for (;;) {
      const skipped = Math.min(skip, kept.length);
      kept = kept.subarray(skipped);
      skip -= skipped;
      if (skip > 0 || kept.length < HEADER_BYTES) return;
      if (isStarted) {
        tell(kept[0] as number);
        skip = 1 + kept.readUInt32BE(1);
      } else {
        isStarted = true;
        skip = kept.readUInt32BE(0);
      }
    }
  };
}
