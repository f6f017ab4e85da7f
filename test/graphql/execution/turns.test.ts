import {
  execute as executeByGraphQLJs,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { expect, it } from 'vitest';
import { Abort } from '../../../src/domain/core/context.ts';
import { execute } from '../../../src/graphql/execution/execute.ts';
import { stringify } from '../../../src/graphql/execution/raw-json.ts';
import { Turns } from '../../../src/graphql/execution/turns.ts';
import { RequestArguments } from '../../../src/graphql/operation/arguments.ts';
import { PreparedDocument } from '../../../src/graphql/operation/prepared-document.ts';
import { times } from '../../support/data.ts';

interface Item {
  readonly n: number;
  readonly text: string;
}

const itemType: GraphQLObjectType<Item> = new GraphQLObjectType({
  name: 'Item',
  fields: () => ({
    n: { type: GraphQLInt },
    text: { type: GraphQLString },
    failing: {
      type: GraphQLString,
      resolve({ n }) {
        if (n % 1_000 === 0) throw new Error(`No ${n}`);
        return n;
      },
    },
    later: { type: itemType, resolve: async (item) => item },
    items: { type: new GraphQLList(itemType), resolve: ({ n }) => items(3, n) },
    itemsLater: { type: new GraphQLList(itemType), resolve: async ({ n }) => items(3, n) },
  }),
});

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      many: { type: new GraphQLList(itemType), resolve: () => items(5_000) },
      few: { type: new GraphQLList(itemType), resolve: () => items(100) },
    },
  }),
});

function items(count: number, first = 0): Item[] {
  return times(count, (n) => ({ n: first + n, text: `"${n}"` }));
}

async function run(query: string) {
  const document = parse(query);
  const prepared = new PreparedDocument(schema, document);
  const operation = prepared.normalForm(prepared.operation(undefined) as never, {});
  const options = { schema, contextValue: {}, arguments: new RequestArguments({}), abort: new Abort() };
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const result = await execute(operation, options);
  clearImmediate(counting);
  const expected = await executeByGraphQLJs({ schema, document });
  const sorted = (errors: readonly { message: string; path?: unknown }[] = []) =>
    errors.map(({ message, path }) => `${message} ${path}`).toSorted();
  expect(stringify({ data: result.data })).toBe(JSON.stringify({ data: expected.data }));
  expect(sorted(result.errors)).toEqual(sorted(expected.errors));
  return turns;
}

it.each([
  '{ many { n text } }',
  '{ many { n failing text } }',
  '{ many { later { n text later { n } } } }',
  '{ many { n items { text n } } few { n } }',
  '{ few { n } many { n itemsLater { text later { n } } } }',
])('executes a large operation in several event loop turns, with the result of graphql-js: %s', async (query) => {
  expect(await run(query)).toBeGreaterThan(2);
});

it.each(['{ few { n text } }', '{ few { later { n } items { n } } }'])(
  'executes an ordinary operation in one turn of the event loop: %s',
  async (query) => {
    expect(await run(query)).toBe(0);
  },
);

it('runs delayed work in the order of the calls, in shorter slices each turn', async () => {
  const turns = new Turns();
  const done: number[] = [];
  const work = (n: number) => () => {
    turns.addValues(500);
    done.push(n);
    return n;
  };
  const results = times(13, (n) => turns.run(work(n)));
  expect(done).toEqual(times(8, (n) => n));
  await results[8];
  expect(done).toEqual(times(10, (n) => n));
  await results[10];
  expect(done).toEqual(times(12, (n) => n));
  expect(await Promise.all(results)).toEqual(times(13, (n) => n));
});

it('rejects with the error of delayed work, and runs the rest', async () => {
  const turns = new Turns();
  turns.addCharacters(1_000_000);
  const failing = turns.run(() => {
    throw new Error('No more');
  });
  const next = turns.run(() => 'done');
  await expect(failing).rejects.toThrow('No more');
  expect(await next).toBe('done');
});
