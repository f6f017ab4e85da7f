import { expect, it, vi } from 'vitest';
import type { Place } from '../../../src/domain/cursors/order.ts';
import { type PageRow, RecordPage } from '../../../src/domain/lists/record-page.ts';

/** A page of three records. */
function pageOfThree() {
  return pageOf({ json: '[{}, \n {}, \n {}]', positions: '{5,6,7}' });
}

function pageOf(row: PageRow) {
  const cursorsOf = vi.fn((places: readonly Place[]) => places.map(({ position }) => `cursor ${position}`));
  const page = new RecordPage(row, {
    size: 3,
    backwards: false,
    isCountRequested: false,
    cursorsOf,
    count: () => Promise.reject(new Error('not counted')),
  });
  const encrypted = () => cursorsOf.mock.calls.map(([places]) => places.map(({ position }) => Number(position)));
  return { page, encrypted };
}

it('encrypts the cursors of edges together', () => {
  const { page, encrypted } = pageOfThree();
  expect(page.cursors).toEqual(['cursor 5', 'cursor 6', 'cursor 7']);
  expect(encrypted()).toEqual([[5, 6, 7]]);
});

it('does not encrypt the end cursor once more after those of edges', () => {
  const { page, encrypted } = pageOfThree();
  expect([page.cursors[2], page.endCursor]).toEqual(['cursor 7', 'cursor 7']);
  expect(encrypted()).toEqual([[5, 6, 7]]);
});

it('encrypts only the end cursor if no other is read', () => {
  const { page, encrypted } = pageOfThree();
  expect(page.endCursor).toBe('cursor 7');
  expect(encrypted()).toEqual([[7]]);
});

it('encrypts nothing for an empty page', () => {
  const { page, encrypted } = pageOf({ json: null, positions: null });
  expect([page.cursors, page.startCursor, page.endCursor]).toEqual([[], null, null]);
  expect(encrypted()).toEqual([]);
});
