import { createHmac, randomBytes } from 'node:crypto';
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
  expect(encodeCursor(secret, LIST, 1_234_567n)).toBe('GJGze8XEipKFOcDXXM6VqFwTGfJJjAZV');
  expect(decodeCursor(secret, LIST, 'GJGze8XEipKFOcDXXM6VqFwTGfJJjAZV')).toEqual(placeAt(1_234_567n));
});

describe('a cursor of the previous version, signed only,', () => {
  const secret = randomBytes(32);
  const signed = ({ organizationId, list, search }: typeof LIST, position: bigint) => {
    const place = Buffer.alloc(8);
    place.writeBigUInt64BE(position);
    const hmac = createHmac('sha256', secret).update(JSON.stringify([organizationId, list, search]));
    return Buffer.concat([place, hmac.update(place).digest().subarray(0, 16)]).toString('base64url');
  };

  it('is still accepted', () => {
    expect(decodeCursor(secret, LIST, signed(LIST, 1_234_567n))).toEqual(placeAt(1_234_567n));
  });

  it('is rejected in another list, and after any change', () => {
    expect(() => decodeCursor(secret, LIST, signed({ ...LIST, list: 'services' }, 5n))).toThrow(refusal);
    const forged = Buffer.from(signed(LIST, 5n), 'base64url').fill(6, 7, 8).toString('base64url');
    expect(() => decodeCursor(secret, LIST, forged)).toThrow(refusal);
  });
});

describe('with sort keys or unseen positions', () => {
  const unseen = {
    ranges: [
      { from: 5n << 20n, to: 9n << 20n },
      { from: (12n << 20n) + 3n, to: 13n << 20n },
    ],
    horizon: 77n << 20n,
  };

  it.each([
    ['sort keys', { keys: ['OKAFOR', 'AMARA'], position: 7n }],
    ['sort keys and a position beyond the integers of JSON', { keys: ['OKAFOR'], position: 2n ** 53n + 1n }],
    ['unseen positions', { keys: [], position: 7n, unseen }],
    ['sort keys and unseen positions', { keys: ['["1"]', ''], position: 2n ** 62n, unseen }],
  ])('encodes %s', (_, place) => {
    const secret = randomBytes(32);
    const [cursor = ''] = encodeCursors(secret, LIST, [place]);
    expect(decodeCursor(secret, LIST, cursor)).toEqual(place);
    expect(() => decodeCursor(secret, { ...LIST, search: 'other' }, cursor)).toThrow(refusal);
  });

  it('encodes each cursor of a page on which only some have unseen positions', () => {
    const secret = randomBytes(32);
    const places = [placeAt(1n), { ...placeAt(2n), unseen }, placeAt(3n)];
    const cursors = encodeCursors(secret, LIST, places);
    expect(cursors.map((cursor) => decodeCursor(secret, LIST, cursor))).toEqual(places);
    expect(cursors[2]).toBe(encodeCursor(secret, LIST, 3n));
  });

  it('keeps its encoding across versions', () => {
    const secret = Buffer.alloc(32, 7);
    const place = { keys: ['OKAFOR'], position: 1_234_567n };
    const cursor = '2kLRl506telPRh4PK_FnmnlpEoftgnzR4vt6Zz5-94_NEQ';
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
