import { ServiceError } from '../domain/core/errors.ts';
import { similarNames } from '../domain/values/similar-names.ts';
import { alternatives, truncate, withArticle } from '../domain/values/words.ts';
import { methodNotAllowed } from '../http/response/other-methods.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

/** Says which requests write the records of a list, or else what belongs to them. @param path a path of the routes. */
function writesOf(path: string): string {
  const [, list = '', , inner] = path.split('/');
  const creates = routes.find(({ method, path }) => method === 'POST' && path.split('/')[3] === inner);
  if (inner && creates) return `the only request that writes ${inner} is POST /v1${creates.path}`;
  const writes = routes.filter((route) => route.method !== 'GET' && route.path.split('/').includes(list));
  const requests = writes.map((route) => `${route.method} /v1${route.path}`).join(', ');
  if (writes.some((route) => route.path === `/${list}`)) return `the only requests that write ${list} are ${requests}`;
  return `${list} can only be read${requests && `; what belongs to them is written by ${requests}`}`;
}

/** Where the schema of the GraphQL API is. */
const GRAPHQL_SCHEMA = 'POST /graphql answers introspection, from which tools make the schema';

/** What does here what a segment of other APIs does, and the parameter without which a list does not. */
const INSTEAD: readonly (readonly [segment: RegExp, instead: string, parameter?: string])[] = [
  [
    /hook|^subscri(?:be|ptions?)$/i,
    'webhooks are created on the page /developer; GET /v1/changes with wait=25 waits for changes',
  ],
  [
    /^(?:search|find|lookup|query|filter)$/i,
    'each list has its own search and filters, as in GET /v1/{list}?q=…; /openapi.json lists its parameters',
    'q',
  ],
  [/^(?:batch|bulk|import)$/i, 'GET /v1/{list}?ids=a,b reads several records; a request writes one; {writes}', 'ids'],
  [/^(?:new|create|add|update|edit|save|upsert|delete|remove)$/i, '{writes}'],
  [/^(?:count|total)$/i, 'count the records with GET /v1/{list}?limit=1&count=true', 'count'],
  [/^(?:all|list|index|export|download)$/i, 'use GET /v1/{list}?limit=100, and cursor for the next page', 'limit'],
  [/^(?:me|self|whoami)$/i, 'a key belongs to an organization, not to a person; use GET /v1/organization'],
  [/^(?:log-?in|auth|authenticate|tokens?|oauth2?)$/i, 'there is no sign-in; send the API key in X-Api-Key'],
  [/^(?:upcoming|next|today|current|past)$/i, 'use GET /v1/{list} with the dates from and until', 'until'],
  [/^(?:pending|answered)$/i, 'use GET /v1/{list}?status=…', 'status'],
  [/^(?:api[-_]?)?keys$/i, 'keys are created on the page /developer'],
  [/@|%40/, 'use GET /v1/{list}?email_address=…', 'email_address'],
  [/^(?:latest|recent|newest)$/i, 'use GET /v1/{list}?order_by=-created_at', 'order_by'],
  [/.[,;|].|%2c/i, 'use GET /v1/{list}?ids=a,b for several records', 'ids'],
  [/^(?:guests?|visitors?)$/i, 'use GET /v1/{list}?is_guest=true', 'is_guest'],
  [/^(?:sdl|schema\.(?:graphqls?|gql)|graphql\.schema)$/i, GRAPHQL_SCHEMA],
];

/** The maximum length of a path for which a similar one is suggested. */
const MAX_PATH_CHARACTERS = 200;

/** Returns a `not_found` error for an unknown path. Its message says what does what was meant, or where all paths are listed. */
export function unknownPath(path: string, method = 'GET'): ServiceError {
  // Other APIs accept parameters after `;`, and a query that begins with `&` is a common mistake.
  const [withoutParameters = ''] = path.split(/[&;]|%3f/i, 1);
  const isOfRecord = !/^(?:GET|HEAD|POST)$/.test(method);
  const withIds = withoutParameters.replace(isOfRecord ? /(?<=\/)(?=\/[^/]|$)/g : /(?<=\/)(?=\/[^/])/g, 'id');
  const isEmpty = withIds !== withoutParameters && suggestedPath(withIds) !== undefined;
  const nearest = suggestedPath(isEmpty ? withIds : withoutParameters);
  const slash = !isEmpty && /.\/$/.test(path) ? ', without the / at its end' : '';
  const parameters = withoutParameters === path ? slash : ', with an unencoded ? before the parameters';
  const suggestion = nearest && `${isEmpty ? 'an id is empty; ' : ''}did you mean ${nearest}${parameters}?`;
  const instead = nearest === '/graphql' ? undefined : insteadOf(withoutParameters);
  const hint = instead ?? suggestion ?? nearestOf(withoutParameters, method) ?? LISTS;
  return new ServiceError('not_found', `There is no path ${truncate(path)}; ${hint}`);
}

