import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatUnseen,
  MAX_RANGES,
  parseFormattedUnseen,
  parseUnseen,
  type UnseenPositions,
  unseenAfterReading,
  unseenBefore,
} from '../../../src/domain/cursors/unseen-positions.ts';
import { times } from '../../support/data.ts';

const TRANSACTION = 1n << 20n;

/** The unseen positions of these transactions; later ones start 1,000 transactions after the last. */
function unseenOf(transactions: readonly number[]): UnseenPositions | undefined {
  const ranges = transactions.map((id) => `[${BigInt(id) * TRANSACTION},${BigInt(id + 1) * TRANSACTION})`);
  return parseUnseen([`{${ranges.join()}}`, String(BigInt((transactions.at(-1) ?? 0) + 1_000) * TRANSACTION)]);
}

function isUnseen(unseen: UnseenPositions | undefined, position: bigint): boolean {
  return unseen?.ranges.some(({ from, to }) => from <= position && position < to) ?? false;
}

/** Few enough that the generated sets overlap. */
const transactions = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 8 });
const sorted = transactions.map((ids) => ids.toSorted((one, other) => one - other));
/** The first, a middle and the last position of any of these transactions. */
const position = fc
  .tuple(fc.integer({ min: 0, max: 14 }), fc.constantFrom(0n, 1n, 2n, TRANSACTION - 1n))
  .map(([id, offset]) => BigInt(id) * TRANSACTION + offset);

it('are absent if no transaction was running', () => {
  expect(parseUnseen(null)).toBeUndefined();
  expect(unseenBefore(undefined, 5n)).toBeUndefined();
  expect(unseenOf([])).toBeUndefined();
});

it('before a cursor are those of earlier transactions', () => {
  fc.assert(
    fc.property(sorted, position, position, (ids, end, at) => {
      const unseen = unseenOf(ids);
      expect(isUnseen(unseenBefore(unseen, end), at)).toBe(at < end && isUnseen(unseen, at));
    }),
  );
});

it('after a page are those not yet read, and those of transactions that are still running', () => {
  fc.assert(
    fc.property(sorted, sorted, position, position, (ids, running, read, at) => {
      const unseen = unseenOf(ids);
      fc.pre(unseen !== undefined);
      const left = unseenAfterReading(unseen, unseenOf(running), read);
      expect(isUnseen(left, at)).toBe((isUnseen(unseen, at) && at > read) || isUnseen(unseenOf(running), at));
    }),
  );
});

it('stay sorted and disjoint over any number of pages', () => {
  fc.assert(
    fc.property(sorted, fc.array(fc.tuple(sorted, position), { maxLength: 5 }), (ids, steps) => {
      let unseen = unseenOf(ids);
      for (const [running, read] of steps) {
        if (unseen) unseen = unseenAfterReading(unseen, unseenOf(running), read);
        const ends = unseen?.ranges.flatMap(({ from, to }) => [from, to]) ?? [];
        expect(ends).toEqual(ends.toSorted((one, other) => (one < other ? -1 : 1)));
        expect(unseen?.ranges.every(({ from, to }) => from < to) ?? true).toBe(true);
      }
    }),
  );
});

it('survive a round trip through a cursor', () => {
  fc.assert(
    fc.property(sorted, sorted, position, (ids, running, read) => {
      const unseen = unseenOf(ids);
      fc.pre(unseen !== undefined);
      for (const one of [unseen, unseenAfterReading(unseen, unseenOf(running), read)]) {
        if (one) expect(parseFormattedUnseen(formatUnseen(one))).toEqual(one);
      }
    }),
  );
});

it('of too many transactions are merged into a limited number of ranges and a limited length', () => {
  const ids = times(5_000, (n) => 40_000_000_000 + n * 3_001);
  const unseen = unseenOf(ids) as UnseenPositions;
  expect(unseen.ranges).toHaveLength(MAX_RANGES);
  for (const id of ids) expect(isUnseen(unseen, BigInt(id) * TRANSACTION)).toBe(true);
  expect(unseen.ranges.at(-1)).toEqual({
    from: BigInt(ids.at(-1) as number) * TRANSACTION,
    to: BigInt((ids.at(-1) as number) + 1) * TRANSACTION,
  });
  expect(parseFormattedUnseen(formatUnseen(unseen))).toEqual(unseen);
  expect(formatUnseen(unseen).length).toBeLessThan(2_500);
});
