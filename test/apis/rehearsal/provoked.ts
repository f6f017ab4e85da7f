import { newKey } from '../../../src/domain/admin/api-key-secret.ts';
import type { ErrorCode } from '../../../src/domain/core/errors.ts';
import type { Database } from '../../../src/store/database.ts';
import { faulty } from '../../support/apps.ts';
import type { Answer } from '../../support/client.ts';
import { person, times } from '../../support/data.ts';
import type { Provocation, Sender, World } from './world.ts';

type Provocations = Partial<Record<ErrorCode, { readonly rest?: Provocation; readonly graphql: Provocation }>>;

const TAGS = 'query($first: Int, $after: String) { tags(first: $first, after: $after) { edges { cursor } } }';
const CREATE = 'mutation($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }';
const UPDATE = 'mutation($input: UpdateMemberInput!) { updateMember(input: $input) { member { id } } }';
const SUBMIT =
  'mutation($input: SubmitFormResponseInput!) { submitFormResponse(input: $input) { formResponse { id } } }';
const LARGE = JSON.stringify({ first_name: 'x'.repeat(200_000) });
const IDEMPOTENCY_KEY = { 'Idempotency-Key': 'one' };

const inCamelCase = ({ first_name, last_name, email_address }: ReturnType<typeof person>) => ({
  firstName: first_name,
  lastName: last_name,
  emailAddress: email_address,
});

/** Sends the same request to each API, in a state in which it fails. */
function always(circumstances: Omit<Provocation, 'send'>) {
  return {
    rest: { ...circumstances, send: ({ rest }: Sender) => rest.get('/tags') },
    graphql: { ...circumstances, send: ({ gql }: Sender) => gql(TAGS, {}) },
  };
}

const body = (content: string, type = 'application/json') => ({ body: content, headers: { 'Content-Type': type } });

/** Exhausts a limit of 3 before the request. */
async function useUp(send: () => Promise<Answer>): Promise<Answer> {
  for (const _ of times(3, () => 0)) await send();
  return send();
}

/** Behaves as if another request held the lock of each Idempotency-Key. */
function locked(db: Database): Database {
  return {
    ...db,
    rows: async (statement) =>
      statement.text.includes('pg_try_advisory_xact_lock') ? ([{ acquired: false }] as never) : db.rows(statement),
    forRequest: (request) => locked(db.forRequest(request)),
    transaction: (work) => db.transaction((transaction) => work(locked(transaction))),
  };
}

const failing = (error: Error, isRead: (text: string) => boolean) => (db: Database) =>
  faulty(db, (text) => (isRead(text) ? error : undefined));

const withOperations = (mode: 'allow' | 'only') => ({
  options: { persistedOperations: { mode, documents: new Map([['known', TAGS]]) } },
});

