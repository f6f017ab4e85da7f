import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, encodeCursors } from '../../../src/domain/lists/cursor.ts';
import { times } from '../../support/data.ts';

const LIST = { organizationId: 'org_1', list: 'events', search: 'tea' };
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** A place in the order of entry. */
const placeAt = (position: number) => ({ keys: [], position });
const refusal = expect.objectContaining({ code: 'invalid_cursor' });

it.each([0, 1, 25, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER])('stands for the position %i', (position) => {
  const secret = randomBytes(32);
  expect(decodeCursor(secret, LIST, encodeCursor(secret, LIST, position))).toEqual(placeAt(position));
});

it('is the same for the same place on every instance', () => {
  const secret = randomBytes(32);
  expect(encodeCursor(secret, { ...LIST }, 7)).toBe(encodeCursor(Buffer.from(secret), LIST, 7));
});

it('is the same whether encrypted alone or with others of its page', () => {
  const secret = randomBytes(32);
  const positions = [3, 2 ** 40, 7, Number.MAX_SAFE_INTEGER, 0];
  expect(encodeCursors(secret, LIST, positions.map(placeAt))).toEqual(
    positions.map((position) => encodeCursor(secret, LIST, position)),
  );
  expect(encodeCursors(secret, LIST, [])).toEqual([]);
});

it('tells nothing of the position that it stands for, which counts the rows of all organizations', () => {
  const secret = randomBytes(32);
  const all = times(256, (n) => Buffer.from(encodeCursor(secret, LIST, 1_000_000 + n), 'base64url'));
  for (const at of times(24, (n) => n)) {
    // Random bytes: about 162 of 256 values.
    expect(new Set(all.map((bytes) => bytes[at])).size).toBeGreaterThan(100);
  }
});

it('is an unrelated one at the same position of another list', () => {
  const secret = randomBytes(32);
  const [one, other] = ['org_1', 'org_2'].map((organizationId) =>
    Buffer.from(encodeCursor(secret, { ...LIST, organizationId }, 1_000_000), 'base64url'),
  ) as [Buffer, Buffer];
  expect(times(24, (n) => n).filter((at) => one[at] === other[at]).length).toBeLessThan(6);
});

it('stays the same in later versions', () => {
  const secret = Buffer.alloc(32, 7);
  expect(encodeCursor(secret, LIST, 1_234_567)).toBe('GJGze8XEipKFOcDXXM6VqFwTGfJJjAZV');
  expect(decodeCursor(secret, LIST, 'GJGze8XEipKFOcDXXM6VqFwTGfJJjAZV')).toEqual(placeAt(1_234_567));
});

describe('one of the version before, which was signed only,', () => {
  const secret = randomBytes(32);
  const signed = ({ organizationId, list, search }: typeof LIST, position: number) => {
    const place = Buffer.alloc(8);
    place.writeBigUInt64BE(BigInt(position));
    const hmac = createHmac('sha256', secret).update(JSON.stringify([organizationId, list, search]));
    return Buffer.concat([place, hmac.update(place).digest().subarray(0, 16)]).toString('base64url');
  };

  it('is still taken', () => {
    expect(decodeCursor(secret, LIST, signed(LIST, 1_234_567))).toEqual(placeAt(1_234_567));
  });

  it('is refused for another list, and when it was changed', () => {
    expect(() => decodeCursor(secret, LIST, signed({ ...LIST, list: 'services' }, 5))).toThrow(refusal);
    const forged = Buffer.from(signed(LIST, 5), 'base64url').fill(6, 7, 8).toString('base64url');
    expect(() => decodeCursor(secret, LIST, forged)).toThrow(refusal);
  });
});

it('needs no encoding in a URL', () => {
  for (const position of times(200, (n) => n * 7919)) {
    expect(encodeCursor(randomBytes(32), LIST, position)).toMatch(/^[\w-]+$/);
  }
});

it('is refused with any one character exchanged for any other', () => {
  const secret = randomBytes(32);
  const cursor = encodeCursor(secret, LIST, 1_234_567);
  for (const at of times(cursor.length, (n) => n)) {
    for (const character of ALPHABET.replace(cursor[at] as string, '')) {
      const forged = cursor.slice(0, at) + character + cursor.slice(at + 1);
      expect(() => decodeCursor(secret, LIST, forged)).toThrow(refusal);
    }
  }
});

it('is refused with any one bit flipped', () => {
  const secret = randomBytes(32);
  const bytes = Buffer.from(encodeCursor(secret, LIST, 1_234_567), 'base64url');
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
  ['names that only join to the same', { organizationId: 'org_1","events', list: 'tea', search: undefined }],
])('is refused for %s', (_, list) => {
  const secret = randomBytes(32);
  expect(() => decodeCursor(secret, list, encodeCursor(secret, LIST, 5))).toThrow(refusal);
});

it('is refused when it was signed with another secret', () => {
  const cursor = encodeCursor(randomBytes(32), LIST, 5);
  expect(() => decodeCursor(randomBytes(32), LIST, cursor)).toThrow(refusal);
});

it.each(['', ' ', 'A', 'nonsense', 'A'.repeat(31), 'A'.repeat(33), 'A'.repeat(32), '\0', '🙂'.repeat(16)])(
  'is refused as %j',
  (cursor) => {
    expect(() => decodeCursor(randomBytes(32), LIST, cursor)).toThrow(refusal);
  },
);

it('is refused with anything before or behind it', () => {
  const secret = randomBytes(32);
  const cursor = encodeCursor(secret, LIST, 5);
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
