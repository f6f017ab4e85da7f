import fc from 'fast-check';
import { schema } from '../../src/graphql/schema/schema.ts';
import { routes } from '../../src/rest/routes.ts';
import { generatedRequests } from '../graphql/reference/documents.ts';
import { graphqlRequest, type HttpRequest } from '../support/load/http-client.ts';
import { requestsTo } from '../support/requests/requests.ts';
import type { Target } from './target.ts';

/** The values used in generated requests. */
export type RequestValues = Pick<Target, 'key' | 'surroundings' | 'argumentValues'>;

/**
 * Longer targets belong to the phase for raw HTTP: they are rejected before the method is parsed, so a HEAD gets a
 * body.
 */
const MAX_PATH = 8_000;

const PAGES = `/ /docs /docs/graphql /openapi.json /graphql /developer /developer/sign-in /developer/sign-out
  /developer/organizations/x /developer/organizations/x/keys /developer/organizations/x/keys/y/rotate /docs/x/y
  /livez /readyz /healthz /metrics /favicon.ico`.split(/\s+/);

/** Distinct valid documents. */
export function generateDocuments(values: RequestValues, seed: number, count: number): HttpRequest[] {
  return fc.sample(documentsWith(values), { seed, numRuns: count });
}

/** Random requests to both APIs and the pages, valid and almost valid. */
export function generateRequests(values: RequestValues, seed: number, count: number): HttpRequest[] {
  return fc.sample(requestsWith(values), { seed, numRuns: count });
}

function documentsWith({ key, argumentValues }: RequestValues) {
  return generatedRequests(schema, argumentValues).map((several) => {
    const { query, variables, operationName } = several[0] as (typeof several)[number];
    const request = graphqlRequest(key, 'a generated document', query);
    return { ...request, body: JSON.stringify({ query, variables, operationName }) };
  });
}

function requestsWith(values: RequestValues): fc.Arbitrary<HttpRequest> {
  const { surroundings } = values;
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
  const toGraphql = documentsWith(values);
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
