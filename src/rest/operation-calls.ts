import { Hono } from 'hono';
import type { OperationCall } from '../domain/core/operation.ts';
import { DEFAULT_PAGE_SIZE } from '../domain/lists/page.ts';
import { type RestRequest, requestPath } from '../http/request/rest-request.ts';
import type { Input } from './input.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

const byOperation = new Map<unknown, Route>(routes.map((route) => [route.operation, route]));

/**
 * Translates a call of an operation to a request to its route. Parameters with their default value are omitted.
 *
 * @returns undefined if no route calls the operation, or none with this input.
 */
export function toRest({ operation, input }: OperationCall): RestRequest | undefined {
  const route = byOperation.get(operation);
  const parts = route?.input.serialize(input as Input);
  if (!route || !parts) return undefined;
  const isDefault = (name: string, value: unknown) =>
    value == null || (name === 'limit' && value === DEFAULT_PAGE_SIZE);
  const query = Object.entries(parts.query ?? {}).filter(([name, value]) => !isDefault(name, value));
  return {
    method: route.method,
    path: `/v1${requestPath(route.path, { ...parts.path, ...Object.fromEntries(query) })}`,
    ...(parts.body === undefined ? {} : { body: parts.body }),
  };
}

/** A request to the route of an operation. */
export interface RouteRequest {
  readonly operationId: string;
  /** Path and query parameters by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Undefined if the request has none. */
  readonly body: unknown;
}

/**
 * Translates a request to the call of its operation. The input is read by the same code as in a real request.
 *
 * @returns undefined if no route has this operation id.
 * @throws {ServiceError} if the request cannot be read.
 * @throws {ZodError} if the input is invalid.
 */
export async function toOperationCall({
  operationId,
  parameters,
  body,
}: RouteRequest): Promise<OperationCall | undefined> {
  const route = routes.find((candidate) => candidate.id === operationId);
  if (!route) return undefined;
  const { method, operation } = route;
  let input: unknown;
  // A router of one route, because `input.read` gets the path parameters from Hono.
  const reader = new Hono().on(method, route.pattern, async (c) => {
    input = await route.input.read(c);
    return c.body(null);
  });
  reader.onError((error) => {
    throw error;
  });
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  await reader.request(requestPath(route.path, parameters), { method, ...init });
  operation.input.parse(input);
  return { operation, input };
}
