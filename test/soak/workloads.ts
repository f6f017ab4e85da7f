import { randomUUID } from 'node:crypto';
import { forEachConcurrently } from '../support/load/concurrency.ts';
import {
  graphqlRequest,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
  restRequest,
} from '../support/load/http-client.ts';
import type { createConnections } from './connections.ts';

/** The clients of the service under load. */
export interface Clients extends HttpClient {
  readonly connections: ReturnType<typeof createConnections>;
}

/** The keys and ids of the organization under load. */
export interface Known {
  /** Keys with all scopes, used in rotation. */
  readonly keys: readonly string[];
  /** A key with the scope members.view only. */
  readonly viewer: string;
  /** A key that exceeds its rate limit. */
  readonly greedy: string;
  /** A revoked key, replaced regularly. */
  revoked: string;
  readonly memberIds: string[];
  readonly departmentIds: readonly string[];
  readonly tagIds: readonly string[];
}

/** A response and its expected statuses, in addition to 429. */
interface Outcome {
  readonly answered: HttpResponse;
  readonly expected: readonly number[];
}

/** An operation of clients. */
export interface Workload {
  readonly name: string;
  /** The relative frequency. */
  readonly weight: number;
  run(clients: Clients, known: Known): Promise<readonly Outcome[]>;
}

const DIRECTORY = `query Directory($search: String) { members(search: $search, first: 20) {
  edges { node { id firstName tags { id name } } } pageInfo { hasNextPage endCursor } } }`;
const ROSTER = `query Roster($id: ID!) { node(id: $id) { ... on Department { name headOfDepartment { id }
  members(first: 20) { edges { node { id firstName } } } } } }`;
const CREATE = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }';
const UPDATE = 'mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { id } } }';
const LISTS = ['events', 'services', 'departments', 'forms', 'tags', 'designations'];

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** Limited, since a growing list would be a leak of the load itself. */
const KNOWN_MEMBERS = 2_000;

const newMember = () => {
  const name = randomUUID().slice(0, 8);
  return { first_name: `A${name}`, last_name: `B${name}`, email_address: `${randomUUID()}@example.org` };
};

const rest = (key: string, path: string, method = 'GET', body?: unknown) =>
  restRequest(key, 'load', method, path, body === undefined ? undefined : JSON.stringify(body));

const graphql = (key: string, query: string, variables: unknown = {}) => graphqlRequest(key, 'load', query, variables);

/** All operations of clients in both APIs, valid and invalid. */
export const WORKLOADS: readonly Workload[] = [
  work('REST list', 18, 200, ({ keys }) => rest(any(keys), '/v1/members?limit=25')),
  work('REST search', 6, 200, ({ keys }) => rest(any(keys), `/v1/members?limit=10&q=${any(['an', 'jo', 'smith'])}`)),
  work('REST get', 14, 200, ({ keys, memberIds }) => rest(any(keys), `/v1/members/${any(memberIds)}`)),
  work('REST other lists', 8, 200, ({ keys }) => rest(any(keys), `/v1/${any(LISTS)}`)),
  work('REST change', 4, 200, ({ keys, memberIds }) =>
    rest(any(keys), `/v1/members/${any(memberIds)}`, 'PATCH', { city: randomUUID() }),
  ),
  work('REST tags', 2, 200, ({ keys, memberIds, tagIds }) =>
    rest(any(keys), `/v1/members/${any(memberIds)}/tags`, 'PATCH', { add: [any(tagIds)], remove: [] }),
  ),
  work('REST prayer request', 2, 201, ({ keys }) =>
    rest(any(keys), '/v1/prayer-requests', 'POST', { description: 'Rain' }),
  ),
  { name: 'REST create, some again with the same Idempotency-Key', weight: 5, run: create },
  work('GraphQL directory', 8, 200, ({ keys }) => graphql(any(keys), DIRECTORY, { search: any(['a', 'mar', null]) })),
  work('GraphQL roster', 6, 200, ({ keys, departmentIds }) => graphql(any(keys), ROSTER, { id: any(departmentIds) })),
  work('GraphQL new document', 3, 200, ({ keys }) => graphql(any(keys), ownDocument())),
  work('GraphQL create', 2, 200, ({ keys }) => {
    const { first_name, last_name, email_address } = newMember();
    const input = { firstName: first_name, lastName: last_name, emailAddress: email_address };
    return withIdempotencyKey(graphql(any(keys), CREATE, { input }));
  }),
  work('GraphQL change', 2, 200, ({ keys, memberIds }) =>
    graphql(any(keys), UPDATE, { input: { id: any(memberIds), city: randomUUID() } }),
  ),
  work('GraphQL beyond the rate limit', 1, 200, ({ greedy }) =>
    graphql(greedy, `{ ${Array.from({ length: 60 }, (_, n) => `v${n}: viewer { keyName }`).join(' ')} }`),
  ),
  work('a separate connection', 6, 200, ({ keys }) => ({ ...rest(any(keys), '/v1/tags'), isAlone: true })),
  work('pages and health', 2, 200, () => ({ name: 'a page', path: any(['/', '/docs', '/openapi.json', '/readyz']) })),
  work('invalid: revoked key', 1, 401, ({ revoked }) => rest(revoked, '/v1/members')),
  work('invalid: no scope', 1, 403, ({ viewer }) => rest(viewer, '/v1/forms')),
  work('invalid: cursor', 1, 400, ({ keys }) => rest(any(keys), `/v1/members?cursor=${randomUUID()}`)),
  work('invalid: JSON', 1, 400, ({ keys }) => ({
    ...rest(any(keys), '/v1/members', 'POST', {}),
    body: '{"first_name":',
  })),
  work('invalid: size', 1, 413, ({ keys }) =>
    rest(any(keys), '/v1/members', 'POST', { first_name: 'a'.repeat(200_000) }),
  ),
  work('invalid: GraphQL syntax', 1, 400, ({ keys }) => graphql(any(keys), wrongSyntax())),
  disconnecting('during the body', ({ keys }) => `${head(any(keys), 'POST', '/v1/members', 500)}{"first_name":"A`),
  disconnecting('before the GraphQL response', ({ keys }) => {
    const body = JSON.stringify({ query: DIRECTORY });
    return `${head(any(keys), 'POST', '/graphql', body.length)}${body}`;
  }),
];

