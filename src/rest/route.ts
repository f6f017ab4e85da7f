import type { z } from 'zod';
import type { Operation } from '../domain/core/operation.ts';
import type { ListOperation } from '../domain/definition/list.ts';
import type { JsonRecord } from '../domain/records/records.ts';
import { body, bodyAs, combine, type InputSource, parameter, path } from './input.ts';
import { createdRecord, jsonRecord, list, type Output, record, updatedRecord } from './output.ts';
import { listParameters } from './query-input.ts';
import type { RecordShape } from './record-shapes.ts';

/** A route: a method and a path (under `/v1`, parameters in braces), and the operation that it calls. */
export interface Route {
  /** The name of the operation, and its `operationId` in OpenAPI. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The path in Hono's notation: `/members/:object_id`. */
  readonly pattern: string;
  readonly operation: Operation<z.ZodType, never>;
  readonly input: InputSource;
  readonly output: Output<never>;
}

/** Whether a request to a route can have a precondition: the state of the record that it changes. */
export function hasPrecondition({ method }: Pick<Route, 'method'>): boolean {
  return method === 'PATCH' || method === 'DELETE';
}

/** The route of a list with search, filters and orders. */
export function listRoute<Schema extends z.ZodObject>(
  path: string,
  operation: ListOperation<z.output<Schema>>,
  shape: RecordShape<Schema>,
): Route {
  return route('GET', path, operation, listParameters(operation), list(shape));
}

/** The route of a record whose id is the last segment of the path. */
export function getRoute<Schema extends z.ZodObject>(
  recordPath: string,
  operation: Operation<z.ZodType, JsonRecord<z.output<Schema>>>,
  shape: RecordShape<Schema>,
): Route {
  return route('GET', recordPath, operation, idIn(recordPath, shape), jsonRecord(shape));
}

/** The route that creates a record of a list. */
export function createRoute<Schema extends z.ZodObject>(
  path: string,
  operation: Operation<z.ZodType, z.output<Schema>>,
  shape: RecordShape<Schema>,
): Route {
  return route(
    'POST',
    path,
    operation,
    body,
    createdRecord(shape, ({ id }) => `${path}/${id}`),
  );
}

/** The route that updates a record whose id is the last segment of the path. */
export function updateRoute<Schema extends z.ZodObject>(
  recordPath: string,
  operation: Operation<z.ZodType, z.output<Schema>>,
  shape: RecordShape<Schema>,
): Route {
  return route(
    'PATCH',
    recordPath,
    operation,
    combine(idIn(recordPath, shape), bodyAs('changes')),
    updatedRecord(shape),
  );
}

/** The route that deletes a record whose id is the last segment of the path; it returns the record as it was. */
export function deleteRoute<Schema extends z.ZodObject>(
  recordPath: string,
  operation: Operation<z.ZodType, z.output<Schema>>,
  shape: RecordShape<Schema>,
): Route {
  return route('DELETE', recordPath, operation, idIn(recordPath, shape), record(shape));
}

/** The id in the last segment of a path. */
function idIn(recordPath: string, shape: RecordShape): InputSource {
  const name = recordPath.slice(recordPath.lastIndexOf('{') + 1, -1);
  return path({ id: parameter(name, shape, 'id') });
}

/** A route with any input and output. */
export function route<Schema extends z.ZodType, Result>(
  method: Route['method'],
  path: string,
  operation: Operation<Schema, Result>,
  input: InputSource,
  output: Output<Result>,
): Route {
  return {
    id: operation.name,
    method,
    path,
    pattern: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    operation: operation as unknown as Route['operation'],
    input,
    output,
  };
}
