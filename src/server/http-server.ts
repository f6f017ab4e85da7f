import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { App } from '../app.ts';
import {
  commonHeaders,
  formatRefusal,
  type GetRateLimitHeaders,
  REFUSALS,
  type Refusal,
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

/** How long a shutdown waits for requests on open connections that have sent no complete request head. */
const DRAIN_SILENCE_MS = 500;

/** The requests of a connection that have not been answered completely. */
const unanswered = new WeakMap<Socket, Set<IncomingMessage>>();

/** The response to the last request of a connection. */
const lastResponses = new WeakMap<Socket, ServerResponse>();

/** The open connections of a server. */
const connections = new WeakMap<Server, Set<Socket>>();

/** Creates the HTTP server of the app. Requests that do not reach the app get errors in the format of the REST API. */
export function createHttpServer(app: App): Server {
  const listener = getRequestListener(
    (request, connection) => app.fetch(request, connection as Parameters<App['fetch']>[1]),
    { errorHandler: () => refusalResponse(REFUSALS.notHttp) },
  );
  // The request is refused even if its budget cannot be read.
  const getRateLimitHeaders: GetRateLimitHeaders = async (socketAddress, forwardedFor) =>
    (await app.rateLimitHeaders?.(socketAddress, forwardedFor).catch(() => undefined)) ?? {};
  const refuseRequest = async (incoming: IncomingMessage, outgoing: ServerResponse, refusal: Refusal) =>
    refuse(outgoing, refusal, await commonHeaders(incoming, getRateLimitHeaders));
  const isValidHost = createHostValidator();
  const sockets = new Set<Socket>();
  const limitUnread = limitUnreadResponses();
  // Missing Host headers are checked below, so that errors have the format of the REST API.
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, (incoming, outgoing) => {
    const waiting = unanswered.get(incoming.socket) ?? new Set();
    unanswered.set(incoming.socket, waiting.add(incoming));
    if (waiting.size > MAX_PIPELINED) {
      incoming.socket.destroy();
      return;
    }
    outgoing.once('close', () => waiting.delete(incoming));
    limitUnread(outgoing);
    incoming.url = encodeAmbiguousPath(incoming.url ?? '');
    const handle = () => {
      if (incoming.socket.destroyed) return;
      const { url = '', headers } = incoming;
      if (!isValidHost(headers.host)) {
        void refuseRequest(incoming, outgoing, REFUSALS.host);
        return;
      }
      if (headers.host) headers.host = normalizeHost(headers.host);
      if (url === '*' && incoming.method === 'OPTIONS' && headers.host)
        void commonHeaders(incoming, getRateLimitHeaders).then((common) => respondToServerOptions(outgoing, common));
      else if (!isValidTarget(url, headers.host)) void refuseRequest(incoming, outgoing, REFUSALS.notHttp);
      else void listener(incoming, outgoing);
    };
    const previous = lastResponses.get(incoming.socket);
    lastResponses.set(incoming.socket, outgoing);
    // Pipelined requests are handled one after another: for a client that reads nothing, only one response is created.
    if (waiting.size > 1 && previous) previous.once('close', handle);
    else handle();
  });
  server.on('checkExpectation', (incoming, outgoing: ServerResponse) => {
    void refuseRequest(incoming, outgoing, REFUSALS.expectation);
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
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  connections.set(server, sockets);
  return server;
}

/** Responds to a refused request, after the complete requests before it on the connection have been answered. */
function endAfterResponses(socket: Socket, response: string): void {
  if (!socket.writable) return;
  const hasPending = [...(unanswered.get(socket) ?? [])].some((incoming) => incoming.complete);
  if (hasPending) setTimeout(endAfterResponses, 20, socket, response);
  else {
    socket.end(response);
    // The client may never close the connection.
    setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
  }
}

/**
 * Encodes a request target with `..` segments or backslashes, so that it is an unknown path. The URL parser would resolve
 * it to another path: `/v1/x/../members`, `/v1\members`.
 */
function encodeAmbiguousPath(target: string): string {
  // Requests to a proxy have an absolute URL.
  const [, path = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(target) ?? [];
  const isAmbiguous = /(^|\/)(\.|%2e){2}(\/|$)/i.test(path) || path.includes('\\');
  return path.startsWith('/') && isAmbiguous ? `/${encodeURIComponent(path)}` : target;
}

/** Whether the listener accepts a request target: a path, if there is a host, or an absolute URL. */
function isValidTarget(target: string, host: string | undefined): boolean {
  if (target.startsWith('/')) return Boolean(host);
  return /^https?:\/\//.test(target) && URL.canParse(target);
}

/** Characters that end the host in a URL, or that the URL parser decodes or encodes. */
const INVALID_HOST_CHARACTERS = /[\s/?#@\\%]|[^ -~]/;

/**
 * Returns a function that accepts absent Host headers (see {@link isValidTarget}) and those that are valid as the host of a
 * URL. The last valid header is cached, because nearly all requests have the same.
 */
function createHostValidator(): (host: string | undefined) => boolean {
  let lastValid: string | undefined;
  return (host) => {
    if (!host || host === lastValid) return true;
    const isValid = !INVALID_HOST_CHARACTERS.test(host) && URL.canParse(`http://${host}`);
    if (isValid) lastValid = host;
    return isValid;
  };
}

/** Removes an empty port, and shortens an IPv6 address: the listener rejects hosts that are not as in a parsed URL. */
function normalizeHost(host: string): string {
  return host.endsWith(':') || host.startsWith('[') ? new URL(`http://${host}`).host : host;
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
 * Stops listening, and waits for requests in flight. Resolves when all connections are closed.
 *
 * Connections without a complete request head are closed after a short time: Node.js does not consider them idle, and its
 * own timeouts do not apply to a server that is closing. Browsers and load balancers open connections in advance.
 */
export function drain(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const isSilent = (socket: Socket) => !unanswered.get(socket)?.size;
  const silentUntil = performance.now() + DRAIN_SILENCE_MS;
  return new Promise((resolve) => {
    // Connections become idle after their last response.
    const closing = setInterval(() => {
      server.closeIdleConnections();
      if (performance.now() < silentUntil) return;
      for (const socket of connections.get(server) ?? []) if (isSilent(socket)) socket.destroy();
    }, 20);
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
    server.closeIdleConnections();
  });
}
