import { ServiceError, truncate } from '../domain/core/errors.ts';
import { similarNames } from '../domain/values/similar-names.ts';
import { routes } from './routes.ts';

/** What does here what the paths of other APIs do. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/hook/i, 'there are no webhooks; GET /v1/changes with wait=25 responds as soon as there is a change'],
  [/^(?:search|find|lookup|query|filter)$/i, 'each list has its own search, as in GET /v1/members?q=…'],
  [/^(?:batch|bulk|import)$/i, 'each request writes one record, as POST /v1/members'],
  [/^upsert$/i, 'use POST /v1/members, and PATCH /v1/members/{object_id} if the answer is member_exists'],
];

/** The maximum length of a path for which a similar one is suggested. */
const MAX_PATH_CHARACTERS = 200;

/** Returns a `not_found` error for an unknown path. Its message suggests the nearest path, or says where all are listed. */
export function unknownPath(path: string): ServiceError {
  // Other APIs accept parameters after `;`, and a query that begins with `&` is a common mistake.
  const [withoutParameters = ''] = path.split(/[&;]|%3f/i, 1);
  const withIds = withoutParameters.replace(/(?<=\/)(?=\/[^/])/g, 'id');
  const isEmpty = withIds !== withoutParameters && suggestedPath(withIds) !== undefined;
  const nearest = suggestedPath(isEmpty ? withIds : withoutParameters) ?? nearestPath(withoutParameters);
  const parameters = withoutParameters === path ? '' : ', with an unencoded ? before the parameters';
  const suggestion = nearest
    ? `${isEmpty ? 'an id is empty; ' : ''}did you mean ${nearest}${parameters}?`
    : 'GET /openapi.json lists the paths';
  return new ServiceError(
    'not_found',
    `There is no path ${truncate(path)}; ${insteadOf(withoutParameters) ?? suggestion}`,
  );
}

/** Returns what does here what a path of other APIs does; undefined if none of its segments is known. */
export function insteadOf(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS) return undefined;
  const names = path.split('/');
  return INSTEAD.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
}

/**
 * Returns the list at the end of an unknown path, filtered by the record before it (`/v1/members?tag_id=…` for
 * `/tags/1/members`), or else the longest known path with which it begins; undefined if there is none.
 */
function nearestPath(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS) return undefined;
  const segments = segmentsOf(path);
  const [parent = '', id = '', name = ''] = segments.slice(-3);
  const list = routes.find((route) => route.method === 'GET' && route.path === `/${name || id}`);
  if (list) {
    const filter = `${normalizeSegment(parent)}_id`;
    const isFilter = name !== '' && filter in (list.input.parts(list.operation.input).query?.shape ?? {});
    return `/v1${list.path}${isFilter ? `?${filter}=…` : ''}`;
  }
  return segments.map((_, index) => matchingPath(segments.slice(0, segments.length - index))).find(Boolean);
}

/**
 * Finds the path of an API that differs only in slashes, version, letter case, hyphens, plural or extension; undefined if
 * there is none. The path of a route has its parameters in braces: `/v1/tags/{id}`.
 */
export function suggestedPath(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS) return undefined;
  const segments = segmentsOf(path);
  const [only = ''] = segments.length === 1 ? segments : [];
  if (/^(?:graphql|gql|query)(?:\.\w+)?$/i.test(only)) return '/graphql';
  if (/^(?:openapi|swagger|schema|api-docs)(?:\.\w+)?$/i.test(only)) return '/openapi.json';
  return matchingPath(segments);
}

function matchingPath(segments: readonly string[]): string | undefined {
  const template = templates.find(
    (parts) =>
      parts.length === segments.length &&
      parts.every((name, index) =>
        name.startsWith('{') ? /^[\w-]+$/.test(segments[index] ?? '') : name === segments[index],
      ),
  );
  return template && `/v1/${template.join('/')}`;
}

/** The segments of a path without the version. Names that other APIs have, and misspelled ones, become those of this API. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  while (/^(?:api|rest|v\d+)$/i.test(segments[0] ?? '')) segments.shift();
  const known = segments.map((segment, index) =>
    index % 2 === 1
      ? segment
      : (NAMES_BY_OTHER_NAME.get(normalizeSegment(segment)) ?? similarNames(segment, names)[0] ?? segment),
  );
  // Lists of responses exist only within a form; any id matches.
  return known[0] === 'responses' ? ['forms', 'form_id', ...known] : known;
}

/** The names that other APIs have for resources and the lists within them. */
const OTHER_NAMES = {
  members: 'person people persons users contacts profiles',
  departments: 'groups teams ministries ministry',
  'prayer-requests': 'prayers prayerrequests',
  organization: 'church churches account tenant me',
  designations: 'roles positions titles jobs',
  tags: 'labels',
  changes: 'updates sync',
  responses: 'form-responses formresponses submissions submission submit entries answers',
};

const NAMES_BY_OTHER_NAME = new Map(
  Object.entries(OTHER_NAMES).flatMap(([resource, otherNames]) =>
    otherNames.split(' ').map((name) => [normalizeSegment(name), resource] as const),
  ),
);

const templates = [...new Set(routes.map(({ path }) => path))].map((path) => path.slice(1).split('/'));

const names = [...new Set(templates.flatMap((segments) => segments.filter((_, index) => index % 2 === 0)))];

/** Returns `prayer-request` for `prayer_requests`, `PrayerRequests` and `prayer-requests.json`. */
function normalizeSegment(segment: string): string {
  return segment
    .replace(/\.json$/i, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/s$/, '');
}
