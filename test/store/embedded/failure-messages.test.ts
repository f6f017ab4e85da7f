import { expect, it } from 'vitest';
import { messageOf } from '../../../src/store/embedded/failure.ts';

it.each([
  [new Error('first line\n  second line'), 'first line second line'],
  [{ errno: 51 }, 'no space left on device'],
  [{ errno: 4 }, 'error 4'],
  [
    new Error('Aborted(). Build with -sASSERTIONS for more info.'),
    'PostgreSQL aborted without a reason; is the disk full?',
  ],
])('%s has an actionable message', (error, message) => {
  expect(messageOf(error)).toBe(message);
});
