import { describe, expect, it } from 'vitest';
import { createWorkQueue } from '../../../src/domain/accounts/work-queue.ts';
import { times } from '../../support/data.ts';

describe('a queue of costly work', () => {
  /** Work that ends when the test ends it. */
  function work() {
    const begun: { readonly n: number; end(): void; fail(): void }[] = [];
    const start = (n: number) =>
      new Promise<number>((resolve, reject) => {
        begun.push({ n, end: () => resolve(n), fail: () => reject(new Error(`work ${n} failed`)) });
      });
    return { begun, start };
  }
  const turns = () => new Promise((resolve) => setImmediate(resolve));

  it('runs a limited number of jobs at once, and the others in order of arrival', async () => {
    const { begun, start } = work();
    const queue = createWorkQueue({ maxConcurrent: 2, maxWaiting: 3 });
    const results = Promise.all(times(5, (n) => queue(() => start(n))));
    for (const [index, running] of [2, 3, 4, 5, 5].entries()) {
      await turns();
      expect(begun).toHaveLength(running);
      begun[index]?.end();
    }
    const all = await results;
    expect(all).toEqual(begun.map(({ n }) => n));
    expect(all).toEqual([...all].sort((a, b) => a - b));
  });

  it('rejects a job immediately when the queue is full', async () => {
    const { begun, start } = work();
    const queue = createWorkQueue({ maxConcurrent: 1, maxWaiting: 1 });
    const first = queue(() => start(1));
    const second = queue(() => start(2));
    await expect(queue(() => start(3))).rejects.toMatchObject({ code: 'unavailable' });
    begun[0]?.end();
    expect(await first).toBe(1);
    await turns();
    begun[1]?.end();
    expect(await second).toBe(2);
    expect(begun).toHaveLength(2);
  });

  it('continues after a job fails', async () => {
    const { begun, start } = work();
    const queue = createWorkQueue({ maxConcurrent: 1, maxWaiting: 1 });
    const failing = queue(() => start(1));
    const next = queue(() => start(2));
    begun[0]?.fail();
    await expect(failing).rejects.toThrow('work 1 failed');
    await turns();
    begun[1]?.end();
    expect(await next).toBe(2);
  });
});
