import { expect, it } from 'vitest';
import { FairQueue, StoreBusyError } from '../../../src/store/connections/fair-queue.ts';
import { times } from '../../support/data.ts';

const MAX_WAITING = 1_000;

/** A queue that records who gets a slot. */
function watchedQueue(slots: number, maxWaitMs = 0, maxPerGroup = slots) {
  const queue = new FairQueue({ slots, maxWaitMs, maxPerGroup });
  const served: string[] = [];
  const take = async (group: string) => {
    await queue.take(group);
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

it('limits the waiters per organization', async () => {
  const { queue, take } = watchedQueue(1);
  await take('busy');
  void times(MAX_WAITING, () => take('busy'));
  await expect(take('busy')).rejects.toBeInstanceOf(StoreBusyError);
  void take('quiet');
  expect(queue.waitingCount).toBe(MAX_WAITING + 1);
});

it('rejects waiters after the maximum wait', async () => {
  const { queue, take } = watchedQueue(1, 1);
  await take('a');
  await expect(take('b')).rejects.toBeInstanceOf(StoreBusyError);
  expect(queue.waitingCount).toBe(0);
});

it('serves the waiting reads of an organization between its writes when it gets one slot at a time', async () => {
  const queue = new FairQueue({ slots: 1, maxWaitMs: 0, maxPerGroup: 1 });
  const served: string[] = [];
  const take = async (group: string, name: string, isFirst = false) => {
    await queue.take(group, { isFirst });
    served.push(name);
  };
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  void take('busy', 'write', true);
  for (const _ of times(6, (n) => n)) void take('other', 'other');
  for (const _ of times(3, (n) => n)) void take('busy', 'read');
  for (let released = 0; released < 6; released++) {
    await nextTurn();
    const isWrite = served.at(-1) === 'write';
    queue.release(served.at(-1) === 'other' ? 'other' : 'busy');
    if (isWrite) void take('busy', 'write', true);
  }
  await nextTurn();
  expect(served.filter((name) => name !== 'other')).toEqual(['write', 'read', 'write', 'read']);
});
