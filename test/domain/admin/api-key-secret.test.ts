import { describe, expect, it } from 'vitest';
import { hashKey, isWellFormedKey, newKey } from '../../../src/domain/admin/api-key-secret.ts';
import { times } from '../../support/data.ts';

describe('the text of a key', () => {
  it('is another every time, and well-formed', () => {
    const keys = times(1_000, () => newKey());
    expect(new Set(keys).size).toBe(1_000);
    expect(keys.filter((key) => !isWellFormedKey(key))).toEqual([]);
  });

  it('tells every single mistyped character by its checksum', () => {
    const key = newKey();
    for (const at of times(38, (n) => n + 4)) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  it('has one hash, and another key another', () => {
    const key = newKey();
    expect(hashKey(key)).toEqual(hashKey(key));
    expect(hashKey(key)).toHaveLength(32);
    expect(hashKey(newKey())).not.toEqual(hashKey(key));
  });
});
