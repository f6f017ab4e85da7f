import type { Context } from 'hono';
import { invalidRequest, MissingScopeError, missingScope, ServiceError } from '../domain/core/errors.ts';
import type { RequestEnv, ResponseHeaders } from '../http/request/request-env.ts';
import { STATUS_OF_CODE, toServiceError } from '../http/response/error-status.ts';
import { respond } from '../http/response/response.ts';
import { failureOf } from './describe-failure.ts';

/**
 * Returns the response for an error: `{ "error": { "code", "message" } }`; only `invalid_request` has `details`. Also
 * sets the failure of the request, which is stored in the list of failed requests of its key.
 *
 * @param thrown any error, see {@link toServiceError}.
 */
export function errorResponse(c: Context<RequestEnv>, thrown: unknown, headers: ResponseHeaders = {}): Response {
  const error = toServiceError(thrown);
  if (c.get('api')) c.set('failure', failureOf(c, error));
  const { code, message, details } = error;
  const body = JSON.stringify({ error: { code, message, details } });
  return respond(c, body, STATUS_OF_CODE[code], { 'Content-Type': 'application/json', ...headers });
}

/**
 * Returns the error of an operation with the names of the REST API: in its details, and for what needs a missing scope.
 *
 * @param operation the method and the path.
 * @param nameOf returns the parameter or body field of an input field.
 */
export function renameFields(error: unknown, operation: string, nameOf: (field: string) => string): unknown {
  if (error instanceof MissingScopeError) {
    const { code, scopes, field } = error;
    return new ServiceError(code, missingScope(scopes, field === undefined ? operation : nameOf(field)));
  }
  if (!(error instanceof ServiceError) || !error.details) return error;
  return invalidRequest(...error.details.map(({ field, message }) => ({ field: nameOf(field), message })));
}
