import { ServiceError } from '../domain/core/errors.ts';
import { routes } from './routes.ts';

/** No path is suggested for longer ones. */
const MAX_CHARACTERS = 200;

/** `not_found` for a path at which there is nothing; its message names the path that it was probably meant to be. */
export function unknownPath(path: string): ServiceError {
  const near = path.length <= MAX_CHARACTERS ? similarPath(path) : undefined;
  return new ServiceError('not_found', `There is nothing at this path${near ? `; did you mean ${near}?` : ''}`);
}

/** The path that differs by its slashes, version, letter case, hyphens, plural or extension only. */
function similarPath(path: string): string | undefined {
  const segments = path.split('/').filter(Boolean);
  while (/^(?:api|v\d+)$/i.test(segments[0] ?? '')) segments.shift();
  if (segments.length === 1 && segments[0]?.toLowerCase() === 'graphql') return '/graphql';
  const route = templates.find(
    (template) =>
      template.names.length === segments.length && segments.every((segment, index) => template.names[index]?.(segment)),
  );
  return route && `/v1${route.path}`;
}

const templates = [...new Set(routes.map(({ path }) => path))].map((path) => ({
  path,
  names: path.slice(1).split('/').map(matcherOf),
}));

function matcherOf(name: string): (segment: string) => boolean {
  if (name.startsWith('{')) return (segment) => /^[\w-]+$/.test(segment);
  const plain = plainOf(name);
  return (segment) => plainOf(segment) === plain;
}

/** `prayer-request` for `prayer_requests`, `PrayerRequests` and `prayer-requests.json`. */
function plainOf(segment: string): string {
  return segment
    .replace(/\.json$/i, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/s$/, '');
}
