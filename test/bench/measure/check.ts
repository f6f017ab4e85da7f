import { isDeepStrictEqual } from 'node:util';
import type { Organization } from '../data-set.ts';
import type { Answer, Dialect } from '../dialects/dialect.ts';
import type { Case } from '../workloads.ts';

/** A server with its dialect. */
export interface Asked {
  readonly title: string;
  readonly port: number;
  readonly dialect: Dialect;
}

/** The response of a server to one question. @throws if it is an error. */
export async function ask({ title, port, dialect }: Asked, asked: Case, organization: Organization): Promise<Answer> {
  const { method, path, headers = {}, body } = dialect.request(asked, organization);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok || text.startsWith('{"errors"')) {
    throw new Error(`${title} rejects ${path}: ${response.status} ${text.slice(0, 500)}`);
  }
  return normalized(dialect.answer(asked, JSON.parse(text))) as Answer;
}

/** @throws if a response differs from the expected one. */
export function expectSame(title: string, asked: Case, expected: Answer, actual: Answer): void {
  const [one, other] = [expected, actual].map((answer) => (asked.kind === 'create' ? withoutOwn(answer) : answer));
  if (isDeepStrictEqual(one, other)) return;
  throw new Error(`${title} responds to ${asked.kind} differently from raw SQL:\n${first(one)}\n${first(other)}`);
}

/** Removes the id and times of a new record. */
function withoutOwn({ data }: Answer): Answer {
  const { id, email_address, created_at, updated_at, ...rest } = data as Record<string, unknown>;
  if (typeof id !== 'string' || !created_at || !updated_at) throw new Error('a created member lacks its id or times');
  return { data: rest };
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Normalizes timestamps, which servers format differently. */
function normalized(value: unknown): unknown {
  if (typeof value === 'string') return TIMESTAMP.test(value) ? new Date(value).toISOString() : value;
  if (Array.isArray(value)) return value.map(normalized);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normalized(inner)]));
}

function first(value: unknown): string {
  return JSON.stringify(value).slice(0, 1_000);
}
