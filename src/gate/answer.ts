import type { Context } from 'hono';
import { UNAVAILABLE_RETRY_SECONDS } from './error-status.ts';
import type { AnswerHeaders, GateEnv } from './gate.ts';

/** A short text is joined with the headers and written at once; a longer one costs less as bytes, written as they are. */
const SHORT = 4_096;

/**
 * Answers with what the gate has to say in headers, and with `headers`; 503 says when to come again.
 *
 * They are one plain object until they are written: the `Headers` of the Fetch standard cost more than all else of
 * an answer.
 */
export function answer(
  c: Context<GateEnv>,
  body: string | null,
  status: number,
  headers: AnswerHeaders = {},
): Response {
  c.set('isAnswered', true);
  const content = body === null || body.length <= SHORT ? body : Buffer.from(body);
  const retry = status === 503 ? { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) } : {};
  return new Response(content, { status, headers: { ...c.get('headers'), ...retry, ...headers } });
}

/** Gives the headers of all answers to one that was made by Hono's own means, as the pages are. */
export function completeAnswer(c: Context<GateEnv>): void {
  if (c.get('isAnswered')) return;
  const { headers } = c.res;
  for (const [name, value] of Object.entries(c.get('headers'))) {
    if (!headers.has(name)) headers.set(name, value);
  }
}
