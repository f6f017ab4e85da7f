import { Agent, request as httpRequest } from 'node:http';

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
            ...{ host: '127.0.0.1', port, method, path, agent, timeout: TIMEOUT_MS },
            headers: [['Host', `127.0.0.1:${port}`], ...headers, ...length].flat(),
          },
          (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
            incoming.on('error', reject);
            incoming.on('end', () =>
              resolve({
                status: incoming.statusCode ?? 0,
                text: Buffer.concat(chunks).toString(),
                took: performance.now() - started,
              }),
            );
          },
        );
        outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)));
        outgoing.on('error', reject);
        outgoing.end(body ?? undefined);
      }),
    close: () => agent.destroy(),
  };
}

/** What a shown command has at most of a body. */
const SHOWN_CHARACTERS = 400;

/** A request as a command that repeats it; a long body is shown by its beginning. */
export function asCurl(request: HttpRequest, port: number, key: string): string {
  const { method = 'GET', path, headers = [], body } = request;
  const words = ['curl', '--path-as-is', '-X', method];
  for (const [name, value] of headers) words.push('-H', quoted(`${name}: ${value === key ? 'API_KEY' : value}`));
  const text = body?.toString() ?? '';
  if (text) words.push('--data-binary', quoted(shortened(text)));
  return [...words, quoted(`http://127.0.0.1:${port}${path}`)].join(' ');
}

/** The beginning of a text, and how long it is. */
function shortened(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS)}… (${text.length} characters)`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
