import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createHttpServer, listen } from '../../../src/server/http-server.ts';
import type { Answer } from '../client.ts';

/** A server on a free port for the duration of a suite. */
export interface Listening {
  /** `http://127.0.0.1:…`, without a path. */
  readonly origin: string;
  readonly server: Server;
  /** Opens a connection and sends the first bytes. */
  open(first?: string | Buffer): Wire;
}

/** A connection that sends exactly the given bytes, whether they are valid HTTP or not. */
export interface Wire {
  readonly socket: Socket;
  send(bytes: string | Buffer): void;
  /** The next response (`bodiless`: to a HEAD); rejects if it is not complete in time. */
  answer(options?: { bodiless?: boolean }): Promise<Answer>;
  /** Resolves with the unread data once the server has closed the connection. */
  closed(): Promise<string>;
}

/** Long enough for a busy machine; only failing tests wait as long. */
const TIMEOUT_MS = 60_000;

/** Serves the app on a socket. `tune` changes the server before it listens. */
export function onSocket(app: () => App, tune: (server: Server) => void = () => {}): Listening {
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    server = createHttpServer(app());
    tune(server);
    origin = await listen(server, 0, '127.0.0.1');
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    get origin() {
      return origin;
    },
    get server() {
      return server;
    },
    open: (first) => {
      const wire = wireOn(connect(Number(new URL(origin).port), '127.0.0.1'));
      if (first !== undefined) wire.send(first);
      return wire;
    },
  };
}

/** The text of a request; adds `Host`, and `Content-Length` if there is a body. */
export function requestText(
  line: string,
  headers: Record<string, string | readonly string[]> = {},
  body?: string | Buffer,
): Buffer {
  const own = body === undefined ? headers : { 'Content-Length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries({ Host: 'service.test', ...own }).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  return Buffer.concat([Buffer.from(`${[line, ...lines].join('\r\n')}\r\n\r\n`), Buffer.from(body ?? '')]);
}

function wireOn(socket: Socket): Wire {
  let unread: Buffer = Buffer.alloc(0);
  let ended = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of waiting) check();
  };
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    wake();
  });
  // The server may also reset the connection while the rest of a rejected request is being sent.
  socket.on('error', () => {});
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      ended = true;
      wake();
    });
  }

  const until = async <Result>(what: string, look: () => Result | undefined): Promise<Result> => {
    const abortWait = new AbortController();
    let check = () => {};
    try {
      return await Promise.race([
        new Promise<Result>((resolve, reject) => {
          check = () => {
            const found = look();
            if (found !== undefined) resolve(found);
            else if (ended) reject(new Error(`closed before ${what}; unread: ${unread.toString('latin1')}`));
          };
          waiting.add(check);
          check();
        }),
        sleep(TIMEOUT_MS, undefined, { signal: abortWait.signal }).then(() => {
          throw new Error(`no ${what} within ${TIMEOUT_MS} ms; unread: ${unread.toString('latin1')}`);
        }),
      ]);
    } finally {
      abortWait.abort();
      waiting.delete(check);
    }
  };

  return {
    socket,
    send: (bytes) => socket.write(bytes),
    answer: ({ bodiless = false } = {}) =>
      until('answer', () => {
        const parsed = parseAnswer(unread, bodiless);
        if (!parsed) return undefined;
        unread = unread.subarray(parsed.length);
        return parsed.answer;
      }),
    closed: () => until('end of the connection', () => (ended ? unread.toString() : undefined)),
  };
}

function parseAnswer(bytes: Buffer, bodiless: boolean): { answer: Answer; length: number } | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, head).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`not a status line: ${statusLine}`);
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const start = head + 4;
  const hasNone = bodiless || status < 200 || status === 204;
  const body = hasNone ? { text: '', end: start } : parseBody(bytes, start, headers);
  if (!body) return undefined;
  const json = body.text.startsWith('{') ? JSON.parse(body.text) : undefined;
  return { answer: { status, headers, text: body.text, json }, length: body.end };
}

function parseBody(bytes: Buffer, start: number, headers: Headers): { text: string; end: number } | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return parseChunks(bytes, start);
  const end = start + Number(headers.get('content-length') ?? 0);
  return bytes.length < end ? undefined : { text: bytes.toString('utf8', start, end), end };
}

function parseChunks(bytes: Buffer, start: number): { text: string; end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const from = line + 2;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    at = from + size + 2;
    if (bytes.length < at) return undefined;
    if (size === 0) return { text: Buffer.concat(chunks).toString(), end: at };
    chunks.push(bytes.subarray(from, from + size));
  }
}