/**
 * Returns the error for a method that a path does not support. Its message names the request that does what was meant.
 *
 * @param allow the value of the header `Allow`.
 * @param path the path of the routes: `/members/{object_id}`.
 * @param sent the path of the request: `/v1/members/batch`.
 */
export function unsupportedMethod(method: string, allow: string, path: string, sent: string): ServiceError {
  return methodNotAllowed(method, allow, `/v1${path}`, `; ${insteadOf(sent) ?? writesOf(path)}`);
}

/** Returns the error for a record that does not exist; its message says what does here what a path of other APIs does. */
export function unknownRecord(error: ServiceError, path: string): ServiceError {
  const hint = insteadOf(path);
  return hint ? new ServiceError(error.code, `${error.message.split(';', 1)[0]}; ${hint}`) : error;
}

/** Returns what does here what a path of other APIs does; undefined if none of its segments is known. */
function insteadOf(path: string): string | undefined {
  const segments = segmentsOf(path);
  const [first = ''] = segments;
  const name = first === 'forms' && segments.length > 2 ? 'forms/{}/responses' : first;
  const list = listAt(name) ?? (segments.length === 1 ? listAt('members') : undefined);
  // Where an id of the list is: what is below a record is about that record only.
  const idIndex = name === first ? 1 : 3;
  const words = segments.map((segment) => segment.replace(/^[$_]|\.(?:json|csv|xlsx?)$/gi, ''));
  for (const [pattern, instead, parameter] of INSTEAD) {
    const isOfList = instead.includes('{list}') && parameter !== 'email_address';
    const at = words.findIndex((word) => pattern.test(word));
    if (at === -1 || (isOfList && at !== idIndex && segments.length > 1)) continue;
    if (!instead.includes('{')) return instead;
    if (!list || (parameter && !(parameter in queryOf(list)))) continue;
    return instead.replace('{list}', list.path.slice(1)).replace('{writes}', writesOf(list.path));
  }
  return undefined;
}

/** Returns what does what a path within a record was meant to do; undefined if there is no such record. */
function nearestOf(path: string, method: string): string | undefined {
  const segments = segmentsOf(path);
  const [parent = '', id = '', name = ''] = segments;
  // The API key determines the organization, which other APIs have in the path.
  const list = parent === 'organization' ? listAt(name || id) : undefined;
  if (list) return `did you mean /v1${list.path}?`;
  if (!recordAt(parent)) return listAt(parent) && `did you mean /v1/${parent}?`;
  if (/\d/.test(name)) return undefined;
  if (method !== 'GET') return writesOf(`/${parent}`);
  const within =
    matchingPath(segments.slice(0, 4)) ?? (segments.length > 3 ? matchingPath(segments.slice(0, 3)) : undefined);
  if (within) return `did you mean ${within}?`;
  return name ? relatedTo(parent, name, segments.length === 3 ? path.split('/').at(-1) : name) : undefined;
}

/**
 * Returns what reads the records, or the field, that a path names within a record: the list that is filtered by it, a field,
 * or the GraphQL API; otherwise, that there is none.
 *
 * @param parent the path of a list.
 * @param sent the name as it was sent; `name` may be a synonym.
 */
function relatedTo(parent: string, name: string, sent = name): string {
  const record = recordAt(parent) as Route;
  const list = listAt(name);
  const within = `/v1${record.path}`;
  const filter = `${normalizeSegment(parent)}_id`;
  if (name === 'changes') return 'GET /v1/changes has the changes of all records';
  if (list && !('limit' in queryOf(list))) return `use GET /v1${list.path}`;
  if (name === parent) return `GET ${within} returns all fields`;
  if (list && filter in queryOf(list)) return `did you mean /v1/${name}?${filter}=…?`;
  const nested = routes.find(({ path }) => path === `${record.path}/${name}`);
  if (nested) return `use GET /v1${nested.path}`;
  if (parent === 'members' && name === 'departments')
    return 'the GraphQL API at /graphql reads them: member(id: …) { departments { id name } }';
  const found = similarNames(sent, fieldsOf(record));
  const values = (record.output.example as { readonly data: Readonly<Record<string, unknown>> }).data;
  const isNumber = found.some((field) => typeof values[field] === 'number');
  if (found.length > 0) return `GET ${within} returns ${alternatives(found)}${isNumber ? ', a number' : ''}`;
  const noun = withArticle(normalizeSegment(parent).replaceAll('-', ' '));
  const all = list
    ? `; GET /v1${list.path} lists those of the organization`
    : `; its fields are ${fieldsOf(record).join(', ')}`;
  return `${noun} has no ${name.replaceAll('-', ' ')}${all}`;
}

