import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, encodeCursors } from '../../../src/domain/cursors/cursor.ts';
import { times } from '../../support/data.ts';

const LIST = { organizationId: 'org_1', list: 'events', search: 'tea' };
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** A position in insertion order. */
const placeAt = (position: bigint) => ({ keys: [], position });
const refusal = expect.objectContaining({ code: 'invalid_cursor' });

it.each([0n, 1n, 25n, 2n ** 31n, 2n ** 40n, 2n ** 53n + 1n, 2n ** 63n - 1n])('encodes the position %i', (position) => {
  const secret = randomBytes(32);
  expect(decodeCursor(secret, LIST, encodeCursor(secret, LIST, position))).toEqual(placeAt(position));
});

it('is the same for the same position on every instance', () => {
  const secret = randomBytes(32);
  expect(encodeCursor(secret, { ...LIST }, 7n)).toBe(encodeCursor(Buffer.from(secret), LIST, 7n));
});

it('is the same whether encrypted alone or with the rest of its page', () => {
  const secret = randomBytes(32);
  const positions = [3n, 2n ** 40n, 7n, 2n ** 53n + 1n, 0n];
  expect(encodeCursors(secret, LIST, positions.map(placeAt))).toEqual(
    positions.map((position) => encodeCursor(secret, LIST, position)),
  );
  expect(encodeCursors(secret, LIST, [])).toEqual([]);
});

it('hides the position, which counts the rows of all organizations', () => {
  const secret = randomBytes(32);
  const all = times(256, (n) => Buffer.from(encodeCursor(secret, LIST, 1_000_000n + BigInt(n)), 'base64url'));
  for (const at of times(24, (n) => n)) {
    // Random bytes would take about 162 of the 256 values.
    expect(new Set(all.map((bytes) => bytes[at])).size).toBeGreaterThan(100);
  }
});

it('differs in nearly every byte from the cursor of the same position in another list', () => {
  const secret = randomBytes(32);
  const [one, other] = ['org_1', 'org_2'].map((organizationId) =>
    Buffer.from(encodeCursor(secret, { ...LIST, organizationId }, 1_000_000n), 'base64url'),
  ) as [Buffer, Buffer];
  expect(times(24, (n) => n).filter((at) => one[at] === other[at]).length).toBeLessThan(6);
});

it('keeps its encoding across versions', () => {
  const secret = Buffer.alloc(32, 7);
  expect(encodeCursor(secret, LIST, 1_234_567n)).toBe('zx3Tt4tMOHb9ypbrwRaXOCOcoimTWZ3i');
  expect(decodeCursor(secret, LIST, 'zx3Tt4tMOHb9ypbrwRaXOCOcoimTWZ3i')).toEqual(placeAt(1_234_567n));
});

describe('with sort keys', () => {
  it.each([
    ['one key', { keys: ['OKAFOR'], position: 7n }],
    ['two keys', { keys: ['2026-01-31', '18:30'], position: 2n ** 62n }],
    ['empty and unusual keys', { keys: ['', '["é"]'], position: 0n }],
  ])('encodes %s', (_, place) => {
    const secret = randomBytes(32);
    const [cursor = ''] = encodeCursors(secret, LIST, [place]);
    expect(decodeCursor(secret, LIST, cursor)).toEqual(place);
    expect(() => decodeCursor(secret, { ...LIST, search: 'other' }, cursor)).toThrow(refusal);
  });

  it('has the same size for all keys', () => {
    const keys = ['', 'OKAFOR', 'x'.repeat(88)];
    const cursors = encodeCursors(
      randomBytes(32),
      LIST,
      keys.map((key) => ({ keys: [key], position: 1n })),
    );
    expect(cursors.map(({ length }) => length)).toEqual([160, 160, 160]);
  });

  it('keeps its encoding across versions', () => {
    const secret = Buffer.alloc(32, 7);
    const place = { keys: ['OKAFOR'], position: 1_234_567n };
    const cursor =
      'PqG8yaEIMVe-4H1lJvAqrd7bKks6Xd11x2K2EB0Z_r-_qJkE7LSPRIHKJji4QfF_nq-Gh0bebLDOUMjh711ZQ_xkGbfC03Izo9UkX_1LM4MGX4dmTUwtegQdmf9O9QJv2WExelIAlq5ddhHnCyuI2pA1WyEvhPcu';
    expect(encodeCursors(secret, LIST, [place])).toEqual([cursor]);
    expect(decodeCursor(secret, LIST, cursor)).toEqual(place);
  });
});

it('needs no encoding in a URL', () => {
  for (const position of times(200, (n) => BigInt(n) * 7919n)) {
    expect(encodeCursor(randomBytes(32), LIST, position)).toMatch(/^[\w-]+$/);
  }
});

it('is rejected with any character replaced', () => {
  const secret = randomBytes(32);
  const cursor = encodeCursor(secret, LIST, 1_234_567n);
  for (const at of times(cursor.length, (n) => n)) {
    for (const character of ALPHABET.replace(cursor[at] as string, '')) {
      const forged = cursor.slice(0, at) + character + cursor.slice(at + 1);
      expect(() => decodeCursor(secret, LIST, forged)).toThrow(refusal);
    }
  }
});

it('is rejected with any bit flipped', () => {
  const secret = randomBytes(32);
  const bytes = Buffer.from(encodeCursor(secret, LIST, 1_234_567n), 'base64url');
  for (const bit of times(bytes.length * 8, (n) => n)) {
    const forged = Buffer.from(bytes);
    forged.writeUInt8((forged[bit >> 3] as number) ^ (1 << (bit & 7)), bit >> 3);
    expect(() => decodeCursor(secret, LIST, forged.toString('base64url'))).toThrow(refusal);
  }
});

it.each([
  ['another organization', { ...LIST, organizationId: 'org_2' }],
  ['another list', { ...LIST, list: 'services' }],
  ['another search', { ...LIST, search: 'teapot' }],
  ['no search', { ...LIST, search: undefined }],
  ['names with the same concatenation', { organizationId: 'org_1","events', list: 'tea', search: undefined }],
])('is rejected for %s', (_, list) => {
  const secret = randomBytes(32);
  expect(() => decodeCursor(secret, list, encodeCursor(secret, LIST, 5n))).toThrow(refusal);
});

it('is rejected if it was encrypted with another secret', () => {
  const cursor = encodeCursor(randomBytes(32), LIST, 5n);
  expect(() => decodeCursor(randomBytes(32), LIST, cursor)).toThrow(refusal);
});

it.each(['', ' ', 'A', 'nonsense', 'A'.repeat(31), 'A'.repeat(33), 'A'.repeat(32), '\0', '🙂'.repeat(16)])(
  'rejects %j',
  (cursor) => {
    expect(() => decodeCursor(randomBytes(32), LIST, cursor)).toThrow(refusal);
  },
);

it('is rejected with a prefix or a suffix', () => {
  const secret = randomBytes(32);
  const cursor = encodeCursor(secret, LIST, 5n);
  for (const forged of [
    ` ${cursor}`,
    `${cursor} `,
    `${cursor}=`,
    `${cursor}\n`,
    cursor.slice(1),
    cursor.slice(0, -1),
  ]) {
    expect(() => decodeCursor(secret, LIST, forged)).toThrow(refusal);
  }
});
