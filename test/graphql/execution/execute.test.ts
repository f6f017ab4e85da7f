import { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { Abort } from '../../../src/domain/core/context.ts';
import { execute } from '../../../src/graphql/execution/execute.ts';
import { RequestArguments } from '../../../src/graphql/operation/arguments.ts';
import { OPERATION_LIMITS } from '../../../src/graphql/operation/limits.ts';
import { PreparedDocument } from '../../../src/graphql/operation/prepared-document.ts';
import { times } from '../../support/data.ts';

const itemType = new GraphQLObjectType({ name: 'Item', fields: { n: { type: GraphQLInt } } });

const items = {
  type: new GraphQLList(itemType),
  resolve: () => new Set(times(OPERATION_LIMITS.completedValues / 2 + 1, (n) => ({ n }))),
};

const schema = new GraphQLSchema({
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: { add: { type: itemType, resolve: () => ({ n: 1 }) }, items },
  }),
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      failing: { type: new GraphQLList(GraphQLInt), resolve: () => times(150, (n) => new Error(`No ${n}`)) },
      required: { type: new GraphQLNonNull(GraphQLInt), resolve: () => null },
      items,
    },
  }),
});

function run(query: string) {
  const prepared = new PreparedDocument(schema, parse(query));
  const operation = prepared.normalForm(prepared.operation(undefined) as never, {});
  return execute(operation, { schema, contextValue: {}, arguments: new RequestArguments({}), abort: new Abort() });
}

it('counts the errors that are not listed, also if the data is null', async () => {
  const { errors, moreErrors, data } = await run('{ failing required }');
  expect([data, (errors?.length ?? 0) + (moreErrors ?? 0)]).toEqual([null, 151]);
});

it('counts the items of lists that are not arrays towards the limit of completed values', async () => {
  await expect(run('{ items { n } }')).rejects.toThrow(`more than ${OPERATION_LIMITS.completedValues} values`);
});

it('returns the results of the mutations before one whose response is too large', async () => {
  const { data, errors } = await run('mutation { a: add { n } b: items { n } c: add { n } }');
  expect(data).toEqual({ a: { n: 1 }, b: null, c: null });
  const tooLarge = `The response has more than ${OPERATION_LIMITS.completedValues} values; request fewer records or fields`;
  expect(errors?.map(({ path, message }) => [path, message])).toEqual([
    [['b'], `${tooLarge}; this mutation may have been carried out`],
    [['c'], `Not carried out: ${tooLarge}`],
  ]);
});

it('returns the type name after a mutation whose response is too large', async () => {
  const { data, errors } = await run('mutation { items { n } t: __typename add { n } }');
  expect(data).toEqual({ items: null, t: 'Mutation', add: null });
  expect(errors?.map(({ path }) => path)).toEqual([['items'], ['add']]);
});
