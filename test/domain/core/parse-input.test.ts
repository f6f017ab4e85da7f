import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../../src/domain/core/parse-input.ts';

it('does not show an invalid value that can be secret, such as a password, also if it is the whole input', () => {
  const password = z.string().regex(/\d/, { error: 'must have a digit' });
  expect(() => parseInput(password, 'secret')).toThrow(/^body: must have a digit$/);
});
