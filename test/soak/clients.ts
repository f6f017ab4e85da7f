import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A request as the load sends it. */
export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** On a connection of its own, closed afterwards. */
  readonly alone?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly replayed: boolean;
  readonly text: string;
}

/** Clients of one service: some that keep their connections, some that come anew, some that misbehave. */
export interface Clients {
  ask(asked: Asked): Promise<Answered>;
  /** Sends the beginning of a request, or all of it, and is gone before the answer. */
  breakOff(text: string): Promise<void>;
  /** Holds so many connections that say nothing; the oldest go where there are more. */
  idle(count: number): Promise<void>;
  close(): void;
}

const PATIENCE_MS = 20_000;

/** The clients of the service on a port. */
export function createClients(port: number): Clients {
  const kept = new Agent({ keepAlive: true, maxSockets: 32 });
  const idle: Socket[] = [];
  return {
    ask: ({ method = 'GET', path, headers = {}, body, alone }) =>
      new Promise((resolve, reject) => {
        const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
        const asking = httpRequest(
          {
            ...{ host: '127.0.0.1', port, method, path, timeout: PATIENCE_MS },
            headers: { ...json, ...headers },
            agent: alone ? false : kept,
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
        asking.on('timeout', () => asking.destroy(new Error(`no answer to ${path} within ${PATIENCE_MS} ms`)));
        asking.on('error', reject);
        asking.end(body);
      }),
    async breakOff(text) {
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
      kept.destroy();
    },
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    // The service closes what says nothing for long; so may a client meet it.
    socket.on('error', reject);
  });
}
