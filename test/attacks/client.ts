import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A request of an attack. */
export interface HttpRequest {
  /** A description. */
  readonly name: string;
  readonly method?: string;
  /** The raw request target. */
  readonly path: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer | null;
}

/** A POST request to the GraphQL API. */
export function graphqlRequest(key: string, name: string, query: string, variables?: unknown): HttpRequest {
  return {
    name,
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({ query, variables }),
    headers: [
      ['X-Api-Key', key],
      ['Content-Type', 'application/json'],
    ],
  };
}

/** A request to the REST API. */
export function restRequest(
  key: string,
  name: string,
  method: string,
  path: string,
  body?: string | Buffer,
  headers: readonly (readonly [string, string])[] = [],
): HttpRequest {
  const type = body === undefined ? [] : [['Content-Type', 'application/json'] as const];
  return { name, method, path, body: body ?? null, headers: [['X-Api-Key', key], ...type, ...headers] };
}

/** A complete response. */
export interface HttpResponse {
  readonly status: number;
  readonly text: string;
  /** The response time in milliseconds. */
  readonly took: number;
}

/** Sends requests on persistent connections. */
export interface HttpClient {
  /** @throws on timeout, or when the connection closes before the response. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Sends a request and discards the body of the response, which takes less processor time. @returns the status. */
  sendAndDiscard(request: HttpRequest): Promise<number>;
  close(): void;
}

/** The maximum number of concurrent requests. */
export const CONNECTIONS = 32;
const TIMEOUT_MS = 20_000;

/** A client of the service on a port. */
export function createHttpClient(port: number, connections = CONNECTIONS): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const exchange = (
    { method = 'GET', path, headers = [], body }: HttpRequest,
    onData: (chunk: Buffer) => void,
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      const length: [string, string][] = body ? [['Content-Length', String(Buffer.byteLength(body))]] : [];
      const outgoing = httpRequest(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          agent,
          headers: [['Host', `127.0.0.1:${port}`], ...headers, ...length].flat(),
        },
        (incoming) => {
          incoming.on('data', onData);
          incoming.on('error', fail);
          incoming.on('end', () => {
            clearTimeout(timer);
            resolve(incoming.statusCode ?? 0);
          });
        },
      );
      const timer = setTimeout(() => outgoing.destroy(new Error('no response in time')), TIMEOUT_MS);
      const fail = (error: Error) => {
        clearTimeout(timer);
        reject(error);
      };
      outgoing.on('error', fail);
      outgoing.end(body ?? undefined);
    });
  return {
    async send(request) {
      const started = performance.now();
      const chunks: Buffer[] = [];
      const status = await exchange(request, (chunk) => void chunks.push(chunk));
      return { status, text: Buffer.concat(chunks).toString(), took: performance.now() - started };
    },
    sendAndDiscard: (request) => exchange(request, () => {}),
    close: () => agent.destroy(),
  };
}

/** Longer bodies are written to a file. */
const SHOWN_CHARACTERS = 400;

/** The command that reproduces a request; a long body is written to a file. */
export function asCurl(request: HttpRequest, port: number, key: string): string {
  const { method = 'GET', path, headers = [], body } = request;
  const words = ['curl', '--path-as-is', '-X', method];
  for (const [name, value] of headers) words.push('-H', quoted(`${name}: ${value === key ? 'API_KEY' : value}`));
  if (body) words.push('--data-binary', quoted(body.length > SHOWN_CHARACTERS ? `@${inFile(body)}` : body.toString()));
  return [...words, quoted(`http://127.0.0.1:${port}${path}`)].join(' ');
}

let folder: string | undefined;
let files = 0;

function inFile(body: string | Buffer): string {
  folder ??= mkdtempSync(join(tmpdir(), 'cms-attacks-'));
  files += 1;
  const path = join(folder, `${files}.body`);
  writeFileSync(path, body);
  return path;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
