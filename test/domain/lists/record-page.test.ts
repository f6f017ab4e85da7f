import { expect, it, vi } from 'vitest';
import type { Place } from '../../../src/domain/cursors/order.ts';
import { RecordPage } from '../../../src/domain/lists/record-page.ts';
import { times } from '../../support/data.ts';

/** A page of three records. @param unseen the column of its statement. */
function pageOfThree(unseen: readonly string[] | null) {
  const cursorsOf = vi.fn((places: readonly Place[]) => places.map(({ position }) => `cursor ${position}`));
  const row = { json: '[{}, \n {}, \n {}]', positions: '{5,6,7}', unseen };
  const page = new RecordPage(row, {
    size: 3,
    backwards: false,
    continuedFrom: null,
    isReadTowardsLaterRecords: true,
    isCountRequested: false,
    cursorsOf,
    count: () => Promise.reject(new Error('not counted')),
  });
  const encrypted = () => cursorsOf.mock.calls.map(([places]) => places.map(({ position }) => Number(position)));
  return { page, encrypted };
}

it('encrypts short cursors together when the first one is read', () => {
  const { page, encrypted } = pageOfThree(null);
  expect(times(4, (n) => page.cursorAt(n))).toEqual(['cursor 5', 'cursor 6', 'cursor 7', null]);
  expect(encrypted()).toEqual([[5, 6, 7]]);
});

it('encrypts only the end cursor if no other is read', () => {
  const { page, encrypted } = pageOfThree(null);
  expect(page.endCursor).toBe('cursor 7');
  expect(encrypted()).toEqual([[7]]);
});

it('encrypts only the cursors that are read if they contain unseen positions', () => {
  const { page, encrypted } = pageOfThree(['{[1,3)}', '9']);
  expect([page.endCursor, page.startCursor]).toEqual(['cursor 7', 'cursor 5']);
  expect(encrypted()).toEqual([[7], [5]]);
});

it('encrypts each cursor once if only some contain unseen positions', () => {
  const { page, encrypted } = pageOfThree(['{[6,7)}', '9']);
  expect(times(3, (n) => page.cursorAt(n))).toEqual(['cursor 5', 'cursor 6', 'cursor 7']);
  expect(encrypted()).toEqual([[5, 6, 7]]);
});
