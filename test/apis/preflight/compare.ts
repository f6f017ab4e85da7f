import fc from 'fast-check';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { type GeneratedRequest, generatedRequests } from '../../graphql/reference/documents.ts';
import { referenceRecords } from '../../graphql/reference/records.ts';
import { appOn } from '../../support/apps.ts';
import { client, type TestClient } from '../../support/client.ts';
import { type GraphQLClient, graphql } from '../../support/graphql.ts';
import { differenceInGraphQL, differenceInRest, type RestRequest } from './differences.ts';
import { randomRestRequests } from './rest-requests.ts';

/** Options of a comparison. */
interface ComparisonOptions {
  /** An organization without records. */
  readonly organizationId: string;
  readonly requests: number;
  readonly seed: number;
  readonly onProgress?: (requests: number) => void;
}

/** The result of comparing preflights with the charges and errors of the actual requests. */
export interface PreflightComparison {
  /** The number of requests compared, up to the first difference. */
  readonly requests: number;
  /** The number of refused requests. */
  readonly refused: number;
  /** The first difference with its request and the seed; undefined if there is none. */
  readonly difference: string | undefined;
}

/** Clients for the preflights and for the requests, with the same key. */
interface Clients {
  readonly rest: TestClient;
  readonly ask: GraphQLClient;
}

type Service = { readonly store: Store };

const someScopes = fc.subarray([...ALL_SCOPES], { minLength: 1 });

/** Less than the 120 preflights per minute of a key. */
const REQUESTS_PER_KEY = 40;

/** Compares preflights of random REST requests with the actual requests. */
export async function compareRestPreflights(
  service: Service,
  options: ComparisonOptions,
): Promise<PreflightComparison> {
  const values = await referenceRecords(service, options.organizationId);
  const ids = (values.id ?? []).filter((text) => text.startsWith('"')).map((text) => JSON.parse(text) as string);
  return compareAll<RestRequest>(service, options, randomRestRequests(ids), ({ rest }, request) =>
    differenceInRest(rest, request),
  );
}

/** Compares preflights of generated GraphQL operations with the actual operations. */
export async function compareGraphQLPreflights(
  service: Service,
  options: ComparisonOptions,
): Promise<PreflightComparison> {
  const values = await referenceRecords(service, options.organizationId);
  const operations = generatedRequests(schema, values).map(([first]) => first as GeneratedRequest);
  return compareAll(service, options, operations, ({ ask }, request) => differenceInGraphQL(ask, request));
}

async function compareAll<Request>(
  service: Service,
  { organizationId, requests, seed, onProgress }: ComparisonOptions,
  arbitrary: fc.Arbitrary<Request>,
  compare: (clients: Clients, request: Request) => Promise<{ difference?: string; isRefused: boolean }>,
): Promise<PreflightComparison> {
  const scopes = fc.sample(someScopes, { numRuns: Math.ceil(requests / REQUESTS_PER_KEY), seed });
  let clients: Clients | undefined;
  let refused = 0;
  for (const [index, request] of fc.sample(arbitrary, { numRuns: requests, seed }).entries()) {
    const granted = scopes[Math.floor(index / REQUESTS_PER_KEY)] as Scope[];
    if (!clients || index % REQUESTS_PER_KEY === 0) {
      const input = { organization_id: organizationId, name: 'Preflights', scopes: granted, expires_in_days: null };
      const { key } = await createApiKey(service.store, input, 'test');
      // Its limiter counts the organization's preflights from zero.
      const app = appOn(service, {});
      clients = { rest: client(app, key), ask: graphql(app, key) };
    }
    const { difference, isRefused } = await compare(clients, request);
    if (difference !== undefined) {
      const repeated = `seed ${seed}, request ${index}: ${JSON.stringify(request)}\nscopes ${granted.join(', ')}`;
      return { requests: index, refused, difference: `${repeated}\n${difference}` };
    }
    if (isRefused) refused += 1;
    onProgress?.(index + 1);
  }
  return { requests, refused, difference: undefined };
}
