import { GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { Abort } from '../../../src/domain/core/context.ts';
import type { GraphQLContext } from '../../../src/graphql/data/context.ts';
import { ResponseTracker } from '../../../src/graphql/data/response-body.ts';
import { PreparedDocument } from '../../../src/graphql/document/documents.ts';
import { OPERATION_LIMITS } from '../../../src/graphql/document/limits.ts';
import { executeOperation } from '../../../src/graphql/operation/execute.ts';
import { times } from '../../support/data.ts';

const itemType = new GraphQLObjectType({ name: 'Item', fields: { n: { type: GraphQLInt } } });

const items = {
  type: new GraphQLList(itemType),
  resolve: () => times(OPERATION_LIMITS.items + 1, (n) => ({ n })),
};

const schema = new GraphQLSchema({
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      add: {
        type: new GraphQLObjectType({ name: 'Added', fields: { n: { type: GraphQLInt }, items } }),
        resolve: () => ({ n: 1 }),
      },
    },
  }),
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      items,
    },
  }),
});

function run(query: string) {
  const prepared = new PreparedDocument(schema, parse(query));
  const operation = prepared.normalForm(prepared.operation(undefined) as never, {});
  const abort = new Abort();
  const context = { abort, response: new ResponseTracker(abort) } as GraphQLContext;
  return executeOperation(schema, operation, {}, context);
}

it('rejects an operation with too many items in lists without pages', async () => {
  await expect(run('{ items { n } }')).rejects.toThrow(`more than ${OPERATION_LIMITS.items} items`);
});

it('returns the results of the mutations before one whose response is too large, and carries out no other', async () => {
  const { data, errors } = await run('mutation { a: add { n } b: add { n items { n } } c: add { n } }');
  expect(data).toEqual({ a: { n: 1 }, b: { n: 1, items: null }, c: null });
  const tooLarge = `The response has more than ${OPERATION_LIMITS.items} items in lists without pages; request fewer records or fields`;
  expect(errors?.map(({ path, message }) => [path, message])).toEqual([
    [['b', 'items'], tooLarge],
    [['c'], `Not carried out: ${tooLarge}`],
  ]);
});
