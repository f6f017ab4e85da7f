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
  const suggested = suggestedPath(path);
  const hint = suggested ? `did you mean ${suggested}?` : listPaths(segmentsOf(path)[0] ?? '');
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
  if (segments.length === 1 && segments[0]?.toLowerCase() === 'graphql') return '/graphql';
  const route = templates.find(
    (template) =>
      template.matchers.length === segments.length &&
      segments.every((segment, index) => template.matchers[index]?.(segment)),
  );
  return route && `/v1${route.path}`;
}

/** The segments of a path, without the version. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  while (/^(?:api|v\d+)$/i.test(segments[0] ?? '')) segments.shift();
  return segments;
}

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
