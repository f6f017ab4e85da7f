import { type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http';
import type { ResponseHeaders } from '../http/request/request-env.ts';
import { requestIdOf } from '../http/request/request-id.ts';

/** A response to a request that does not reach the app. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly code?: string;
  readonly message: string;
  readonly headers?: ResponseHeaders;
}

/** The methods that the APIs support, for requests without a path. */
const ALLOW = 'GET, HEAD, POST, PATCH, OPTIONS';

/** The errors of requests that do not reach the app; their code is `invalid_request` unless given. */
export const REFUSALS = {
  notHttp: { status: 400, reason: 'Bad Request', message: 'The request is not valid HTTP' },
  host: { status: 400, reason: 'Bad Request', message: 'The Host header must be a host name or address' },
  connect: {
    status: 405,
    reason: 'Method Not Allowed',
    code: 'method_not_allowed',
    message: `The service is not a proxy; it supports ${ALLOW}`,
    headers: { Allow: ALLOW },
  },
  timeout: { status: 408, reason: 'Request Timeout', message: 'The request did not arrive in time' },
  expectation: { status: 417, reason: 'Expectation Failed', message: 'This expectation cannot be met' },
  headers: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: `The request line and headers are larger than ${maxHeaderSize} bytes; send fewer or shorter ones, such as cookies`,
  },
} as const satisfies Record<string, Refusal>;

/** Returns the refusal for an error of the HTTP parser or a timeout of the server. */
export function refusalFor(errorCode: string | undefined): Refusal {
  if (errorCode === 'HPE_HEADER_OVERFLOW') return REFUSALS.headers;
  return errorCode === 'ERR_HTTP_REQUEST_TIMEOUT' ? REFUSALS.timeout : REFUSALS.notHttp;
}

/** Returns the rate-limit headers of a client, for responses to requests that do not reach the app. */
export type GetRateLimitHeaders = (
  socketAddress: string | undefined,
  forwardedFor?: string,
) => Promise<ResponseHeaders>;

/** Returns the headers that every response to a valid HTTP request has. */
export async function commonHeaders(
  { socket, headers }: IncomingMessage,
  getRateLimitHeaders: GetRateLimitHeaders,
): Promise<ResponseHeaders> {
  const limits = await getRateLimitHeaders(socket.remoteAddress, headers['x-forwarded-for'] as string | undefined);
  return { 'X-Request-Id': requestIdOf(headers['x-request-id'] as string | undefined), ...limits };
}

/** Refuses a request, and closes its connection. */
export function refuse(outgoing: ServerResponse, refusal: Refusal, headers: ResponseHeaders): void {
  const body = bodyOf(refusal);
  outgoing.writeHead(refusal.status, refusal.reason, headersOf(refusal, body, headers)).end(body);
}

/** Responds to `OPTIONS *`, which concerns the whole service. */
export function respondToServerOptions(outgoing: ServerResponse, headers: ResponseHeaders): void {
  outgoing.writeHead(204, { Allow: ALLOW, ...headers }).end();
}

/** Returns a refusal as a raw response, for sockets without a response object. */
export function formatRefusal(refusal: Refusal, headers: ResponseHeaders): string {
  const body = bodyOf(refusal);
  const lines = Object.entries(headersOf(refusal, body, headers)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${refusal.status} ${refusal.reason}`, ...lines, '', body].join('\r\n');
}

/** Returns a refusal as the response of a fetch handler. */
export function refusalResponse(refusal: Refusal): Response {
  const body = bodyOf(refusal);
  return new Response(body, { status: refusal.status, headers: headersOf(refusal, body) });
}

/** The body of a refusal, in the format of the REST API. */
function bodyOf({ code = 'invalid_request', message }: Refusal): string {
  return JSON.stringify({ error: { code, message } });
}

function headersOf(refusal: Refusal, body: string, headers: ResponseHeaders = {}): ResponseHeaders {
  const content = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
  return { ...content, Connection: 'close', ...refusal.headers, ...headers };
}
