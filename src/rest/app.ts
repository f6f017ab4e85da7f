import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Authentication } from '../auth/authentication.ts';
import type { Context as DomainContext } from '../domain/core/context.ts';
import { invalidRequest, ServiceError } from '../domain/core/errors.ts';
import { requireScope } from '../domain/core/operation.ts';
import { unvalidatedField } from '../domain/core/parse-input.ts';
import { type ListOperation, ONLY_ENTRY } from '../domain/definition/list.ts';
import { similarNames } from '../domain/values/similar-names.ts';
import { checkParameters, type QueryParameters } from '../http/request/query.ts';
import type { RequestEnv, ResponseHeaders } from '../http/request/request-env.ts';
import { etagOf, kindOfETags, matchesETag } from '../http/response/etag.ts';
import { allowHeader } from '../http/response/other-methods.ts';
import { respond } from '../http/response/response.ts';
import { errorResponse, renameFields } from './error-response.ts';
import { fieldsOf, queryOf, relatedById, unknownPath, unknownRecord, unsupportedMethod } from './path-hints.ts';
import { deprecationHeaders } from './query-input.ts';
import { hasPrecondition, type Route } from './route.ts';
import { routes } from './routes.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Creates the REST API: the routes under `/v1`. Each request is charged one point before it is parsed. */
export function createRestApp(authentication: Authentication): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  for (const { method, pattern, path } of routes) {
    // Before authentication, so that refused requests have it too.
    app.on(method, pattern, (c, next) => {
      c.set('requestName', `${c.req.method} /v1${path}`);
      return next();
    });
  }
  app.use(authentication.authenticate('rest'), authentication.chargeRequest);
  for (const [pattern, routesOfPattern] of groupByPattern(routes)) {
    const allow = allowHeader(routesOfPattern.map(({ method }) => method));
    const readRoute = routesOfPattern.find(({ method }) => method === 'GET');
    for (const route of routesOfPattern) {
      app.on(route.method, pattern, createHandler(route, readRoute, authentication));
    }
    app.options(pattern, (c) => respond(c, null, 204, { Allow: allow }));
    const path = routesOfPattern[0]?.path ?? '';
    app.all(pattern, (c) =>
      errorResponse(c, unsupportedMethod(c.req.method, allow, path, c.req.path), { Allow: allow }),
    );
  }
  app.all('*', (c) => {
    throw unknownPath(c.req.path, c.req.method);
  });
  return app;
}

/** The query parameters of a route. */
function parametersOf(route: Route): QueryParameters {
  const { method, path, operation } = route;
  const schemas = Object.entries(queryOf(route));
  const { body } = route.input.parts(operation.input);
  const isList = (schema: unknown) => schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodArray;
  const { searchedFieldsText, orders } = operation as unknown as Partial<ListOperation<unknown>>;
  return {
    operation: `${method} /v1${path}`,
    names: schemas.map(([name]) => name),
    searchedFieldsText,
    orders: Object.keys(orders ?? ONLY_ENTRY),
    fields: fieldsOf(route),
    bodyFields: Object.keys((body as z.ZodObject | undefined)?.shape ?? {}),
    lists: new Set(schemas.filter(([, schema]) => isList(schema)).map(([name]) => name)),
    elsewhere: (name) => elsewhere(name, route),
  };
}

/**
 * Where else a parameter is: in the list of the record, which also has the search, or the path; or what reads the records of
 * another, by its id.
 */
function elsewhere(name: string, { method, path }: Route): string | undefined {
  const [, own = '', ...others] = path.split('/');
  const list = routes.find((route) => route.method === 'GET' && route.path === `/${own}`);
  const isRecord = method === 'GET' && others.length === 1;
  if (isRecord && list && name in queryOf(list)) return `GET /v1${list.path} has it`;
  if (isRecord && list && 'q' in queryOf(list) && similarNames(name, ['q']).length > 0)
    return `use GET /v1${list.path}?q=…`;
  if (path.includes(`{${name}}`)) return 'it is in the path already';
  const [, parent] = /^([a-z]+|prayer_request)_ids?$/.exec(name) ?? [];
  const related = others.find((segment) => !segment.startsWith('{')) ?? own;
  return parent && method === 'GET' ? relatedById(parent, related) : undefined;
}

