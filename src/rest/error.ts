import type { Context } from 'hono';
import { invalidRequest, ServiceError } from '../domain/core/errors.ts';
import { STATUS_OF_CODE, toServiceError } from '../http/error-status.ts';
import type { RequestEnv, ResponseHeaders } from '../http/request-env.ts';
import { respond } from '../http/response.ts';

/** An error as REST shows it: `{ "error": { "code", "message" } }`; only `invalid_request` has `details`. */
export function errorResponse(c: Context<RequestEnv>, thrown: unknown, headers: ResponseHeaders = {}): Response {
  const error = toServiceError(thrown);
  const body = JSON.stringify({ error: presentError(error) });
  return respond(c, body, STATUS_OF_CODE[error.code], { 'Content-Type': 'application/json', ...headers });
}

function presentError({ code, message, details }: ServiceError): object {
  return { code, message, ...(details && { details }) };
}

/** The same error with its fields called by the names that REST uses for them. */
export function renameFields(error: unknown, nameOf: (field: string) => string): unknown {
  if (!(error instanceof ServiceError) || !error.details) return error;
  return invalidRequest(...error.details.map(({ field, message }) => ({ field: nameOf(field), message })));
}
