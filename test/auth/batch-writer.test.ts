import { expect, it } from 'vitest';
import { createBatchWriter, halvesOf } from '../../src/auth/batch-writer.ts';
import { StoreBusyError } from '../../src/store/connections/fair-queue.ts';
import { times } from '../support/data.ts';

/** A writer of numbers whose writes fail with the error that `failure` returns. */
function writer(failure: (batch: readonly number[]) => Error | undefined) {
  const [stored, dropped, errors] = [[] as number[], [] as number[], [] as [string, boolean][]];
  let [collected, writes] = [[] as number[], 0];
  const { flush, close } = createBatchWriter<readonly number[]>(
    {
      take() {
        const batch = collected;
        collected = [];
        return batch.length > 0 ? [batch] : [];
      },
      async write(batch) {
        writes++;
        const error = failure(batch);
        if (error) throw error;
        stored.push(...batch);
      },
      split: halvesOf<number>,
      onDrop: (batch) => dropped.push(...batch),
    },
    (error, isDropped) => errors.push([(error as Error).message, isDropped]),
  );
  const record = (...numbers: number[]) => collected.push(...numbers);
  return { record, flush, close, stored, dropped, errors, writes: () => writes };
}

it('an entry that cannot be stored is dropped, and all others are stored', async () => {
  const { record, flush, close, stored, dropped, errors } = writer((batch) =>
    batch.includes(617) ? new Error('invalid entry') : undefined,
  );
  record(...times(1_000, (n) => n));
  await flush();
  expect(stored).toEqual(times(1_000, (n) => n).filter((n) => n !== 617));
  expect(dropped).toEqual([617]);
  expect(errors).toEqual([['invalid entry', true]]);
  record(1_000);
  await close();
  expect(stored.at(-1)).toBe(1_000);
});

it('an error that every entry causes ends the attempts after a limited number of writes, reported once', async () => {
  const { record, flush, close, dropped, errors, writes } = writer(() => new TypeError('no such column'));
  record(...times(5_000, (n) => n));
  await flush();
  expect(dropped).toEqual(times(5_000, (n) => n));
  expect(writes()).toBeLessThan(100);
  expect(errors).toEqual([['no such column', true]]);
  await close();
  expect(errors).toHaveLength(1);
});

it('a batch is retried unchanged while the database is unavailable', async () => {
  let isAvailable = false;
  const { record, flush, close, stored, dropped, errors } = writer(() =>
    isAvailable ? undefined : new StoreBusyError('unavailable'),
  );
  record(1, 2);
  await flush();
  record(3);
  await flush();
  expect([stored, dropped]).toEqual([[], []]);
  expect(errors).toEqual(times(2, () => ['unavailable', false]));
  isAvailable = true;
  await close();
  expect(stored).toEqual([1, 2, 3]);
});
