import { expect, it } from 'vitest';
import { Abort } from '../../../src/domain/core/context.ts';
import type { GraphQLContext } from '../../../src/graphql/data/context.ts';
import { RequestChecker } from '../../../src/graphql/operation/check-request.ts';
import type { NormalOperation } from '../../../src/graphql/operation/normal-form.ts';
import { ResponseSize } from '../../../src/graphql/operation/response-limits.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { HeavyOperations } from '../../../src/rate-limit/heavy-operations.ts';
import { times } from '../../support/data.ts';

/** A document of this length. */
const padded = (name: string, characters: number) => `query ${name} { __typename } #`.padEnd(characters, 'x');

/** Runs documents with one pipeline; returns the normal form that each of them was executed with. */
function pipelineOf(persistedDocuments: readonly string[] = []) {
  const checker = new RequestChecker({ schema, persistedDocuments, turns: new HeavyOperations(2) });
  return async (query: string): Promise<NormalOperation | undefined> => {
    const context = {
      domain: { caller: { organization: { id: 'org_1' } } },
      rateLimit: 120,
      abort: new Abort(),
      size: new ResponseSize(),
    } as GraphQLContext;
    const request = { method: 'POST', query, operationName: undefined, variables: {}, length: query.length };
    await checker.check(request, context);
    return context.operation;
  };
}

it('documents that are too long to be cached do not evict the normal forms of others', async () => {
  const run = pipelineOf();
  const first = await run(padded('Cached', 100));
  for (const n of times(30, (n) => n)) await run(padded(`Long${n}`, 15_001));
  expect(await run(padded('Cached', 100))).toBe(first);
});

it('persisted operations keep their normal forms, however long they are', async () => {
  const query = padded('Persisted', 20_000);
  const run = pipelineOf([query]);
  const first = await run(query);
  expect(first).toBeDefined();
  expect(await run(query)).toBe(first);
});
