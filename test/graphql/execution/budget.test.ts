import { expect, it, vi } from 'vitest';
import { Abort } from '../../../src/domain/core/context.ts';
import { ServiceError } from '../../../src/domain/core/errors.ts';
import type { GraphQLContext } from '../../../src/graphql/data/context.ts';
import { createPipeline } from '../../../src/graphql/http/pipeline.ts';

const CONTEXT = {
  domain: { caller: { organization: { id: 'org_1' } } },
  rateLimit: 120,
  abort: new Abort(),
} as GraphQLContext;
const LONG = `{ ${'unknown '.repeat(600)} }`;
const INVALID = { query: '{ unknown }', operationName: undefined, variables: {} };

it.each([INVALID, { ...INVALID, query: LONG }])(
  'rejects a key without points before a document is validated',
  async (request) => {
    const exhausted = new ServiceError('rate_limited', 'The limit is used up');
    const budget = { require: () => Promise.reject(exhausted), charge: vi.fn() };
    await expect(createPipeline().run('POST', request, CONTEXT, budget)).rejects.toBe(exhausted);
  },
);

it('validates a document while points remain', async () => {
  const budget = { require: vi.fn(), charge: vi.fn() };
  const { errors } = await createPipeline().run('POST', INVALID, CONTEXT, budget);
  expect(errors?.[0]?.message).toContain('unknown');
  expect(budget.require).toHaveBeenCalledOnce();
});

it('validates long documents one in each turn of the event loop, so that others are served between them', async () => {
  const pipeline = createPipeline();
  let turn = 0;
  const next = () => {
    turn += 1;
    counting = setImmediate(next);
  };
  let counting = setImmediate(next);
  const turns: number[] = [];
  const budget = { require: vi.fn(async () => void turns.push(turn)), charge: vi.fn() };
  await Promise.all(
    [1, 2, 3].map((n) => pipeline.run('POST', { ...INVALID, query: `${LONG} # ${n}` }, CONTEXT, budget)),
  );
  clearImmediate(counting);
  expect(new Set(turns).size).toBe(3);
});
