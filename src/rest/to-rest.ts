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
