import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { routes } from '../../../src/rest/routes.ts';
import { OPERATIONS } from './operations.ts';
import { CASES } from './test-cases.ts';

/** GraphQL root fields without a REST counterpart, and why. */
const WITHOUT_REST: Readonly<Record<string, string>> = {
  'Query.node': 'Relay refetches any record by its id alone; REST has a path for each kind.',
  'Query.nodes': 'The same for several records at once.',
  'Subscription.changes': 'A request of `GET /changes` with `wait` waits for the next page of the same feed.',
};

const operations = routes.map(({ method, path }) => `${method} ${path}`);
const fields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
  Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`),
);
const casesOf = (operation: string) => CASES.filter((one) => one.operation === operation);

describe('the cases compared between both APIs', () => {
  it('cover exactly the REST operations', () => {
    expect(Object.keys(OPERATIONS).sort()).toEqual([...operations].sort());
  });

  it('name the REST counterpart of every GraphQL root field, or a reason why there is none', () => {
    const known = [...Object.values(OPERATIONS).map(({ field }) => field), ...Object.keys(WITHOUT_REST)];
    expect(known.filter((field) => /^(Query|Mutation|Subscription)\./.test(field)).sort()).toEqual([...fields].sort());
  });

  it.each(operations)('include a success of %s', (operation) => {
    expect(casesOf(operation).map(({ code }) => code)).toContain(undefined);
  });

  it.each(operations.filter((operation) => operation.includes('{')))(
    'include an unknown record for %s',
    (operation) => {
      expect(casesOf(operation).map(({ code }) => code)).toContain('not_found');
    },
  );

  it.each(routes.filter(({ method, operation }) => method !== 'DELETE' && takesInput(operation.input)))(
    'include invalid input for $method $path',
    ({ method, path }) => {
      expect(casesOf(`${method} ${path}`).map(({ code }) => code)).toContain('invalid_request');
    },
  );

  it.each(['member_exists', 'email_in_use', 'form_closed', 'org_limit_reached', 'invalid_cursor'])(
    'include the error %s',
    (code) => {
      expect(CASES.map((one) => one.code)).toContain(code);
    },
  );
});

/** Whether an operation takes more than ids, and the related records that only REST includes. */
function takesInput(input: unknown): boolean {
  const { shape } = input as { shape: Record<string, unknown> };
  return Object.keys(shape).some((name) => name !== 'id' && name !== 'include' && !name.endsWith('_id'));
}
