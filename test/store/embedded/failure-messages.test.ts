import { expect, it } from 'vitest';
import { messageOf } from '../../../src/store/embedded/failure.ts';

it.each([
  [new Error('first line\n  second line'), 'first line second line'],
  [{ errno: 51 }, 'no space left on device'],
  [{ errno: 4 }, 'error 4'],
  [
    new Error('Aborted(). Build with -sASSERTIONS for more info.'),
    'PostgreSQL ended itself without a reason; is there room on the disk?',
  ],
])('%s is told in words that an operator can act on', (error, message) => {
  expect(messageOf(error)).toBe(message);
});
