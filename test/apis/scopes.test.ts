import { isInterfaceType } from 'graphql';
import { expect, it } from 'vitest';
import { missingScope } from '../../src/domain/core/errors.ts';
import { ALL_SCOPES, type Scope } from '../../src/domain/core/scopes.ts';
import { ENTITIES } from '../../src/domain/entities/registry.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { routes } from '../../src/rest/routes.ts';
import { appOn, UNCOUNTED } from '../support/apps.ts';
import type { Answer } from '../support/client.ts';
import { errorsIn, graphql } from '../support/graphql.ts';
import { expectRefusal } from '../support/requests/refusal.ts';
import { onOneStore } from '../support/service.ts';
import { statementsDuring } from '../support/stores/statements.ts';
import { type ApiOperation, OPERATIONS } from './equivalence/operations.ts';
import { invalidInput } from './equivalence/test-case.ts';

const allBut = (scopes: readonly Scope[]) => ALL_SCOPES.filter((scope) => !scopes.includes(scope));
const named = routes
  .filter(({ operation }) => operation.scopes.length > 0)
  .map((route) => [`${route.method} ${route.path}`, route] as const);

/** The types of nodes, with the scope of each and an id. */
const node = schema.getType('Node');
const types = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
const NODES = types.map((type) => {
  const found = Object.values(ENTITIES).find(({ entity }) => entity.name === type.replace('FormField', 'Form'));
  const { scope, prefix } = (found as (typeof ENTITIES)['forms']).entity;
  const number = { Form: 'form_1', FormField: 'field_1' }[type];
  return { type, scope, id: number ?? `${prefix}_01jd0000000000000000000000` };
});

onOneStore((service) => {
  async function keyWith(scopes: readonly Scope[]) {
    const app = appOn(service, { keyUsage: UNCOUNTED });
    const organization = await service.organization({ app, scopes });
    const ask = graphql(app, organization.key);
    /** The response, after checking that only the key was read. */
    const withoutReading = async (request: () => Promise<Answer>): Promise<Answer> => {
      let answer: Answer | undefined;
      const statements = await statementsDuring(async () => (answer = await request()));
      expect(statements).toEqual([expect.stringContaining('FROM api_key')]);
      return answer as Answer;
    };
    return { organization, ask, withoutReading };
  }

  it.each(named)(
    '%s without its scope is refused in REST before anything else is checked or read',
    async (_, route) => {
      const { method, path } = route;
      const { scopes } = route.operation;
      const { organization, withoutReading } = await keyWith(allBut(scopes));
      const target = `${path.replaceAll(/\{\w+\}/g, '%00')}?limit=0&cursor=x&q=%FF`;
      const body = { body: '{"broken', headers: { 'Content-Type': 'text/plain' } };
      const answer = await withoutReading(() => organization.request(method, target, method === 'GET' ? {} : body));
      expectRefusal(answer, 403, 'missing_scope', missingScope(scopes, `${method} /v1${path}`));
    },
  );

  // Others are nested fields, see test/graphql/execution/nested-scopes.test.ts.
  it.each(named.filter(([operation]) => /^(Query|Mutation)\./.test(OPERATIONS[operation]?.field ?? '')))(
    '%s without its scope is refused in GraphQL before its input is checked or anything read',
    async (operation, { operation: { scopes } }) => {
      const { ask, withoutReading } = await keyWith(allBut(scopes));
      const { field, document, variables } = OPERATIONS[operation] as ApiOperation;
      const [, root = ''] = field.split('.');
      const answer = await withoutReading(() => ask(document, variables(invalidInput(operation))));
      expect([answer.status, answer.json.data]).toEqual([200, { [root]: null }]);
      expect(errorsIn(answer)).toEqual([{ code: 'missing_scope', path: root }]);
      expect(answer.json.errors[0].message).toBe(missingScope(scopes, root));
    },
  );

  it.each(NODES)('a node of type $type is refused without the scope $scope, and not read', async ({ scope, id }) => {
    const { ask, withoutReading } = await keyWith(allBut([scope]));
    const query = 'query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id, $id]) { id } }';
    const answer = await withoutReading(() => ask(query, { id }));
    expect(answer.json.data).toEqual({ node: null, nodes: [null, null] });
    expect(errorsIn(answer).map(({ code }) => code)).toEqual(['missing_scope', 'missing_scope', 'missing_scope']);
  });

  it('viewer and introspection need none, and a refused field leaves the others', async () => {
    const { ask } = await keyWith(['events.view']);
    const answer = await ask('{ viewer { scopes } __type(name: "Member") { name } tags { nodes { id } } }');
    expect(answer.json.data).toEqual({ viewer: { scopes: ['events.view'] }, __type: { name: 'Member' }, tags: null });
    expect(errorsIn(answer)).toEqual([{ code: 'missing_scope', path: 'tags' }]);
  });
});
