import { describe, expect, it } from 'vitest';
import { isWellFormedKey, keyIn, newKey } from '../../../src/domain/admin/api-key-secret.ts';
import { times } from '../../support/data.ts';

describe('the text of a key', () => {
  it('is random and well-formed', () => {
    const keys = times(1_000, () => newKey());
    expect(new Set(keys).size).toBe(1_000);
    expect(keys.filter((key) => !isWellFormedKey(key))).toEqual([]);
  });

  it('has a checksum that detects every mistyped character', () => {
    const key = newKey();
    for (const at of times(38, (n) => n + 4)) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });
});

it('a key is found in a line of a configuration file whose name begins like a key', () => {
  const key = newKey();
  expect(keyIn(`export cms_token=${key} # production`)).toBe(key);
});
