import type { Case } from '../works.ts';
import type { World } from '../world.ts';

/** An HTTP request. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What a server said, whatever way it says it: REST's field names, a page's rows and whether more follow. */
export interface Answer {
  readonly data: unknown;
  readonly more?: boolean;
}

/** How a server is asked, and how its answers are read. */
export interface Dialect {
  request(asked: Case, world: World): Request;
  answer(asked: Case, body: unknown): Answer;
}

/** A request as it is sent. */
export function toBytes({ method, path, headers = {}, body }: Request): Buffer {
  const content = body === undefined ? '' : JSON.stringify(body);
  const sent: Record<string, string> = { Host: '127.0.0.1', ...headers };
  if (body !== undefined) {
    sent['Content-Type'] = 'application/json';
    sent['Content-Length'] = String(Buffer.byteLength(content));
  }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`);
}
