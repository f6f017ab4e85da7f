import type { Context } from 'hono';
import { ServiceError } from '../domain/errors.ts';
import { answer } from '../gate/answer.ts';
import { STATUS_OF_CODE, toServiceError } from '../gate/error-status.ts';
import type { AnswerHeaders, GateEnv } from '../gate/gate.ts';

/** At most so many wrong fields are listed: what a caller sends must not decide how much it gets back. */
const MAX_DETAILS = 50;

/** An error as REST shows it: `{ "error": { "code", "message" } }`; only `invalid_request` has `details`. */
export function errorResponse(c: Context<GateEnv>, thrown: unknown, headers: AnswerHeaders = {}): Response {
  const error = toServiceError(thrown);
  const body = JSON.stringify({ error: presentError(error) });
  return answer(c, body, STATUS_OF_CODE[error.code], { 'Content-Type': 'application/json', ...headers });
}

function presentError({ code, message, details }: ServiceError): object {
  if (!details) return { code, message };
  const listed = details.slice(0, MAX_DETAILS);
  return { code, message: summary(listed), details: listed.map(({ field, message }) => ({ field, message })) };
}

function summary(details: readonly { field: string; message: string }[]): string {
  return details.map(({ field, message }) => `${field}: ${message}`).join('; ');
}

/** The same error with its fields called by the names that REST uses for them. */
export function renameFields(error: unknown, nameOf: (field: string) => string): unknown {
  if (!(error instanceof ServiceError) || !error.details) return error;
  const details = error.details.map(({ field, message }) => ({ field: nameOf(field), message }));
  return new ServiceError(error.code, summary(details), details);
}
