import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ExecutionMeter } from '../../../src/graphql/execution/response-state.ts';
import { MeteredExecution } from '../../../src/graphql/http/metered-execution.ts';
import { HeavyOperations } from '../../../src/rate-limit/heavy-operations.ts';
import { Abort } from '../../../src/store/abort.ts';
import { times } from '../../support/data.ts';

const FEW = 4_000;
const MANY = 4_001;
/** After weighting, as many values as 120 points allow in 9 seconds. */
const ALL = 145_000;

let abort: Abort;
let heavy: HeavyOperations;
let started: string[];
let ends: Map<string, () => void>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
  abort = new Abort();
  heavy = new HeavyOperations(2);
  started = [];
  ends = new Map();
});

afterEach(() => {
  abort.abort(new Error('the test is over'));
  vi.useRealTimers();
});

/** Starts an operation that ends when the test ends it. */
function start(name: string, completedValues: number, { estimate = 0, organizationId = 'a' } = {}) {
  const execute = async (meter: ExecutionMeter) => {
    meter.completedValues = Math.min(completedValues, MANY);
    await meter.beforeTurn();
    meter.completedValues = completedValues;
    started.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return name;
  };
  const operation = { organizationId, work: estimate, rateLimit: 120, abort };
  return new MeteredExecution(heavy, operation, execute).run().catch((error: Error) => error);
}

const turns = () => vi.advanceTimersByTimeAsync(1);

async function end(name: string) {
  ends.get(name)?.();
  await turns();
}

it('runs operations with few values at the same time', async () => {
  const results = [start('1', FEW), start('2', FEW)];
  await turns();
  expect(started).toEqual(['1', '2']);
  await end('1');
  await end('2');
  expect(await Promise.all(results)).toEqual(['1', '2']);
});

it('continues operations that turn out to be large one at a time for an organization', async () => {
  const results = [start('1', MANY), start('2', MANY), start('3', MANY, { organizationId: 'b' })];
  await turns();
  expect(started).toEqual(['1', '3']);
  for (const name of ['1', '2', '3']) {
    await end(name);
    await turns();
  }
  expect(await Promise.all(results)).toEqual(['1', '2', '3']);
});

it('does not wait again in an operation that was expected to be large', async () => {
  const result = start('1', MANY, { estimate: 20_001 });
  await turns();
  expect(started).toEqual(['1']);
  await end('1');
  expect(await result).toBe('1');
});

it.each([
  ['expected to be small', 0],
  ['expected to be large', 20_001],
])('counts all values of an operation that was %s', async (_name, estimate) => {
  const first = start('1', ALL, { estimate });
  await vi.advanceTimersByTimeAsync(1);
  await end('1');
  await first;
  const second = start('2', MANY);
  await turns();
  expect(started).toEqual(['1']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(started).toEqual(['1', '2']);
  await end('2');
  expect(await second).toBe('2');
});

it('lets only small operations read records while the organization has used up its values', async () => {
  const first = start('1', ALL);
  await turns();
  await end('1');
  await first;
  const results = [start('small', 1, { estimate: 2_000 }), start('larger', 1, { estimate: 2_001 })];
  await turns();
  expect(started).toEqual(['1', 'small']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(started).toEqual(['1', 'small', 'larger']);
  await end('small');
  await end('larger');
  expect(await Promise.all(results)).toEqual(['small', 'larger']);
});

it('rejects operations that turn out to be large while eight others of their organization wait', async () => {
  const results = times(10, (n) => start(String(n), MANY));
  expect(await results[9]).toMatchObject({ code: 'unavailable' });
});
