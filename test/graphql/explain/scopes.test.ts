import { beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import { ENTITIES } from '../../../src/domain/entities/registry.ts';
import { toGraphQL } from '../../../src/graphql/translation/to-graphql.ts';
import { readDescription } from '../../../src/pages/reference/rest/description.ts';
import { sampleRequest } from '../../../src/pages/reference/rest/operation.ts';
import { openApiDocument } from '../../../src/rest/openapi/document.ts';
import { toOperationCall } from '../../../src/rest/operation-calls.ts';
import { appOn } from '../../support/apps.ts';
import { type GraphQLClient, graphql } from '../../support/graphql.ts';
import { demoStore } from '../../support/stores/demo-store.ts';

const EXPLAIN = { Explain: 'true' };

const openDemo = demoStore();
let all: GraphQLClient;
/** A client without each scope. */
const without = new Map<Scope, GraphQLClient>();
let withScopes: (...scopes: Scope[]) => Promise<GraphQLClient>;

beforeAll(async () => {
  const { store, key, organizationId } = await openDemo();
  const app = appOn({ store }, { federation: true });
  all = graphql(app, key);
  withScopes = async (...scopes) => {
    const input = { organization_id: organizationId, name: 'Explain', scopes, expires_in_days: null };
    return graphql(app, (await createApiKey(store, input, 'test')).key);
  };
  for (const scope of ALL_SCOPES) {
    without.set(scope, await withScopes(...ALL_SCOPES.filter((other) => other !== scope)));
  }
});

const explained = async (ask: GraphQLClient, query: string, variables: Record<string, unknown> = {}) =>
  (await ask(query, variables, EXPLAIN)).json.extensions.explain.scopes;

/** The scopes without each of which executing an operation returns an error. */
async function scopesInExecution(query: string, variables: Record<string, unknown>): Promise<Scope[]> {
  const needed: Scope[] = [];
  for (const [scope, ask] of without) {
    const { errors = [] } = (await ask(query, variables)).json;
    const lacking = errors.filter(
      ({ extensions }: { extensions: { code: string } }) => extensions.code === 'missing_scope',
    );
    if (lacking.length === 0) continue;
    needed.push(scope);
    expect(await explained(ask, query, variables), query).toMatchObject({ missing: [scope] });
  }
  return needed.sort();
}

describe('the needed scopes are those without which executing the operation returns an error', () => {
  // Reading the organization needs none.
  const operations = readDescription(openApiDocument()).operations.filter(({ id }) => id !== 'getOrganization');

  it.each(operations.map((operation) => [operation.id, operation] as const))('for %s', async (id, operation) => {
    const call = await toOperationCall({ operationId: id, ...sampleRequest(operation) });
    // Without resources, one of several scopes is enough.
    const input = id === 'listChanges' ? { resources: ['tags', 'members'] } : call?.input;
    const translated = call && toGraphQL({ ...call, input });
    if (!translated) throw new Error(`${id} has no GraphQL operation`);
    const { query, variables } = translated;
    const { needed, missing } = await explained(all, query, variables);
    expect([needed, missing]).toEqual([await scopesInExecution(query, variables), []]);
    expect(needed.length).toBeGreaterThan(0);
  });

  it('for a filter that has a scope of its own', async () => {
    const query = '{ members(filter: { tagId: ["tag_x"] }) { nodes { id } } }';
    expect((await explained(all, query)).needed).toEqual(['members.view', 'tags.view']);
    expect(await scopesInExecution(query, {})).toEqual(['members.view', 'tags.view']);
  });

  it('for a new member with tags', async () => {
    const query =
      'mutation { createMember(input: { firstName: "A", lastName: "B", emailAddress: "a.b@example.org", tagIds: [] }) { userErrors { code } } }';
    expect((await explained(all, query)).needed).toEqual(['members.create', 'members.update']);
    expect(await scopesInExecution(query, {})).toEqual(['members.create', 'members.update']);
  });

  it('for references of a federated schema', async () => {
    const query = 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }';
    const variables = { r: [{ __typename: 'Tag', id: 'tag_x' }] };
    expect((await explained(all, query, variables)).needed).toEqual(['tags.view']);
    expect(await scopesInExecution(query, variables)).toEqual(['tags.view']);
  });
});

it('of changes of any resource, the scopes of the key are needed, or all if it has none', async () => {
  const query = '{ changes { nodes { id } } }';
  const tags = await withScopes('tags.view', 'members.create');
  expect(await explained(tags, query)).toEqual({ needed: ['tags.view'], missing: [] });
  const { needed, missing } = await explained(await withScopes('members.create'), query);
  expect([needed, missing]).toEqual([
    [...new Set(Object.values(ENTITIES).map(({ entity }) => entity.scope))].sort(),
    needed,
  ]);
});

it('selections on types that no record has need no scope', async () => {
  const query = 'query ($id: ID!) { node(id: $id) { ... on Member { tags { id } } ... on Tag { id } } }';
  expect((await explained(all, query, { id: 'tag_x' })).needed).toEqual(['tags.view']);
  expect((await explained(all, query, { id: 'unknown' })).needed).toEqual([]);
});
