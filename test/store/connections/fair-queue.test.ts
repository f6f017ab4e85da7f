import { expect, it } from 'vitest';
import { Abort } from '../../../src/store/abort.ts';
import { FairQueue, StoreBusyError } from '../../../src/store/connections/fair-queue.ts';
import { times } from '../../support/data.ts';

const MAX_WAITING = 1_000;

/** A queue that records who gets a slot. */
function watchedQueue(slots: number, maxWaitMs = 0) {
  const queue = new FairQueue({ slots, maxWaitMs, maxPerGroup: slots });
  const served: string[] = [];
  const take = async (group: string, abort?: Abort) => {
    await queue.take(group, abort);
    served.push(group);
  };
  /** Releases slots and waits for the next holders. */
  const release = async (...groups: string[]) => {
    for (const group of groups) queue.release(group);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, served, take, release };
}

it('serves the single operation of one organization next while another has 200 waiting', async () => {
  const { served, take, release } = watchedQueue(1);
  const busy = times(201, () => take('busy'));
  const single = take('quiet');
  await release('busy');
  expect(served).toEqual(['busy', 'quiet']);
  await single;
  await release('quiet');
  expect(served).toEqual(['busy', 'quiet', 'busy']);
  for (const _ of times(199, (n) => n)) await release('busy');
  await Promise.all(busy);
  expect(served).toHaveLength(202);
});

it('limits the slots of each organization, even if no others wait', async () => {
  const queue = new FairQueue({ slots: 4, maxWaitMs: 0, maxPerGroup: 2 });
  const served: string[] = [];
  for (const group of ['a', 'a', 'a', 'b']) void Promise.resolve(queue.take(group)).then(() => void served.push(group));
  await new Promise(setImmediate);
  expect(served).toEqual(['a', 'a', 'b']);
  queue.release('b');
  await new Promise(setImmediate);
  expect(served).toEqual(['a', 'a', 'b']);
  queue.release('a');
  await new Promise(setImmediate);
  expect(served).toEqual(['a', 'a', 'b', 'a']);
});

it('serves waiting organizations round-robin', async () => {
  const { served, take, release } = watchedQueue(1);
  await take('first');
  void ['a', 'a', 'a', 'b', 'b', 'c'].map((group) => take(group));
  for (const group of ['first', 'a', 'b', 'c', 'a', 'b']) await release(group);
  expect(served).toEqual(['first', 'a', 'b', 'c', 'a', 'b', 'a']);
});

it('limits the waiters per organization', async () => {
  const { queue, take } = watchedQueue(1);
  await take('busy');
  void times(MAX_WAITING, () => take('busy'));
  await expect(take('busy')).rejects.toBeInstanceOf(StoreBusyError);
  void take('quiet');
  expect(queue.waitingCount).toBe(MAX_WAITING + 1);
});

it('does not serve aborted waiters', async () => {
  const { queue, served, take, release } = watchedQueue(1);
  const abort = new Abort();
  await take('first');
  const given = take('a', abort);
  void take('b');
  abort.abort(new Error('given up'));
  await expect(given).rejects.toThrow('given up');
  await release('first');
  expect([served, queue.waitingCount]).toEqual([['first', 'b'], 0]);
});

it('rejects waiters after the maximum wait', async () => {
  const { queue, take } = watchedQueue(1, 1);
  await take('a');
  await expect(take('b')).rejects.toBeInstanceOf(StoreBusyError);
  expect(queue.waitingCount).toBe(0);
});
