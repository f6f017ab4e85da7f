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
  close(): void;
}

/** The maximum number of concurrent requests. */
export const CONNECTIONS = 32;
const TIMEOUT_MS = 20_000;

/** A client of the service on a port. */
export function createHttpClient(port: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  return {
    send: ({ method = 'GET', path, headers = [], body }) =>
      new Promise((resolve, reject) => {
        const started = performance.now();
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
            const chunks: Buffer[] = [];
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
            incoming.on('error', fail);
            incoming.on('end', () => {
              clearTimeout(timer);
              resolve({
                status: incoming.statusCode ?? 0,
                text: Buffer.concat(chunks).toString(),
                took: performance.now() - started,
              });
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
      }),
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
