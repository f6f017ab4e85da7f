import { expect, it } from 'vitest';
import { retryPauseMs } from '../../../src/domain/webhooks/retry-pause.ts';

it('doubles the pause after each failure up to an hour, and spreads it over its second half', () => {
  const longest = [1, 2, 3, 10, 11, 1_000].map((failures) => retryPauseMs(failures, 1));
  expect(longest).toEqual([5_000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000]);
  expect([1, 2, 1_000].map((failures) => retryPauseMs(failures, 0))).toEqual([2_500, 5_000, 1_800_000]);
});
