import type { Context } from 'hono';
import { UNAVAILABLE_RETRY_SECONDS } from './error-status.ts';
import type { AnswerHeaders, GateEnv } from './gate.ts';

/**
 * Answers with what the gate has to say in headers, and with `headers`; 503 says when to come again.
 *
 * They are one plain object until they are written: the `Headers` of the Fetch standard cost more than all else of
 * an answer. And a body of bytes is written as it is, where a text would first be measured and joined with them.
 */
export function answer(
  c: Context<GateEnv>,
  body: string | null,
  status: number,
  headers: AnswerHeaders = {},
): Response {
  c.set('isAnswered', true);
  const bytes = body === null ? null : Buffer.from(body);
  const retry = status === 503 ? { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) } : {};
  return new Response(bytes, { status, headers: { ...c.get('headers'), ...retry, ...headers } });
}

/** Gives the headers of all answers to one that was made by Hono's own means, as the pages are. */
export function completeAnswer(c: Context<GateEnv>): void {
  if (c.get('isAnswered')) return;
  const { headers } = c.res;
  for (const [name, value] of Object.entries(c.get('headers'))) {
    if (!headers.has(name)) headers.set(name, value);
  }
}
