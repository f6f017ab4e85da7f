import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { routes } from '../../../src/rest/routes.ts';
import { OPERATIONS } from './both-apis.ts';
import { CASES } from './parity-cases.ts';

/** What GraphQL has at the root and REST has not, and why. */
const WITHOUT_REST: Readonly<Record<string, string>> = {
  'Query.node': 'Relay refetches any record by its id alone; REST has a path for each kind.',
  'Query.nodes': 'The same for several records at once.',
  'Query.viewer':
    'What a key may do is shown where tools of GraphQL look for it. In REST no resource describes the key: its failed requests and unused scopes are on the developer page and the command line.',
};

const operations = routes.map(({ method, path }) => `${method} ${path}`);
const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`),
);
const casesOf = (operation: string) => CASES.filter((one) => one.operation === operation);

describe('the table of cases that both APIs answer alike', () => {
  it('knows every operation of REST, and none that is gone', () => {
    expect(Object.keys(OPERATIONS).sort()).toEqual([...operations].sort());
  });

  it('knows a counterpart in REST of every field at the root of GraphQL, or why there is none', () => {
    const known = [...Object.values(OPERATIONS).map(({ field }) => field), ...Object.keys(WITHOUT_REST)];
    expect(known.filter((field) => /^(Query|Mutation)\./.test(field)).sort()).toEqual([...fields].sort());
  });

  it.each(operations)('has a success, and a key without its scope, of %s', (operation) => {
    expect(casesOf(operation).map(({ code }) => code)).toEqual(expect.arrayContaining([undefined, 'missing_scope']));
  });

  it.each(operations.filter((operation) => operation.includes('{')))(
    'has a record that is not there, of %s',
    (operation) => {
      expect(casesOf(operation).map(({ code }) => code)).toContain('not_found');
    },
  );

  it.each(routes.filter(({ operation }) => takesInput(operation.input)))(
    'has an input that is refused, of $method $path',
    ({ method, path }) => {
      expect(casesOf(`${method} ${path}`).map(({ code }) => code)).toContain('invalid_request');
    },
  );

  it.each(['member_exists', 'email_in_use', 'form_closed', 'org_limit_reached', 'invalid_cursor'])(
    'has an error %s',
    (code) => {
      expect(CASES.map((one) => one.code)).toContain(code);
    },
  );
});

/** Whether an operation takes more than ids. */
function takesInput(input: unknown): boolean {
  const { shape } = input as { shape: Record<string, unknown> };
  return Object.keys(shape).some((name) => name !== 'id' && !name.endsWith('_id'));
}
