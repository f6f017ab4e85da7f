import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { App } from '../app.ts';
import { createUnsentBound } from './slow-readers.ts';

/** How long a client may take for its headers, and for a whole request. */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
} satisfies ServerOptions;

/** Requests of one connection that are not answered yet; the responses after the first wait in memory. */
const MAX_PIPELINED = 32;

/** How long a client may take to close its end of a connection that was refused. */
const CLOSE_TIMEOUT_MS = 1_000;

/** What is refused before the app sees it, in the shape of its errors. */
const REFUSALS = {
  notHttp: { status: 400, reason: 'Bad Request', message: 'This is not an HTTP request that can be answered' },
  host: { status: 400, reason: 'Bad Request', message: 'The Host header must be the name or address of a host' },
  timeout: { status: 408, reason: 'Request Timeout', message: 'The request did not arrive in time' },
  expectation: { status: 417, reason: 'Expectation Failed', message: 'This expectation cannot be met' },
  headers: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'The headers of the request are too large',
  },
} as const;

type Refusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/** An HTTP server in front of the app, with every wait bounded and the parser's refusals in the error shape. */
export function createHttpServer(app: App): Server {
  const listener = getRequestListener(
    (request, connection) => app.fetch(request, connection as Parameters<App['fetch']>[1]),
    { errorHandler: () => new Response(bodyOf(REFUSALS.notHttp), { status: 400, headers: HEADERS }) },
  );
  const isHost = createHostCheck();
  const unanswered = new WeakMap<Socket, Set<IncomingMessage>>();
  const boundUnsent = createUnsentBound();
  // A request without a Host header is refused by the listener, in the shape of all errors.
  const server = createServer({ ...TIMES, requireHostHeader: false }, (incoming, outgoing) => {
    const waiting = unanswered.get(incoming.socket) ?? new Set();
    unanswered.set(incoming.socket, waiting.add(incoming));
    if (waiting.size > MAX_PIPELINED) {
      incoming.socket.destroy();
      return;
    }
    outgoing.once('close', () => waiting.delete(incoming));
    boundUnsent(outgoing);
    incoming.url = withoutResolution(incoming.url ?? '');
    if (!isHost(incoming.headers.host)) refuse(outgoing, REFUSALS.host);
    else void listener(incoming, outgoing);
  });
  server.on('checkExpectation', (_incoming, outgoing: ServerResponse) => refuse(outgoing, REFUSALS.expectation));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code !== 'ECONNRESET') endAfterAnswers(socket, refusalOf(error.code), unanswered);
  });
  return server;
}

/** Pipelined requests before the broken one are answered first: their answers must not change places. */
function endAfterAnswers(socket: Socket, refusal: Refusal, unanswered: WeakMap<Socket, Set<IncomingMessage>>): void {
  if (!socket.writable) return;
  const complete = [...(unanswered.get(socket) ?? [])].some((incoming) => incoming.complete);
  if (complete) setTimeout(endAfterAnswers, 20, socket, refusal, unanswered);
  else {
    socket.end(written(refusal));
    // A client that never closes its end would keep the connection.
    setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
  }
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return REFUSALS.headers;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? REFUSALS.timeout : REFUSALS.notHttp;
}

const HEADERS = { 'Content-Type': 'application/json', Connection: 'close' };

function refuse(outgoing: ServerResponse, refusal: Refusal): void {
  outgoing.writeHead(refusal.status, refusal.reason, HEADERS).end(bodyOf(refusal));
}

function bodyOf({ message }: Refusal): string {
  return JSON.stringify({ error: { code: 'invalid_request', message } });
}

/** Where there is no request to answer, the answer is written by hand. */
function written(refusal: Refusal): string {
  const body = bodyOf(refusal);
  const headers = { ...HEADERS, 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${refusal.status} ${refusal.reason}`, ...lines, '', body].join('\r\n');
}

/**
 * A request target whose path would be resolved to another one (`/v1/x/../members`, `/v1\members`) before a route sees
 * it, as a path that no route has: it is answered like any unknown path.
 */
function withoutResolution(target: string): string {
  // A request to a proxy has the whole URL.
  const [, path = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(target) ?? [];
  const isResolved = /(^|\/)(\.|%2e){2}(\/|$)/i.test(path) || path.includes('\\');
  return path.startsWith('/') && isResolved ? `/${encodeURIComponent(path)}` : target;
}

/**
 * Whether a URL can be made of a Host header; the listener makes one without looking whether it is one. An absent or
 * empty header is the listener's to judge. The last one is remembered: nearly all requests have the same.
 */
function createHostCheck(): (host: string | undefined) => boolean {
  let known: string | undefined;
  return (host) => {
    if (!host || host === known) return true;
    const isValid = URL.canParse(`http://${host}`);
    if (isValid) known = host;
    return isValid;
  };
}

/** Listens; resolves with the address that people can use. @throws when the port is taken or not allowed. */
export function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      const listening = typeof address === 'object' && address ? address.port : port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${listening}`);
    });
  });
}

/** Answers what is in flight and closes idle connections; resolves when the last one is gone. */
export function drain(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  return new Promise((resolve) => {
    // A connection that was answering becomes idle only afterwards.
    const closing = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
    server.closeIdleConnections();
  });
}
