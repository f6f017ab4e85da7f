import { Hono } from 'hono';
import type { OperationCall } from '../domain/core/operation.ts';
import { requestPath } from '../http/request/rest-request.ts';
import { routes } from './routes.ts';

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
