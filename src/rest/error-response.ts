import type { Context } from 'hono';
import { z } from 'zod';
import { invalidRequest, MissingScopeError, missingScope, ServiceError } from '../domain/core/errors.ts';
import type { RequestEnv, ResponseHeaders } from '../http/request/request-env.ts';
import { type Failure, knownField } from '../http/request/request-failure.ts';
import { STATUS_OF_CODE, toServiceError } from '../http/response/error-status.ts';
import { respond } from '../http/response/response.ts';
import { routes } from './routes.ts';

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

/** Describes a failed request for the list of failed requests of its key. */
function failureOf(c: Context<RequestEnv>, error: ServiceError): Failure {
  fieldNames ??= inputNames();
  return { code: error.code, operation: operationIds.get(c.get('requestName')), field: knownField(error, fieldNames) };
}

/** The operation ids of routes, by the name of the operation in logs. */
const operationIds = new Map<string, string>(
  routes.flatMap(({ method, path, id }) =>
    (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((name) => [`${name} /v1${path}`, id]),
  ),
);

let fieldNames: ReadonlySet<string> | undefined;

/** The names of all parameters and body fields. */
function inputNames(): ReadonlySet<string> {
  const names = new Set([
    'body',
    'search',
    'Idempotency-Key',
    'X-Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'If-Unmodified-Since',
  ]);
  for (const { input, operation } of routes) {
    const { path, query, body } = input.parts(operation.input);
    for (const schema of [path, query, body]) if (schema) addNames(schema, names);
  }
  return names;
}

/** Adds the names of all object fields in a schema, at any depth. */
function addNames(schema: z.ZodType, names: Set<string>): void {
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value)) names.add(name);
    return value;
  });
}
