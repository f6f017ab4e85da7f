import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { App } from './app.ts';

/** How long a client may take for its headers, and for a whole request. */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
} satisfies ServerOptions;

/** An HTTP server in front of the app, with every wait bounded and the parser's refusals in the error shape. */
export function createHttpServer(app: App): Server {
  const server = createAdaptorServer({
    fetch: (request, connection) => app.fetch(request, connection as Parameters<App['fetch']>[1]),
    serverOptions: TIMES,
  }) as Server;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    socket.end(refusalOf(error.code));
  });
  return server;
}

/** What the parser refuses never reaches the app; the answer is written by hand. */
function refusalOf(code: string | undefined): string {
  const [status, reason, message] =
    code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'The headers of the request are too large']
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'The request did not arrive in time']
        : [400, 'Bad Request', 'This is not an HTTP request'];
  const body = JSON.stringify({ error: { code: 'invalid_request', message } });
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
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
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
