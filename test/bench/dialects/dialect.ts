import type { Organization } from '../data-set.ts';
import type { Case } from '../workloads.ts';

/** An HTTP request. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The content of a response in any dialect: REST's field names, the rows of a page, and whether more follow. */
export interface Answer {
  readonly data: unknown;
  readonly more?: boolean;
}

/** How requests are written for a server, and its responses parsed. */
export interface Dialect {
  request(asked: Case, organization: Organization): Request;
  answer(asked: Case, body: unknown): Answer;
}

/** A request ready to send. */
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
