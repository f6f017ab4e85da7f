import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { z } from 'zod';
import type { ServiceError } from '../domain/core/errors.ts';
import { type Failure, knownField } from '../http/request/failure.ts';
import { routes } from './routes.ts';

/** Describes a failed request for the list of failed requests of its key. */
export function failureOf(c: Context, error: ServiceError): Failure {
  fieldNames ??= inputNames();
  return { code: error.code, operation: operationOf(c), field: knownField(error, fieldNames) };
}

/** Finds the operation id by method and path, because a request may fail before the handler of its route runs. */
function operationOf(c: Context): string | undefined {
  for (const { method, path } of matchedRoutes(c)) {
    const id = operationIds.get(`${method} ${path}`);
    if (id) return id;
  }
  return undefined;
}

const operationIds = new Map(routes.map(({ method, pattern, id }) => [`${method} /v1${pattern}`, id]));

let fieldNames: ReadonlySet<string> | undefined;

/** The names of all parameters and body fields. */
function inputNames(): ReadonlySet<string> {
  const names = new Set(['body', 'search', 'Idempotency-Key', 'If-Match']);
  for (const { input, operation } of routes) {
    const { path, query, body } = input.parts(operation.input);
    for (const schema of [path, query, body]) if (schema) addNames(schema, names);
  }
  return names;
}

/** The schemas within the definition of a schema. */
interface NestedSchemas {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

/** Adds the names of all object fields in a schema, at any depth. */
function addNames(schema: z.ZodType, names: Set<string>): void {
  const { shape = {}, element, innerType, in: input, options = [] } = schema.def as NestedSchemas;
  for (const name of Object.keys(shape)) names.add(name);
  for (const part of [...Object.values(shape), element, innerType, input, ...options]) if (part) addNames(part, names);
}