/** How each error is provoked. */
export const PROVOCATIONS: Provocations = {
  missing_api_key: always({ sentKey: null }),
  invalid_api_key: always({ sentKey: newKey() }),
  key_revoked: always({
    key: ({ store }, _, id) => store.prisma.apiKey.update({ where: { id }, data: { revokedAt: new Date(0) } }),
  }),
  key_expired: always({
    key: ({ store }, _, id) => store.prisma.apiKey.update({ where: { id }, data: { expiresAt: new Date(0) } }),
  }),
  missing_scope: always({ scopes: ['members.view'] }),
  unavailable: always({
    database: failing(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), () => true),
  }),
  internal_error: always({ database: failing(new Error('broken'), (text) => !text.includes('api_key')) }),
  rate_limited: {
    rest: {
      send: ({ rest }, _, isReal) => (isReal ? useUp(() => rest.get('/tags')) : rest.get('/tags')),
    },
    graphql: { send: ({ gql }, _, isReal) => (isReal ? useUp(() => gql(TAGS, {})) : gql(TAGS, {})) },
  },
  method_not_allowed: {
    rest: { send: ({ rest }, _, isReal) => rest.request(isReal ? 'DELETE' : 'GET', '/tags') },
    graphql: {
      send: ({ gql }, _, isReal) =>
        gql.request(isReal ? 'PUT' : 'POST', body(JSON.stringify({ query: '{ viewer { keyName } }' }))),
    },
  },
  invalid_request: {
    rest: { send: ({ rest }, _, isReal) => rest.get(`/tags?limit=${isReal ? 0 : 1}`) },
    graphql: { send: ({ gql }, _, isReal) => gql(TAGS, { first: isReal ? 0 : 1 }) },
  },
  invalid_cursor: {
    rest: { send: ({ rest }, _, isReal) => rest.get(`/tags${isReal ? '?cursor=x' : ''}`) },
    graphql: { send: ({ gql }, _, isReal) => gql(TAGS, { after: isReal ? 'x' : null }) },
  },
  invalid_json: {
    rest: {
      send: ({ rest }, _, isReal) =>
        rest.request('POST', '/members', body(isReal ? '{"first' : JSON.stringify(person()))),
    },
    graphql: { send: ({ gql }, _, isReal) => gql.post(isReal ? '{"query' : { query: TAGS }) },
  },
  payload_too_large: {
    rest: {
      send: ({ rest }, _, isReal) => rest.request('POST', '/members', body(isReal ? LARGE : JSON.stringify(person()))),
    },
    graphql: { send: ({ gql }, _, isReal) => gql.post(isReal ? LARGE : { query: TAGS }) },
  },
  unsupported_media_type: {
    rest: {
      send: ({ rest }, _, isReal) =>
        rest.request('POST', '/members', body(JSON.stringify(person()), isReal ? 'text/plain' : 'application/json')),
    },
    graphql: {
      send: ({ gql }, _, isReal) =>
        gql.post({ query: TAGS }, { 'Content-Type': isReal ? 'text/plain' : 'application/json' }),
    },
  },
  not_found: {
    rest: { send: ({ rest }, { memberId }, isReal) => rest.get(`/members/${isReal ? 'mem_x' : memberId}`) },
    graphql: {
      send: ({ gql }, { memberId }, isReal) =>
        gql('query($id: ID!) { node(id: $id) { id } }', { id: isReal ? 'mem_x' : memberId }),
    },
  },
  member_exists: creation(({ takenEmail }) => takenEmail),
  org_limit_reached: creation(({ fullPersonEmail }) => fullPersonEmail),
  email_in_use: {
    rest: {
      send: ({ rest }, { memberId, fullPersonEmail }, isReal) =>
        rest.patch(`/members/${memberId}`, isReal ? { email_address: fullPersonEmail } : { city: 'Lagos' }),
    },
    graphql: {
      send: ({ gql }, { memberId, fullPersonEmail }, isReal) => {
        const changes = isReal ? { emailAddress: fullPersonEmail } : { city: 'Lagos' };
        return gql(UPDATE, { input: { id: memberId, ...changes } });
      },
    },
  },
  form_closed: {
    rest: { send: ({ rest }, { closedFormId }) => rest.post(`/forms/${closedFormId}/responses`, { answers: {} }) },
    graphql: {
      send: ({ gql }, { closedFormId }) => gql(SUBMIT, { input: { formId: closedFormId, answers: [] } }),
    },
  },
  idempotency_conflict: {
    rest: {
      send: async ({ rest }, _, isReal) => {
        await (isReal ? rest.post('/members', person(), IDEMPOTENCY_KEY) : rest.get('/tags'));
        return rest.post('/members', person(), IDEMPOTENCY_KEY);
      },
    },
    graphql: {
      send: async ({ gql }, _, isReal) => {
        const create = () => gql(CREATE, { input: inCamelCase(person()) }, IDEMPOTENCY_KEY);
        await (isReal ? create() : gql(TAGS, {}));
        return create();
      },
    },
  },
  idempotency_in_flight: {
    rest: { database: locked, send: ({ rest }) => rest.post('/members', person(), IDEMPOTENCY_KEY) },
    graphql: {
      database: locked,
      send: ({ gql }) => gql(CREATE, { input: inCamelCase(person()) }, IDEMPOTENCY_KEY),
    },
  },
  query_too_complex: {
    graphql: {
      send: ({ gql }, _, isReal) => gql(isReal ? `{ ${times(1_001, () => '__typename').join(' ')} }` : TAGS, {}),
    },
  },
  persisted_query_not_found: {
    graphql: { ...withOperations('allow'), send: ({ gql }) => gql.post({ documentId: 'unknown' }) },
  },
  persisted_query_not_supported: { graphql: { send: ({ gql }) => gql.post({ documentId: 'unknown' }) } },
  persisted_query_only: { graphql: { ...withOperations('only'), send: ({ gql }) => gql.post({ query: TAGS }) } },
};

function creation(emailOf: (world: World) => string) {
  const input = (world: World, isReal: boolean) => person(isReal ? { email_address: emailOf(world) } : {});
  return {
    rest: {
      send: ({ rest }: Sender, world: World, isReal: boolean) => rest.post('/members', input(world, isReal)),
    },
    graphql: {
      send: ({ gql }: Sender, world: World, isReal: boolean) =>
        gql(CREATE, { input: inCamelCase(input(world, isReal)) }),
    },
  };
}