/** Slightly more than the documents that the service caches. */
const KEPT_DOCUMENTS = 1_024 + 50;

/** Fills the document cache, so that each new one evicts another. */
export async function fillCache(clients: Clients, { keys }: Known): Promise<void> {
  await forEachConcurrently(Array.from({ length: KEPT_DOCUMENTS }, ownDocument), 8, async (document, n) => {
    await clients.send(graphql(keys[n % keys.length] as string, document));
  });
}

const ownDocument = () => `{ v${randomUUID().slice(0, 8)}: viewer { keyName organization { name } } }`;
const wrongSyntax = () => `{ members(first: 1 { ${randomUUID()}`;

/** An operation of one request. */
function work(name: string, weight: number, status: number, asked: (known: Known) => HttpRequest): Workload {
  return {
    name,
    weight,
    async run(clients, known) {
      return [{ answered: await clients.send(asked(known)), expected: [status] }];
    },
  };
}

function disconnecting(when: string, text: (known: Known) => string): Workload {
  return {
    name: `disconnects ${when}`,
    weight: 1,
    async run(clients, known) {
      await clients.connections.disconnect(text(known));
      return [];
    },
  };
}

async function create(clients: Clients, { keys, memberIds }: Known): Promise<Outcome[]> {
  const asked = withIdempotencyKey(rest(any(keys), '/v1/members', 'POST', newMember()));
  const first = await clients.send(asked);
  if (first.status === 201) {
    const { id } = JSON.parse(first.text).data;
    if (memberIds.length < KNOWN_MEMBERS) memberIds.push(id);
  }
  const outcomes = [{ answered: first, expected: [201] }];
  if (first.status !== 201 || Math.random() < 0.5) return outcomes;
  const again = await clients.send(asked);
  // Without a replay the write was executed twice, so that no status is correct.
  const same = again.status !== 201 || (again.headers['idempotency-replayed'] === 'true' && again.text === first.text);
  return [...outcomes, { answered: again, expected: same ? [201] : [] }];
}

function withIdempotencyKey(request: HttpRequest): HttpRequest {
  return { ...request, headers: [...(request.headers ?? []), ['Idempotency-Key', randomUUID()]] };
}

/** The head of a request, as bytes. */
function head(key: string, method: string, path: string, length = 0): string {
  const headers = ['Host: service.test', `X-Api-Key: ${key}`, 'Content-Type: application/json'];
  if (length > 0) headers.push(`Content-Length: ${length}`);
  return [`${method} ${path} HTTP/1.1`, ...headers, '', ''].join('\r\n');
}
