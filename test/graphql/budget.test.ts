import { expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/domain/errors.ts';
import type { GraphQLContext } from '../../src/graphql/data/context.ts';
import { createPipeline } from '../../src/graphql/http/pipeline.ts';

const CONTEXT = {} as GraphQLContext;
const INVALID = { query: '{ unknown }', operationName: undefined, variables: {} };

it('rejects a key without points before a document is validated', async () => {
  const exhausted = new ServiceError('rate_limited', 'The limit is used up');
  const budget = { require: () => Promise.reject(exhausted), charge: vi.fn() };
  await expect(createPipeline().run('POST', INVALID, CONTEXT, budget)).rejects.toBe(exhausted);
});

it('validates a document while points remain', async () => {
  const budget = { require: vi.fn(), charge: vi.fn() };
  const { errors } = await createPipeline().run('POST', INVALID, CONTEXT, budget);
  expect(errors?.[0]?.message).toContain('unknown');
  expect(budget.require).toHaveBeenCalledOnce();
});
