import { Hono } from 'hono';
import type { OperationCall } from '../../domain/core/context.ts';
import { routes } from '../routes.ts';
import { unknownPath } from '../unknown-path.ts';

/** A request to a route, by the id of its operation. */
export interface RouteCall {
  readonly operation: { readonly id: string };
  /** Path and query parameters by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Undefined if the request has none. */
  readonly body: unknown;
}

/**
 * Reads the call of an operation from a request, as its route does.
 *
 * @returns undefined if no route has this id.
 * @throws the errors of a request that cannot be read, of an invalid input, and of a path that the route does not match.
 */
export async function callOf({ operation: { id }, parameters, body }: RouteCall): Promise<OperationCall | undefined> {
  const route = routes.find((candidate) => candidate.id === id);
  if (!route) return undefined;
  const { method, operation } = route;
  const query = Object.entries(parameters).filter(([name]) => !route.path.includes(`{${name}}`));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
  const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)]));
  let input: unknown;
  // A router of one route, because `input.read` gets the path parameters from Hono.
  const reader = new Hono().on(method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
    input = await route.input.read(c);
    return c.body(null);
  });
  // An id such as `..` leads to another path.
  reader.notFound((c) => {
    throw unknownPath(c.req.path);
  });
  reader.onError((error) => {
    throw error;
  });
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  await reader.request(`${path}?${search}`, { method, ...init });
  return { operation, input, parsed: operation.input.parse(input) };
}