/** Returns what reads the records of a list that are related to another record, by the singular of its list; undefined if none. */
export function relatedById(parent: string, name: string): string | undefined {
  const list = nameOf(parent);
  // `calendar_id` is the id of no event.
  if (list === name) return list === `${normalizeSegment(parent)}s` ? 'did you mean ids?' : undefined;
  return list && recordAt(list) ? relatedTo(list, name) : undefined;
}

/** The query parameters of a route, by name. */
export function queryOf({ input, operation }: Route): Readonly<Record<string, unknown>> {
  return input.parts(operation.input).query?.shape ?? {};
}

/** The fields of the records that a route returns. */
export function fieldsOf({ output }: Route): readonly string[] {
  return Object.keys(output.fields ?? {});
}

const listAt = (name: string) => readAt(`/${name}`);
const recordAt = (name: string) => readAt(`/${name}/{}`);

function readAt(pattern: string): Route | undefined {
  return routes.find(({ method, path }) => method === 'GET' && path.replace(/\{\w+\}/g, '{}') === pattern);
}

/**
 * Finds the path of an API that differs only in slashes, version, letter case, hyphens, plural or extension; undefined if
 * there is none. The path of a route has its parameters in braces: `/v1/tags/{id}`.
 */
export function suggestedPath(path: string): string | undefined {
  const segments = segmentsOf(path);
  const [only = ''] = segments.length === 1 ? segments : [];
  if (/^(?:(?:graphql|gql)(?:\.(?!schema)\w+)?|query|graphiql|playground)$/i.test(only)) return '/graphql';
  if (/^(?:openapi|swagger|schema(?!\.g)|api-docs|\$?metadata)(?:[-.][\w.]+)?$/i.test(only)) return '/openapi.json';
  if (/^(?:docs?|documentation|reference)$/i.test(only)) return '/docs';
  if (/^health(?:z|-?check)?$/i.test(only)) return '/healthz';
  return matchingPath(segments);
}

function matchingPath(segments: readonly string[]): string | undefined {
  const path = `/${segments.join('/')}`;
  const route = routes.find((one) => new RegExp(`^${one.path.replace(/\{\w+\}/g, '[\\w-]+')}$`).test(path));
  return route && `/v1${route.path}`;
}

/**
 * The segments of a path without the version; none of one that is too long. Names that other APIs have, and misspelled ones,
 * become those of this API.
 */
function segmentsOf(path: string): string[] {
  if (path.length > MAX_PATH_CHARACTERS) return [];
  // OData has ids in parentheses.
  const segments = path
    .replace(/\('?([^/()']*)'?\)/, '/$1')
    .split('/')
    .filter(Boolean);
  while (/^(?:api|rest|v[\d.]+)$/i.test(segments[0] ?? '')) segments.shift();
  // Planning Center has the version after the name of the product: `/people/v2/people`.
  if (/^v\d$/i.test(segments[1] ?? '')) segments.splice(0, 2);
  const known = segments.map((segment, index) => (index % 2 === 1 ? segment : (nameOf(segment) ?? segment)));
  // Lists of responses exist only within a form; any id matches.
  return known[0] === 'responses' ? ['forms', 'form_id', ...known] : known;
}

/** The name of a list, or of one within a record, that a segment means, in singular or plural. */
function nameOf(segment: string): string | undefined {
  const singular = normalizeSegment(segment);
  return [`${singular}s`, singular].flatMap((name) => similarNames(name, names))[0];
}

const names = [...new Set(routes.flatMap(({ path }) => path.split('/').filter((_, index) => index % 2 === 1)))];

const LISTS = `the lists are ${routes
  .filter((route) => route.method === 'GET' && 'limit' in queryOf(route) && !route.path.includes('{'))
  .map(({ path }) => path.slice(1))
  .join(', ')}; GET /openapi.json lists the paths`;

/** Returns `prayer-request` for `prayer_requests`, `PrayerRequests` and `prayer-requests.json`. */
function normalizeSegment(segment: string): string {
  return segment
    .replace(/\.\w+$/i, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/s$/, '');
}