/** Returns the handler of a route. @param readRoute the route that reads the resource at the same path, if any. */
function createHandler(route: Route, readRoute: Route | undefined, authentication: Authentication) {
  const { method, operation, input, output } = route;
  const parameters = parametersOf(route);
  const withRestNames = (error: unknown, url: string) =>
    renameFields(error, parameters.operation, (field) => input.nameOf(field, url));
  return async (c: Context<RequestEnv>): Promise<Response> => {
    try {
      // First, so that a missing scope is reported whatever the input is.
      requireScope(c.get('domainContext'), operation.name, operation.scopes);
    } catch (error) {
      throw withRestNames(error, c.req.url);
    }
    const context = hasPrecondition(route) && readRoute ? withPrecondition(c, readRoute) : c.get('domainContext');
    checkParameters(c.req.url, parameters);
    if (method === 'GET') rejectBody(c);
    if (method === 'POST') rejectPreconditions(c, ['If-Match', 'If-None-Match', 'If-Unmodified-Since'], ONLY_ONCE);
    Object.assign(c.get('headers'), deprecationHeaders(c.req.url));
    const value = await input.read(c);
    const isCounted = parameters.names.includes('count') && unvalidatedField(value, 'count') === true;
    if (isCounted) await chargeCount(c, authentication);
    try {
      const result = await operation(context, value, output.fields);
      const body = await output.body(result);
      const location = output.location && { Location: `/v1${output.location(result)}` };
      const included = unvalidatedField(value, 'include') as readonly string[] | undefined;
      const headers = { ...JSON_TYPE, ...location, ...(output.hasETag && { ETag: etagOfBody(body, included) }) };
      if (method === 'GET' && output.hasETag) return respondIfChanged(c, body, headers);
      return respond(c, body, output.status, headers);
    } catch (error) {
      throw error instanceof ServiceError && error.code === 'not_found'
        ? unknownRecord(error, c.req.path)
        : withRestNames(error, c.req.url);
    }
  };
}

/**
 * The ETag of a body, whose nested JSON PostgreSQL and the service write with other blanks. With included records it has two
 * parts: that of the record alone, which `If-Match` compares, and that of the included ones.
 */
function etagOfBody(body: string, included: readonly string[] = []): string {
  const hasNested = /[{[]/.test(body.slice(RECORD_START.length));
  if (!hasNested && body.startsWith(RECORD_START)) return etagOf(body);
  const parsed = JSON.parse(body);
  if (included.length === 0) return etagOf(JSON.stringify(parsed));
  const entries = Object.entries(parsed.data);
  const parts = [false, true].map((isIncluded) => {
    const data = Object.fromEntries(entries.filter(([name]) => included.includes(name) === isIncluded));
    return etagOf(JSON.stringify({ data })).slice(1, -1);
  });
  return `"${parts.join('.')}"`;
}

const RECORD_START = '{"data":{';

/** Responds with a resource, or with 304 if the client has its state (RFC 9110, section 13.1.2). */
function respondIfChanged(c: Context<RequestEnv>, body: string, headers: ResponseHeaders): Response {
  const etag = headers.ETag ?? '';
  const cached = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (matchesETag(c.req.header('if-none-match') ?? '', etag, 'weak')) return respond(c, null, 304, cached);
  return respond(c, body, 200, { ...headers, ...cached });
}

/**
 * Returns the context of a write that is refused if the resource changed since the client read it (RFC 9110, section
 * 13.1.1).
 *
 * @throws {ServiceError} `invalid_request` for an `If-Match` without an ETag, and for an `If-Unmodified-Since` alone.
 */
function withPrecondition(c: Context<RequestEnv>, { operation, input, output }: Route): DomainContext {
  const context = c.get('domainContext');
  rejectPreconditions(c, ['If-None-Match'], SEND_ETAG);
  const expected = c.req.header('if-match')?.replaceAll(/(?<="[\w-]{22})\.[\w-]{22}(?=")/g, '');
  if (expected === undefined) {
    rejectPreconditions(c, ['If-Unmodified-Since'], SEND_ETAG);
    return context;
  }
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
      const current = await operation(reader, await input.read(c), output.fields);
      const etag = etagOfBody(await output.body(current));
      if (!matchesETag(expected, etag, 'strong')) throw noMatch(kind);
    },
  };
}

/** The length of `{}` and of an empty string in JSON, which some clients send with each request. */
const EMPTY_BODY_CHARACTERS = 2;

/** @throws {ServiceError} `invalid_request` for a GET with a body: the filters in it would be ignored. */
function rejectBody(c: Context<RequestEnv>): void {
  if (Number(c.req.header('content-length') ?? 0) <= EMPTY_BODY_CHARACTERS) return;
  throw invalidRequest({ field: 'body', message: 'is not read by GET; send its fields as query parameters' });
}

/** @throws {ServiceError} `invalid_request` for a header that would make a request conditional, but is not supported. */
function rejectPreconditions(c: Context<RequestEnv>, headers: readonly string[], instead: string): void {
  const field = headers.find((name) => c.req.header(name) !== undefined);
  if (field) throw invalidRequest({ field, message: `is not supported by ${c.req.method}; ${instead}` });
}

const ONLY_ONCE = 'an Idempotency-Key makes it safe to repeat the request';
const SEND_ETAG = 'send If-Match with the ETag of a GET of this path, unchanged';

/** Returns the error for an `If-Match` that does not match, with what is wrong with it beside a change of the record. */
function noMatch(kind: ReturnType<typeof kindOfETags>): ServiceError {
  if (kind === 'strong') {
    const message = 'The record was changed since it was read, or If-Match has the ETag of another path';
    return new ServiceError('precondition_failed', `${message}; GET this path again, and repeat the change`);
  }
  const problem = kind === 'weak' ? 'never matches a weak ETag (W/"…")' : 'has no ETag of this service';
  return new ServiceError('precondition_failed', `If-Match ${problem}; ${SEND_ETAG}`);
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
