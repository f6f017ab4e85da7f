import { expect, it, vi } from 'vitest';
import { Abort } from '../../../src/domain/core/context.ts';
import { ServiceError } from '../../../src/domain/core/errors.ts';
import type { GraphQLContext } from '../../../src/graphql/data/context.ts';
import { Pipeline } from '../../../src/graphql/http/pipeline.ts';

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
    const budget = { requirePoints: () => Promise.reject(exhausted), chargePoints: vi.fn() };
    await expect(new Pipeline().run('POST', request, CONTEXT, budget)).rejects.toBe(exhausted);
  },
);

it('validates a document while points remain', async () => {
  const budget = { requirePoints: vi.fn(), chargePoints: vi.fn() };
  const { errors } = await new Pipeline().run('POST', INVALID, CONTEXT, budget);
  expect(errors?.[0]?.message).toContain('unknown');
  expect(budget.requirePoints).toHaveBeenCalledOnce();
});

it('validates long documents in the other thread, and short ones in the main thread', async () => {
  const check = vi.fn(async () => [{ message: 'From the thread', locations: [{ line: 1, column: 3 }], inputPath: [] }]);
  const pipeline = new Pipeline({ validationThread: { check } });
  const budget = { requirePoints: vi.fn(), chargePoints: vi.fn() };
  const short = await pipeline.run('POST', INVALID, CONTEXT, budget);
  expect([check.mock.calls, short.errors?.[0]?.message]).toEqual([[], expect.stringContaining('unknown')]);
  const long = await pipeline.run('POST', { ...INVALID, query: LONG }, CONTEXT, budget);
  expect(check.mock.calls).toEqual([[LONG]]);
  expect(long.errors).toMatchObject([{ message: 'From the thread', locations: [{ line: 1, column: 3 }] }]);
});

it('does not validate a long document if the client disconnects while it waits', async () => {
  const check = vi.fn(() => new Promise<never>(() => {}));
  const disconnect = new Abort();
  const domain = { ...CONTEXT.domain, abort: disconnect };
  const pipeline = new Pipeline({ validationThread: { check } });
  const budget = { requirePoints: async () => {}, chargePoints: vi.fn() };
  pipeline.run('POST', { ...INVALID, query: LONG }, CONTEXT, budget).catch(() => {});
  const waiting = pipeline.run('POST', { ...INVALID, query: `${LONG}#` }, { ...CONTEXT, domain }, budget);
  const closed = new ServiceError('unavailable', 'The client closed its connection');
  const rejected = expect(waiting).rejects.toBe(closed);
  await new Promise(setImmediate);
  disconnect.abort(closed);
  await rejected;
  expect(check).toHaveBeenCalledOnce();
});

it('does not validate a long document if the points were used while it waited', async () => {
  const exhausted = new ServiceError('rate_limited', 'The limit is used up');
  const check = vi.fn();
  const budget = {
    requirePoints: vi.fn().mockResolvedValueOnce(undefined).mockRejectedValue(exhausted),
    chargePoints: vi.fn(),
  };
  const pipeline = new Pipeline({ validationThread: { check } });
  await expect(pipeline.run('POST', { ...INVALID, query: LONG }, CONTEXT, budget)).rejects.toBe(exhausted);
  expect(check).not.toHaveBeenCalled();
});
