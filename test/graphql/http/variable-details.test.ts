import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { expect, it } from 'vitest';
import { withVariableDetails } from '../../../src/graphql/http/input-errors.ts';

it('adds no details to the error that there are too many errors', () => {
  const schema = buildSchema('type Query { sum(of: [Int]): Int }');
  const [definition] = parse('query ($of: [Int]) { sum(of: $of) }').definitions as [OperationDefinitionNode];
  const definitions = definition.variableDefinitions ?? [];
  const variables = { of: ['one', 'two', 'three'] };
  const { errors = [] } = getVariableValues(schema, definitions, variables, { maxErrors: 1 });
  const [first, last] = withVariableDetails(schema, definitions, variables, errors);
  expect(first?.extensions.details).toMatchObject([{ field: 'of.0' }]);
  expect(last?.message).toMatch(/^Too many errors/);
  expect(last?.extensions.details).toBeUndefined();
});

it('coerces no more list items than the number of errors listed', () => {
  const schema = buildSchema('type Query { sum(of: [Int]): Int }');
  const [definition] = parse('query ($of: [Int]) { sum(of: $of) }').definitions as [OperationDefinitionNode];
  const definitions = definition.variableDefinitions ?? [];
  let read = 0;
  const of = {
    *[Symbol.iterator]() {
      for (; read < 6_000; read++) yield 'none';
    },
  };
  const { errors = [] } = getVariableValues(schema, definitions, { of: Array(20).fill('none') }, { maxErrors: 10 });
  expect(withVariableDetails(schema, definitions, { of }, errors)).toHaveLength(errors.length);
  expect(read).toBeLessThan(errors.length);
});
