import { type Context, Hono } from 'hono';
import type { Authentication } from '../auth/authentication.ts';
import { invalidRequest, ServiceError } from '../domain/core/errors.ts';
import { rejectUnknownParameters } from '../http/request/query.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import { respond } from '../http/response/response.ts';
import { errorResponse, renameFields } from './error.ts';
import { type Route, routes } from './routes.ts';
import { unknownPath } from './unknown-path.ts';

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
  for (const [pattern, methods] of groupByPattern(routes)) {
    const allow = allowHeader(methods);
    const methodNotAllowed = new ServiceError('method_not_allowed', `This path supports ${allow}`);
    for (const route of methods) {
      const parameters = Object.keys(route.input.parts(route.operation.input).query?.shape ?? {});
      app.on(route.method, pattern, (c) => handleRoute(c, route, parameters, authentication));
    }
    app.options(pattern, (c) => respond(c, null, 204, { Allow: allow }));
    app.all(pattern, (c) => errorResponse(c, methodNotAllowed, { Allow: allow }));
  }
  app.all('*', (c) => {
    throw unknownPath(c.req.path);
  });
  return app;
}

async function handleRoute(
  c: Context<RequestEnv>,
  route: Route,
  parameters: readonly string[],
  authentication: Authentication,
): Promise<Response> {
  const { operation, input, output } = route;
  let readError: unknown;
  const read = async () => {
    try {
      rejectUnknownParameters(c.req.url, parameters);
      const value = await input.read(c);
      const isCounted = parameters.includes('count') && (value as { readonly count?: unknown }).count === true;
      if (isCounted) await chargeCount(c, authentication);
      return value;
    } catch (error) {
      readError = error;
      throw error;
    }
  };
  try {
    const result = await operation(c.get('domain'), read, output.fields);
    return respond(c, await output.body(result), output.status, JSON_TYPE);
  } catch (error) {
    throw error === readError ? error : renameFields(error, (field) => input.nameOf(field, c.req.url));
  }
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

function allowHeader(routes: readonly Route[]): string {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...methods, 'OPTIONS'].join(', ');
}
