import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A request as an attack sends it. */
export interface HttpRequest {
  /** What is special about it. */
  readonly name: string;
  readonly method?: string;
  /** The request target, as it is sent. */
  readonly path: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer | null;
}

/** A response, read to its end. */
export interface HttpResponse {
  readonly status: number;
  readonly text: string;
  /** How long it took until it was read, in milliseconds. */
  readonly took: number;
}

/** Sends requests on connections that are kept. */
export interface HttpClient {
  /** @throws when there is no response in time, or the connection ends before it. */
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): void;
}

/** How many requests are under way at most. */
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
            ...{ host: '127.0.0.1', port, method, path, agent },
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

/** A longer body is put in a file. */
const SHOWN_CHARACTERS = 400;

/** A request as a command that repeats it; a long body is in a file that it names. */
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
