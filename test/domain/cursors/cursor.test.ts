import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor, encodeCursors } from '../../../src/domain/cursors/cursor.ts';
import { times } from '../../support/data.ts';

const LIST = { organizationId: 'org_1', list: 'events', search: 'tea' };
/** A cursor in the order of entry. */
const cursorAt = (position: bigint) => ({ sortKeys: [], position });
const refusal = expect.objectContaining({ code: 'invalid_cursor' });

/** The message for a forged cursor. */
function messageFor(secret: Buffer, forged: string): string {
  try {
    decodeCursor(secret, LIST, forged);
  } catch (error) {
    expect(error).toEqual(refusal);
    return (error as Error).message;
  }
  return 'accepted';
}

it.each([
  ['of the first row', cursorAt(0n)],
  ['of the last possible row', cursorAt(2n ** 63n - 1n)],
  ['with two sort keys', { sortKeys: ['2026-01-31', '18:30'], position: 2n ** 62n }],
  ['with empty and unusual sort keys', { sortKeys: ['', '["é"]'], position: 0n }],
])('a cursor %s is encoded for a URL, and decoded for its list only', (_, decoded) => {
  const secret = randomBytes(32);
  const [cursor = ''] = encodeCursors(secret, LIST, [decoded]);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(decodeCursor(secret, LIST, cursor)).toEqual(decoded);
  expect(() => decodeCursor(secret, { ...LIST, search: 'other' }, cursor)).toThrow(refusal);
});

it('hides the position, which tells how many rows the organization has', () => {
  const secret = randomBytes(32);
  const all = times(256, (n) => Buffer.from(encodeCursor(secret, LIST, 1_000_000n + BigInt(n)), 'base64url'));
  for (const at of times(24, (n) => n)) {
    // Random bytes would take about 162 of the 256 values.
    expect(new Set(all.map((bytes) => bytes[at])).size).toBeGreaterThan(100);
  }
});

it('keeps its encoding across versions', () => {
  const secret = Buffer.alloc(32, 7);
  expect(decodeCursor(secret, LIST, 'zx3Tt4tMOHb9ypbrwRaXOCOcoimTWZ3i')).toEqual(cursorAt(1_234_567n));
  const cursor =
    'PqG8yaEIMVe-4H1lJvAqrd7bKks6Xd11x2K2EB0Z_r-_qJkE7LSPRIHKJji4QfF_nq-Gh0bebLDOUMjh711ZQ_xkGbfC03Izo9UkX_1LM4MGX4dmTUwtegQdmf9O9QJv2WExelIAlq5ddhHnCyuI2pA1WyEvhPcu';
  expect(decodeCursor(secret, LIST, cursor)).toEqual({ sortKeys: ['OKAFOR'], position: 1_234_567n });
});

it('has the same size for all sort keys', () => {
  const decoded = ['', 'OKAFOR', 'x'.repeat(88)].map((key) => ({ sortKeys: [key], position: 1n }));
  const cursors = encodeCursors(randomBytes(32), LIST, decoded);
  expect(cursors.map(({ length }) => length)).toEqual([160, 160, 160]);
});

it.each([
  ['another organization', { ...LIST, organizationId: 'org_2' }],
  ['another list', { ...LIST, list: 'services' }],
  ['no search', { ...LIST, search: undefined }],
  ['names with the same concatenation', { organizationId: 'org_1","events', list: 'tea', search: undefined }],
])('is rejected for %s', (_, list) => {
  const secret = randomBytes(32);
  expect(() => decodeCursor(secret, list, encodeCursor(secret, LIST, 5n))).toThrow(refusal);
});

it('is rejected with another secret', () => {
  expect(() => decodeCursor(randomBytes(32), LIST, encodeCursor(randomBytes(32), LIST, 5n))).toThrow(refusal);
});

it('is rejected with any bit flipped, always with the same message, and in another notation, with another one', () => {
  const secret = randomBytes(32);
  const cursor = encodeCursor(secret, LIST, 5n);
  const bytes = Buffer.from(cursor, 'base64url');
  const flipped = times(bytes.length * 8, (bit) => {
    const forged = Buffer.from(bytes);
    forged.writeUInt8((forged[bit >> 3] ?? 0) ^ (1 << (bit & 7)), bit >> 3);
    return forged.toString('base64url');
  });
  const short = cursor.slice(0, -1);
  const malformed = ['', short, `${cursor}A`, `${cursor}=`, `${short}+`, ` ${cursor}`, `${short}\0`, '\u{1f600}', '1'];
  const messagesOf = (cursors: readonly string[]) => [...new Set(cursors.map((forged) => messageFor(secret, forged)))];
  expect(messagesOf(flipped)).toEqual([expect.stringContaining('This cursor belongs to another list')]);
  expect(messagesOf([...malformed, 'A'.repeat(10_000)])).toEqual([expect.stringContaining('This is not a cursor')]);
});
