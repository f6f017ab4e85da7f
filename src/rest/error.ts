import type { Context } from 'hono';
import { invalidRequest, ServiceError } from '../domain/errors.ts';
import { answer } from '../gate/answer.ts';
import { STATUS_OF_CODE, toServiceError } from '../gate/error-status.ts';
import type { AnswerHeaders, GateEnv } from '../gate/gate.ts';

/** An error as REST shows it: `{ "error": { "code", "message" } }`; only `invalid_request` has `details`. */
export function errorResponse(c: Context<GateEnv>, thrown: unknown, headers: AnswerHeaders = {}): Response {
  const error = toServiceError(thrown);
  const body = JSON.stringify({ error: presentError(error) });
  return answer(c, body, STATUS_OF_CODE[error.code], { 'Content-Type': 'application/json', ...headers });
}

function presentError({ code, message, details }: ServiceError): object {
  return { code, message, ...(details && { details }) };
}

/** The same error with its fields called by the names that REST uses for them. */
export function renameFields(error: unknown, nameOf: (field: string) => string): unknown {
  if (!(error instanceof ServiceError) || !error.details) return error;
  return invalidRequest(...error.details.map(({ field, message }) => ({ field: nameOf(field), message })));
}
