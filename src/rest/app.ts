import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Authentication } from '../auth/authentication.ts';
import type { Context as DomainContext } from '../domain/core/context.ts';
import { invalidRequest, recordError, ServiceError } from '../domain/core/errors.ts';
import type { ListOperation } from '../domain/definition/list.ts';
import { checkParameters, type QueryParameters } from '../http/request/query.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import { etagOf, kindOfETags, matchesETag } from '../http/response/etag.ts';
import { allowHeader } from '../http/response/other-methods.ts';
import { respond } from '../http/response/response.ts';
import { deprecationHeaders } from './deprecation.ts';
import { errorResponse, renameFields } from './error.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { unknownPath } from './unknown-path.ts';
import { unsupportedMethod } from './unsupported-method.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Creates the REST API: the routes under `/v1`. Each request is charged one point before it is parsed. */
export function createRestApp(authentication: Authentication): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  for (const { method, pattern, path } of routes) {
    // Before authentication, so that refused requests have it too.
    app.on(method, pattern, (c, next) => {
      c.set('operation', `${c.req.method} /v1${path}`);
      return next();
    });
  }
  app.use(authentication.authenticate('rest'), authentication.admit);
  for (const [pattern, routesOfPattern] of groupByPattern(routes)) {
    const allow = allowHeader(routesOfPattern.map(({ method }) => method));
    const readRoute = routesOfPattern.find(({ method }) => method === 'GET');
    for (const route of routesOfPattern) {
      app.on(route.method, pattern, createHandler(route, readRoute, authentication));
    }
    app.options(pattern, (c) => respond(c, null, 204, { Allow: allow }));
    const path = routesOfPattern[0]?.path ?? '';
    app.all(pattern, (c) => errorResponse(c, unsupportedMethod(c.req.method, allow, path), { Allow: allow }));
  }
  app.all('*', (c) => {
    throw unknownPath(c.req.path);
  });
  return app;
}

/** The query parameters of a route, and those of the list that contains its record, to suggest in errors. */
function parametersOf(route: Route): QueryParameters {
  const { method, path, input, operation } = route;
  const listPath = path.slice(0, path.lastIndexOf('/'));
  const list = path.endsWith('}')
    ? routes.find((other) => other.method === 'GET' && other.path === listPath)
    : undefined;
  const schemas = Object.entries(input.parts(operation.input).query?.shape ?? {});
  const isList = (schema: unknown) => schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodArray;
  const { searched, orders } = operation as Partial<Pick<ListOperation<unknown>, 'searched' | 'orders'>>;
  return {
    operation: `${method} /v1${path}`,
    names: schemas.map(([name]) => name),
    searched,
    orders: orders && Object.keys(orders),
    lists: new Set(schemas.filter(([, schema]) => isList(schema)).map(([name]) => name)),
    list: list && parametersOf(list),
  };
}

/** Whether a request to a route can have a precondition: the state of the record that it changes. */
function isConditional({ method }: Route): boolean {
  return method === 'PATCH' || method === 'DELETE';
}

/** Returns the handler of a route. @param readRoute the route that reads the resource at the same path, if any. */
function createHandler(route: Route, readRoute: Route | undefined, authentication: Authentication) {
  const { operation, input, output } = route;
  const parameters = parametersOf(route);
  return async (c: Context<RequestEnv>): Promise<Response> => {
    let readError: unknown;
    const readInput = async () => {
      try {
        checkParameters(c.req.url, parameters);
        Object.assign(c.get('headers'), deprecationHeaders(c.req.url));
        const value = await input.read(c);
        const isCounted = parameters.names.includes('count') && (value as { readonly count?: unknown }).count === true;
        if (isCounted) await chargeCount(c, authentication);
        return value;
      } catch (error) {
        readError = error;
        throw error;
      }
    };
    try {
      const context = isConditional(route) && readRoute ? withPrecondition(c, readRoute) : c.get('domain');
      const result = await operation(context, readInput, output.fields);
      const body = await output.body(result);
      if (output.hasETag) return respondWithETag(c, body);
      const location = output.location && { Location: `/v1${output.location(result)}` };
      return respond(c, body, output.status, { ...JSON_TYPE, ...location });
    } catch (error) {
      throw error === readError
        ? error
        : renameFields(error, parameters.operation, (field) => input.nameOf(field, c.req.url));
    }
  };
}

/** Responds with a resource, or with 304 if the client has its state (RFC 9110, section 13.1.2). */
function respondWithETag(c: Context<RequestEnv>, body: string): Response {
  const etag = etagOf(body);
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (matchesETag(c.req.header('if-none-match') ?? '', etag, 'weak')) return respond(c, null, 304, headers);
  return respond(c, body, 200, { ...JSON_TYPE, ...headers });
}

/**
 * Returns the context of a write that is refused if the resource changed since the client read it (RFC 9110, section
 * 13.1.1).
 *
 * @throws {ServiceError} `invalid_request` for an `If-Match` without an ETag.
 */
function withPrecondition(c: Context<RequestEnv>, { operation, input, output }: Route): DomainContext {
  const context = c.get('domain');
  const expected = c.req.header('if-match');
  if (expected === undefined) return context;
  const kind = kindOfETags(expected);
  if (kind === 'invalid') {
    throw invalidRequest({
      field: 'If-Match',
      message: 'must be * or the ETag of a GET of this path, in double quotes',
    });
  }
  return {
    ...context,
    checkPrecondition: async ({ scopeUses: _, ...inTransaction }) => {
      // The write itself returns the resource, so comparing it needs no other scope.
      const scopes = new Set([...operation.scopes, ...operation.scopesOfInput({}).map(({ scope }) => scope)]);
      const reader = { ...inTransaction, caller: { ...inTransaction.caller, scopes } };
      const current = await operation(reader, () => input.read(c), output.fields);
      const etag = etagOf(await output.body(current));
      if (!matchesETag(expected, etag, 'strong'))
        throw kind === 'weak' ? weakETag() : recordError('precondition_failed');
    },
  };
}

function weakETag(): ServiceError {
  const message =
    'If-Match never matches a weak ETag (W/"…"); send the ETag of the GET without W/, as the service returned it';
  return new ServiceError('precondition_failed', message);
}

/** Charges one more point to a request that counts the records of a list. */
async function chargeCount(c: Context<RequestEnv>, authentication: Authentication): Promise<void> {
  if (c.get('charge').limit < 2)
    throw invalidRequest({ field: 'count', message: 'costs 2 points, more than the limit of the key: 1 point/minute' });
  await authentication.charge(c, 1);
}

function groupByPattern(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.pattern, [...(groups.get(route.pattern) ?? []), route]);
  return groups;
}
