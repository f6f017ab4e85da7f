import { buildSchema, type OperationDefinitionNode, parse } from 'graphql';
import { expect, it } from 'vitest';
import { coerceVariables } from '../../../src/graphql/operation/input-errors.ts';

it('coerces no more list items after the maximum number of errors', () => {
  const schema = buildSchema('type Query { sum(of: [Int]): Int }');
  const [definition] = parse('query ($of: [Int]) { sum(of: $of) }').definitions as [OperationDefinitionNode];
  let read = 0;
  const of = {
    *[Symbol.iterator]() {
      for (; read < 6_000; read++) yield 'none';
    },
  };
  const { errors = [] } = coerceVariables(schema, definition.variableDefinitions ?? [], { of });
  expect(errors).toHaveLength(11);
  expect(errors[0]?.extensions.details).toMatchObject([{ field: 'of.0' }]);
  expect(errors[10]?.extensions.details).toBeUndefined();
  expect(read).toBeLessThan(12);
});
