import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ServiceError } from '../domain/core/errors.ts';
import { type Failure, knownField } from '../http/failure.ts';
import { openApiDocument } from './openapi/document.ts';
import { routes } from './routes.ts';

/** Describes a failed request for the list of failed requests of its key. */
export function failureOf(c: Context, { code, details }: ServiceError): Failure {
  fieldNames ??= namesIn(JSON.parse(openApiDocument()));
  return { code, operation: operationOf(c), field: knownField(details, fieldNames) };
}

/** Found by the pattern of the route, because a request may fail before its handler runs. */
function operationOf(c: Context): string | undefined {
  for (const { method, path } of matchedRoutes(c)) {
    const id = operationIds.get(`${method} ${path}`);
    if (id) return id;
  }
  return undefined;
}

const operationIds = new Map(
  routes.map(({ method, path, id }) => [`${method} /v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, id]),
);

let fieldNames: ReadonlySet<string> | undefined;

/** The names of all properties and parameters of an OpenAPI document. */
function namesIn(document: unknown): ReadonlySet<string> {
  const names = new Set(['body']);
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties, name, in: location } = value as Readonly<Record<string, unknown>>;
    if (typeof properties === 'object' && properties) for (const key of Object.keys(properties)) names.add(key);
    if (typeof name === 'string' && typeof location === 'string') names.add(name);
    Object.values(value).forEach(visit);
  };
  visit(document);
  return names;
}
