import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { App } from '../app.ts';
import { untilIdleTurn } from '../http/idle-turn.ts';
import {
  encodeAmbiguousPath,
  hasSeveralHosts,
  isValidHost,
  isValidTarget,
  normalizeHost,
} from '../http/request/request-target.ts';
import {
  commonHeaders,
  formatRefusal,
  type GetRateLimitHeaders,
  REFUSALS,
  refusalFor,
  refusalResponse,
  refuse,
  respondToServerOptions,
} from './refusals.ts';
import { limitUnreadResponses } from './unread-responses.ts';

/** Timeouts of headers, requests and connections. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
} satisfies ServerOptions;

/** The maximum number of pipelined requests per connection. They wait in memory for their turn. */
const MAX_PIPELINED = 32;

/** How long a client may take to close a refused connection. */
const CLOSE_TIMEOUT_MS = 1_000;

/** How long a shutdown keeps a connection open on which the head of a request has not arrived completely. */
const DRAIN_SILENCE_MS = 500;

/**
 * How long connections are kept open again before the server stops listening. Clients then reuse them, and rarely open a
 * new one at the moment at which the server stops; the system would reset it.
 */
const REUSE_MS = 100;

/** How long the server waits for a turn without new connections before it stops listening. */
const MAX_WAIT_MS = 500;

/** The requests of an open connection. */
interface Connection {
  /** Those that have not been answered completely. */
  readonly unanswered: Set<IncomingMessage>;
  /** The response to the last one. */
  lastResponse?: ServerResponse;
}

const connections = new WeakMap<Socket, Connection>();

/** The open sockets of a server. */
const socketsOf = new WeakMap<Server, Set<Socket>>();

type RequestHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Creates the HTTP server of the app. Requests that do not reach the app get errors in the format of the REST API. */
export function createHttpServer(app: App): Server {
  // The request is refused even if its budget cannot be read.
  const getRateLimitHeaders: GetRateLimitHeaders = async (socketAddress, forwardedFor) =>
    (await app.rateLimitHeaders?.(socketAddress, forwardedFor).catch(() => undefined)) ?? {};
  const handle = createRequestHandler(app, getRateLimitHeaders);
  const limitUnread = limitUnreadResponses();
  // Missing Host headers are checked by the handler, so that errors have the format of the REST API.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, (incoming, outgoing) =>
    handleInOrder(incoming, outgoing, () => {
      limitUnread(outgoing);
      handle(incoming, outgoing);
    }),
  );
  server.on('checkExpectation', (incoming, outgoing: ServerResponse) => {
    handleInOrder(incoming, outgoing, async () => {
      refuse(outgoing, REFUSALS.expectation, await commonHeaders(incoming, getRateLimitHeaders));
    });
  });
  server.on('clientError', async (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    endAfterResponses(socket, formatRefusal(refusalFor(error.code), await getRateLimitHeaders(socket.remoteAddress)));
  });
  server.on('connect', async (incoming, socket: Socket) => {
    // Node.js removes its error listener from the socket of a CONNECT request; an unhandled error would end the process.
    socket.on('error', () => socket.destroy());
    endAfterResponses(socket, formatRefusal(REFUSALS.connect, await commonHeaders(incoming, getRateLimitHeaders)));
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  socketsOf.set(server, sockets);
  return server;
}

/** Returns a function that passes valid requests to the app, and refuses others. */
function createRequestHandler(app: App, getRateLimitHeaders: GetRateLimitHeaders): RequestHandler {
  const listener = getRequestListener(
    (request, connection) => app.fetch(request, connection as Parameters<App['fetch']>[1]),
    { errorHandler: () => refusalResponse(REFUSALS.notHttp) },
  );
  return async (incoming, outgoing) => {
    const { headers, method } = incoming;
    const url = encodeAmbiguousPath(incoming.url ?? '');
    incoming.url = url;
    const isHostValid = isValidHost(headers.host) && !hasSeveralHosts(incoming);
    if (isHostValid && headers.host) headers.host = normalizeHost(headers.host);
    const isForServer = url === '*' && method === 'OPTIONS' && Boolean(headers.host);
    if (isHostValid && !isForServer && isValidTarget(url, headers.host)) {
      void listener(incoming, outgoing);
      return;
    }
    const common = await commonHeaders(incoming, getRateLimitHeaders);
    if (!isHostValid) refuse(outgoing, REFUSALS.host, common);
    else if (isForServer) respondToServerOptions(outgoing, common);
    else refuse(outgoing, REFUSALS.notHttp, common);
  };
}

/**
 * Handles pipelined requests one after another: for a client that reads nothing, only one response is created. Those after
 * a response with `Connection: close` are not handled, because they would get no response. Closes a connection with too
 * many of them.
 */
function handleInOrder(incoming: IncomingMessage, outgoing: ServerResponse, handle: () => void): void {
  const { socket } = incoming;
  const connection = connections.get(socket) ?? { unanswered: new Set() };
  connections.set(socket, connection);
  const { unanswered, lastResponse } = connection;
  unanswered.add(incoming);
  if (unanswered.size > MAX_PIPELINED) {
    socket.destroy();
    return;
  }
  outgoing.once('close', () => unanswered.delete(incoming));
  connection.lastResponse = outgoing;
  const handleIfOpen = () => {
    if (socket.writable) handle();
  };
  if (unanswered.size > 1 && lastResponse) lastResponse.once('close', handleIfOpen);
  else handleIfOpen();
}

/** Responds to a refused request, after the complete requests before it on the connection have been answered. */
function endAfterResponses(socket: Socket, response: string): void {
  if (!socket.writable) return;
  const hasPending = [...(connections.get(socket)?.unanswered ?? [])].some((incoming) => incoming.complete);
  if (hasPending) setTimeout(endAfterResponses, 20, socket, response);
  else {
    socket.end(response);
    // The client may never close the connection.
    setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
  }
}

/**
 * Starts listening.
 *
 * @param port 0 for any free port.
 * @returns the base URL, with the actual port.
 * @throws {NodeJS.ErrnoException} `EADDRINUSE` if the port is in use, `EACCES` if it is not permitted.
 */
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

/**
 * Shuts the server down. For `delayMs`, it continues to listen, and closes each connection after its next response: load
 * balancers notice that it is not ready, and clients open their connections elsewhere. Then it stops listening, and waits
 * for requests in flight. Resolves when all connections are closed.
 *
 * Connections without a complete request head are closed after a short time: Node.js does not consider them idle, and its
 * own timeouts do not apply to a server that is closing. Browsers and load balancers open connections in advance.
 *
 * @param delayMs 0 to close idle connections at once, and not after a short time in which clients may use them.
 */
export async function drain(server: Server, delayMs = 0): Promise<void> {
  if (delayMs > 0) {
    const keepConnections = closeAfterResponses(server);
    await sleep(delayMs);
    keepConnections();
    await sleep(REUSE_MS);
  }
  // The system resets connections that have not been accepted when the server stops listening.
  await untilIdleTurn(MAX_WAIT_MS);
  const closed = once(server, 'close');
  // Not the method of the HTTP server, which closes idle connections on which clients may be sending a request.
  NetServer.prototype.close.call(server);
  closeAfterResponses(server);
  if (delayMs === 0) server.closeIdleConnections();
  const isSilent = (socket: Socket) => !connections.get(socket)?.unanswered.size;
  const silentUntil = performance.now() + DRAIN_SILENCE_MS;
  const closing = setInterval(() => {
    if (performance.now() < silentUntil) return;
    for (const socket of socketsOf.get(server) ?? []) if (isSilent(socket)) socket.destroy();
  }, 20);
  await closed;
  clearInterval(closing);
}

/** Closes each connection after its next response. @returns a function that ends this. */
function closeAfterResponses(server: Server): () => void {
  const announce = (_request: IncomingMessage, response: ServerResponse) => response.setHeader('Connection', 'close');
  server.prependListener('request', announce);
  for (const socket of socketsOf.get(server) ?? []) {
    const response = connections.get(socket)?.lastResponse;
    if (response?.headersSent === false) response.setHeader('Connection', 'close');
  }
  return () => server.off('request', announce);
}
