import fc from 'fast-check';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { routes } from '../../../src/rest/routes.ts';
import { generatedRequests } from '../../graphql/reference/documents.ts';
import { requestsTo } from '../../support/requests/requests.ts';
import type { Attack, Phase } from '../attack.ts';
import type { HttpRequest } from '../client.ts';

/**
 * Longer targets belong to the phase for raw HTTP: they are rejected before the method is parsed, so a HEAD gets a
 * body.
 */
const MAX_PATH = 8_000;
/** Requests between checks of the event loop. */
const BATCH = 500;

const PAGES = [
  ...[
    '/',
    '/docs',
    '/docs/graphql',
    '/openapi.json',
    '/graphql',
    '/developer',
    '/developer/sign-in',
    '/developer/sign-out',
  ],
  ...['/developer/organizations/x', '/developer/organizations/x/keys', '/developer/organizations/x/keys/y/rotate'],
  ...['/docs/x/y', '/livez', '/readyz', '/healthz', '/metrics', '/favicon.ico'],
];

/** Random requests, valid and almost valid. */
export const generated: Phase = {
  name: 'generated',
  about: 'random requests to both APIs and the pages (--requests, --seed)',
  async run(attack) {
    const requests = requestsFor(attack);
    for (let sent = 0, batch = 0; sent < attack.requests; sent += BATCH, batch++) {
      const numRuns = Math.min(BATCH, attack.requests - sent);
      const chosen = fc.sample(requests, { seed: attack.seed + batch, numRuns });
      const repeat = `npm run test:attacks -- --only generated --seed ${attack.seed + batch} --requests ${numRuns}`;
      await attack.sendConcurrently(chosen, repeat);
    }
  },
};

/** Distinct valid documents. */
export function generatedDocuments(attack: Attack, count: number): HttpRequest[] {
  return fc.sample(documentsFor(attack), { seed: attack.seed - 1, numRuns: count });
}

function documentsFor({ target, graphql }: Attack) {
  return generatedRequests(schema, target.argumentValues).map((several) => {
    const { query, variables, operationName } = several[0] as (typeof several)[number];
    const request = graphql('a generated document', query);
    return { ...request, body: JSON.stringify({ query, variables, operationName }) };
  });
}

function requestsFor(attack: Attack): fc.Arbitrary<HttpRequest> {
  const { surroundings } = attack.target;
  const toRest = fc.oneof(
    ...routes.map((route) =>
      requestsTo(route, surroundings).map(({ method, target, headers, body }) => ({
        name: `${route.method} ${route.path}`,
        method,
        path: target,
        headers,
        body,
      })),
    ),
  );
  const toGraphql = documentsFor(attack);
  const broken = fc
    .tuple(toGraphql, fc.nat(), fc.constantFrom('', '{', '}', '"', '\0', '...', '$x', '@', '9', '\ud800', 'F0'))
    .map(([request, at, text]) => ({ ...request, name: 'a broken document', body: changed(request.body, at, text) }));
  const toPages = fc
    .tuple(requestsTo({ method: 'GET', path: '/x' }, surroundings), fc.constantFrom(...PAGES))
    .map(([{ method, target, headers, body }, page]) => {
      const [, query] = target.split(/(\?.*)/s);
      return { name: `the page ${page}`, method, headers, body, path: `${page}${query ?? ''}` };
    });
  const all = fc.oneof(
    { weight: 11, arbitrary: toRest },
    { weight: 3, arbitrary: toGraphql },
    { weight: 3, arbitrary: broken },
    { weight: 3, arbitrary: toPages },
  );
  return all.filter(({ path }) => path.length < MAX_PATH);
}

/** A document with one replaced character. */
function changed(body: string, at: number, text: string): string {
  const { query, ...others } = JSON.parse(body) as { query: string };
  const place = at % query.length;
  return JSON.stringify({ ...others, query: `${query.slice(0, place)}${text}${query.slice(place + 1)}` });
}
