import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/domain/core/errors.ts';
import { HeavyOperations, type OperationWork } from '../../src/rate-limit/heavy-operations.ts';
import { Abort } from '../../src/store/connections/abort.ts';
import { times } from '../support/data.ts';

/** The next operation starts in a later turn of the event loop. */
async function turns(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1);
}

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
}

describe('heavy operations', () => {
  let over = new Abort();
  beforeEach(() => {
    useFakeTimers();
    over = new Abort();
  });
  afterEach(() => {
    over.abort(new Error('the test is over'));
    vi.useRealTimers();
  });

  /** Starts operations that end when the test ends them, and records the order in which they start. */
  function operations() {
    const heavy = new HeavyOperations();
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const start = (organization: string, name: string, abort = over) =>
      heavy.run({ organizationId: organization, amount: 1, rateLimit: 120, abort }, () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const end = async (name: string) => {
      await turns();
      ends.get(name)?.();
      await turns();
    };
    return { started, start, end };
  }

  it('of one organization are executed one at a time, even if no others wait', async () => {
    const { started, start, end } = operations();
    for (const name of ['1', '2', '3']) start('a', name).catch(() => {});
    await turns();
    expect(started).toEqual(['1']);
    await end('1');
    await turns();
    expect(started).toEqual(['1', '2']);
  });

  it('leave as much time to other requests as they took', async () => {
    const { started, start, end } = operations();
    for (const name of ['1', '2']) start('a', name).catch(() => {});
    await vi.advanceTimersByTimeAsync(50);
    await end('1');
    expect(started).toEqual(['1']);
    await vi.advanceTimersByTimeAsync(50);
    expect(started).toEqual(['1', '2']);
  });

  it('of another organization are executed before more of the same', async () => {
    const { started, start, end } = operations();
    for (const name of ['a1', 'a2', 'a3']) start('a', name).catch(() => {});
    for (const name of ['b1', 'b2', 'c1']) start(name.slice(0, 1), name).catch(() => {});
    await turns();
    expect(started).toEqual(['a1', 'b1']);
    await end('a1');
    await end('b1');
    await vi.advanceTimersByTimeAsync(100);
    expect(started).toEqual(['a1', 'b1', 'a2', 'c1']);
  });

  it('are refused while 120 of the organization wait, whatever others do', async () => {
    const { started, start, end } = operations();
    for (const n of times(121, String)) start('a', n).catch(() => {});
    await expect(start('a', '121')).rejects.toMatchObject({ code: 'unavailable' });
    start('b', 'b1').catch(() => {});
    await end('0');
    expect(started).toEqual(['0', 'b1', '1']);
    const accepted = start('a', '122').then(() => 'done');
    over.abort(new Error('the test is over'));
    await expect(accepted).rejects.toThrow('the test is over');
  });
});

describe('heavy operations of one organization', () => {
  beforeEach(useFakeTimers);
  afterEach(() => void vi.useRealTimers());

  /** An operation of the maximum size. */
  const operation = (others: Partial<OperationWork> = {}): OperationWork => ({
    organizationId: 'a',
    amount: 250_000,
    rateLimit: 120,
    abort: new Abort(),
    ...others,
  });

  /** Starts operations concurrently; the result lists the seconds until each started, or its error code. */
  function askFor(count: number, heavy: HeavyOperations, others: Partial<OperationWork> = {}) {
    const began = performance.now();
    const starts: (number | string)[] = [];
    for (let n = 0; n < count; n += 1) {
      const start = async () => void starts.push(Math.floor((performance.now() - began) / 100) / 10);
      heavy.run(operation(others), start).catch(({ code }: ServiceError) => starts.push(code));
    }
    return starts;
  }

  it('start immediately after a pause, and then at the rate of the rate limit', async () => {
    // At 120 points, work of 32,000 takes 0.2 s.
    const starts = askFor(7, new HeavyOperations(), { amount: 32_000 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(starts).toEqual([0, 0, 0, 0.1, 0.3, 0.5, 0.7]);
  });

  it('do work of at most 10 million per minute, whatever the number of requests', async () => {
    const heavy = new HeavyOperations();
    const started: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      for (const _ of times(3, String)) heavy.run(operation(), async () => void started.push(second)).catch(() => {});
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(started.length * 250_000).toBeLessThanOrEqual(10_000_000);
    expect(started.length * 250_000).toBeGreaterThan(9_000_000);
  });

  it('are refused as unavailable if they would wait for more than 10 seconds', async () => {
    const heavy = new HeavyOperations();
    const starts = askFor(20, heavy);
    await vi.advanceTimersByTimeAsync(1);
    expect(starts.filter((start) => start === 'unavailable').length).toBe(13);
    await vi.advanceTimersByTimeAsync(10_000);
    const later = askFor(1, heavy);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(later).toEqual([expect.any(Number)]);
  });

  it('are refused with the time until they could start', async () => {
    const heavy = new HeavyOperations();
    askFor(7, heavy);
    const refused = heavy.run(operation(), async () => {});
    // The operations before it take 10.9 s: 0.5 s immediately, and 10.4 s of waiting.
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 11 });
    await vi.advanceTimersByTimeAsync(11_000);
    const starts = askFor(1, heavy);
    await vi.advanceTimersByTimeAsync(1);
    expect(starts).toEqual([0]);
  });

  it('are refused if they wait for 10 seconds, for the rate and for their turn together', async () => {
    const heavy = new HeavyOperations();
    heavy.run(operation(), () => new Promise(() => {})).catch(() => {});
    const starts = askFor(5, heavy);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(starts).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(starts).toEqual(times(5, () => 'unavailable'));
  });

  it('are refused without waiting, and without a charge, if their request was aborted before', async () => {
    const heavy = new HeavyOperations();
    askFor(3, heavy);
    const abort = new Abort();
    abort.abort(new ServiceError('unavailable', 'The client closed its connection'));
    const refused = heavy.run(operation({ abort }), async () => 'started').catch(({ message }: Error) => message);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.race([refused, 'still waiting'])).toBe('The client closed its connection');
    const starts = askFor(1, heavy);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(starts).toEqual([4.1]);
  });
});
