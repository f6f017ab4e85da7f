import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StreamBudget } from '../../../src/graphql/subscription/stream-budget.ts';
import { Abort } from '../../../src/store/connections/abort.ts';

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A budget of a stream whose query costs three points, and the points that it was charged. */
function started() {
  const charged: number[] = [];
  const key = { isUsedUp: false };
  const abort = new Abort();
  const charge = async (points: number) => {
    if (key.isUsedUp) return MINUTE;
    charged.push(points);
    return undefined;
  };
  return { charged, key, abort, budget: new StreamBudget(charge, 3, abort) };
}

it('charges for every 100 changes what the query costs, less the point of the request', async () => {
  const { charged, budget } = started();
  for (const changes of [1, 98, 1, 1, 99, 100]) await budget.pay(changes);
  expect(charged).toEqual([2, 3, 3]);
});

it('charges one point each minute until the stream ends', async () => {
  const { charged, abort } = started();
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(charged).toEqual([1, 1]);
  abort.abort(new Error('The client has left'));
  expect(vi.getTimerCount()).toBe(0);
});

it('pauses while the points are used up, and owes one point at most when they are renewed', async () => {
  const { charged, key, budget } = started();
  key.isUsedUp = true;
  await vi.advanceTimersByTimeAsync(3 * MINUTE);
  let isPaid = false;
  const paid = budget.pay(1).then(() => {
    isPaid = true;
  });
  await vi.advanceTimersByTimeAsync(MINUTE - 1);
  expect([isPaid, charged]).toEqual([false, []]);
  key.isUsedUp = false;
  await vi.advanceTimersByTimeAsync(MINUTE);
  await paid;
  expect(charged.slice(0, 2)).toEqual([1, 2]);
});

it('ends a pause with the reason of the abort', async () => {
  const { key, abort, budget } = started();
  key.isUsedUp = true;
  const paid = budget.pay(1);
  abort.abort(new Error('The key was revoked'));
  await expect(paid).rejects.toThrow('The key was revoked');
});
