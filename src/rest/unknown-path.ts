import { ServiceError } from '../domain/core/errors.ts';
import { similarNames } from '../domain/values/similar-names.ts';
import { routes } from './routes.ts';

/** The maximum length of a path for which a similar one is suggested. */
const MAX_PATH_CHARACTERS = 200;

/**
 * Returns a `not_found` error for an unknown path. Its message suggests a similar path, or lists the paths of the resource,
 * or all resources.
 */
export function unknownPath(path: string): ServiceError {
  // Other APIs accept parameters after `;`, and a query that begins with `&` is a common mistake.
  const [withoutParameters = ''] = path.split(/[&;]/, 1);
  const suggested = suggestedPath(withoutParameters);
  const parameters = withoutParameters === path ? '' : ', with ? before the parameters';
  const hint = suggested ? `did you mean ${suggested}${parameters}?` : listPaths(segmentsOf(path)[0] ?? '');
  return new ServiceError('not_found', `There is nothing at this path; ${hint}`);
}

function listPaths(resource: string): string {
  const [similar] = similarNames(resource.slice(0, MAX_PATH_CHARACTERS), resources);
  if (similar === undefined) return `the resources under /v1 are ${resources.join(', ')}`;
  const paths = templates.filter(({ segments: [first] }) => first === similar).map(({ path }) => `/v1${path}`);
  return `the paths of ${similar} are ${paths.join(', ')}`;
}

/**
 * Finds the path of an API that differs only in slashes, version, letter case, hyphens, plural or extension; undefined if
 * there is none. The path of a route has its parameters in braces: `/v1/tags/{id}`.
 */
export function suggestedPath(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS) return undefined;
  const segments = segmentsOf(path);
  const [only = ''] = segments.length === 1 ? segments : [];
  if (/^(?:graphql|gql)$/i.test(only)) return '/graphql';
  if (only.toLowerCase() === 'openapi.json') return '/openapi.json';
  const route = templates.find(
    (template) =>
      template.matchers.length === segments.length &&
      segments.every((segment, index) => template.matchers[index]?.(segment)),
  );
  return route && `/v1${route.path}`;
}

/** The segments of a path without the version. A name that other APIs have for a resource becomes that of this API. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  while (/^(?:api|rest|v\d+)$/i.test(segments[0] ?? '')) segments.shift();
  const [resource = '', ...rest] = segments;
  const known = RESOURCES_BY_OTHER_NAME.get(normalizeSegment(resource));
  return known ? [known, ...rest] : segments;
}

/** The names that other APIs have for resources. */
const OTHER_NAMES = {
  members: 'person people persons users contacts profiles',
  departments: 'groups teams ministries ministry',
  'prayer-requests': 'prayers prayerrequests',
  organization: 'church churches account tenant',
};

const RESOURCES_BY_OTHER_NAME = new Map(
  Object.entries(OTHER_NAMES).flatMap(([resource, names]) =>
    names.split(' ').map((name) => [normalizeSegment(name), resource] as const),
  ),
);

const templates = [...new Set(routes.map(({ path }) => path))].map((path) => {
  const segments = path.slice(1).split('/');
  return { path, segments, matchers: segments.map(segmentMatcher) };
});

const resources = [...new Set(templates.map(({ segments: [first = ''] }) => first))];

function segmentMatcher(name: string): (segment: string) => boolean {
  if (name.startsWith('{')) return (segment) => /^[\w-]+$/.test(segment);
  const normalized = normalizeSegment(name);
  return (segment) => normalizeSegment(segment) === normalized;
}

/** Returns `prayer-request` for `prayer_requests`, `PrayerRequests` and `prayer-requests.json`. */
function normalizeSegment(segment: string): string {
  return segment
    .replace(/\.json$/i, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/s$/, '');
}
