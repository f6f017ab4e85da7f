import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A request of the load. */
export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether to use a separate connection, closed afterwards. */
  readonly alone?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly replayed: boolean;
  readonly text: string;
}

/** Clients of one service: with persistent, new and misbehaving connections. */
export interface Clients {
  ask(asked: Asked): Promise<Answered>;
  /** Sends a partial or complete request and disconnects before the response. */
  disconnect(text: string): Promise<void>;
  /** Keeps a number of idle connections; closes the oldest above it. */
  idle(count: number): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 20_000;

/** The clients of the service on a port. */
export function createClients(port: number): Clients {
  const connections = new Agent({ keepAlive: true, maxSockets: 32 });
  const idle: Socket[] = [];
  return {
    ask: ({ method = 'GET', path, headers = {}, body, alone }) =>
      new Promise((resolve, reject) => {
        const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
        const asking = httpRequest(
          {
            host: '127.0.0.1',
            port,
            method,
            path,
            timeout: TIMEOUT_MS,
            headers: { ...json, ...headers },
            agent: alone ? false : connections,
          },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('error', reject);
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                replayed: response.headers['idempotency-replayed'] === 'true',
                text: Buffer.concat(chunks).toString(),
              }),
            );
          },
        );
        asking.on('timeout', () => asking.destroy(new Error(`no response to ${path} within ${TIMEOUT_MS} ms`)));
        asking.on('error', reject);
        asking.end(body);
      }),
    async disconnect(text) {
      const socket = await open(port);
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
      socket.destroy();
    },
    async idle(count) {
      while (idle.length < count) idle.push(await open(port));
      for (const socket of idle.splice(0, idle.length - count + Math.ceil(count / 40))) socket.destroy();
    },
    close() {
      for (const socket of idle.splice(0)) socket.destroy();
      connections.destroy();
    },
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    // The service closes idle connections.
    socket.on('error', reject);
  });
}
