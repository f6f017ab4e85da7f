import type { Context } from 'hono';
import { z } from 'zod';
import type { ServiceError } from '../domain/core/errors.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import { type Failure, knownField } from '../http/request/request-failure.ts';
import { routes } from './routes.ts';

/** Describes a failed request for the list of failed requests of its key. */
export function failureOf(c: Context<RequestEnv>, error: ServiceError): Failure {
  fieldNames ??= inputNames();
  return { code: error.code, operation: operationIds.get(c.get('operation')), field: knownField(error, fieldNames) };
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
