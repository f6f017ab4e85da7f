import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { isSamePassword, newPassword, verifyPassword } from '../../../src/domain/accounts/password.ts';
import { MAX_COMBINING_MARKS_IN_A_ROW, MAX_UTF16_UNITS_PER_CHARACTER } from '../../../src/domain/core/limits.ts';
import { searchText } from '../../../src/domain/lists/page.ts';
import { parsePhoneNumber } from '../../../src/domain/values/phone.ts';
import { emailAddress, LONG, optionalText, requiredText, text } from '../../../src/domain/values/text.ts';
import { times } from '../../support/data.ts';
import { longestNormalized, SLOW_TO_NORMALIZE } from '../../support/normalized.ts';

/** Whatever the machine is doing: what takes seconds does not pass. */
const AT_ONCE_MS = 100;

/** The shortest of three times: other processes interrupt some of them. */
function milliseconds(work: () => unknown): number {
  const runs = times(3, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return Math.min(...runs);
}

const messagesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

const MARKS = MAX_COMBINING_MARKS_IN_A_ROW;

describe('text', () => {
  it.each([
    ['short text', text(), 'must be at most 255 characters'],
    ['required text', requiredText(), 'must be at most 255 characters'],
    ['optional text', optionalText(), 'must be at most 255 characters'],
    ['an email address', emailAddress, 'must be at most 255 characters'],
    ['a search', searchText, 'must be at most 200 characters'],
    ['a password', newPassword, 'must have 12 to 256 characters'],
  ])('is refused as %s for its length, once, before it is normalized', async (_, schema, message) => {
    for (const long of [SLOW_TO_NORMALIZE, 'a'.repeat(100_000), `${'a@'.repeat(50_000)}b.c`, '\ud800'.repeat(50_000)]) {
      let messages: string[] = [];
      expect(await longestNormalized(() => (messages = messagesOf(schema, long)))).toBe(0);
      expect(messages).toEqual([message]);
    }
  });

  it('that is no longer than it may be when it is normalized is accepted, however it was sent', () => {
    for (const [composed, count] of [
      ['\u00e9', 255],
      ['\u1f82', 255],
      ['\ud558', 255],
      ['\u1f82', LONG],
    ] as const) {
      const [sent, stored] = [composed.normalize('NFD').repeat(count), composed.repeat(count)];
      expect(text(count).parse(sent)).toBe(stored);
      expect(messagesOf(text(count), `${sent}a`)).toEqual([`must be at most ${count} characters`]);
    }
  });

  it('never has more code units than are accepted before it is composed', () => {
    const longest = (from: number) =>
      times(0x1000, (n) => from + n)
        .filter((point) => point < 0xd800 || point > 0xdfff)
        .map((point) => String.fromCodePoint(point))
        .map((one) => Math.max(one.length, one.normalize('NFD').length) / [...one.normalize('NFC')].length);
    const blocks = times(0x110, (block) => Math.max(0, ...longest(block * 0x1000)));
    expect(Math.max(...blocks)).toBeLessThanOrEqual(MAX_UTF16_UNITS_PER_CHARACTER);
  });

  it('has at most 100 combining marks in a row', () => {
    const stacked = (count: number) => `Z${'\u0335'.repeat(count)}a`;
    expect(text().parse(stacked(MARKS)).length).toBe(MARKS + 2);
    const message = 'must have at most 100 combining marks in a row';
    for (const value of [stacked(MARKS + 1), '\u0344'.repeat(MARKS + 1), `${stacked(MARKS)}${stacked(MARKS + 1)}`]) {
      expect(messagesOf(text(), value)).toEqual([message]);
    }
    expect(messagesOf(text(LONG), stacked(MARKS).repeat(90))).toEqual([]);
  });

  it('of 10,000 characters that are slowest to normalize is accepted at once', () => {
    const slowest = `a${'\u0300'.repeat(MARKS / 2)}${'\u0316'.repeat(MARKS / 2)}`.repeat(LONG).slice(0, LONG);
    expect(messagesOf(text(LONG), slowest)).toEqual([]);
    expect(milliseconds(() => text(LONG).safeParse(slowest))).toBeLessThan(AT_ONCE_MS);
    const tooLong = slowest.repeat(MAX_UTF16_UNITS_PER_CHARACTER);
    expect(milliseconds(() => text(LONG).safeParse(tooLong))).toBeLessThan(AT_ONCE_MS);
  });
});

describe('a phone number of 100,000 characters', () => {
  it.each(['1', '+', '-', '(', '1 ', '1;ext=', ' ext ', 'tel:;phone-context=', '\uff11', '1x', '1//', 'a'])(
    'made of %j is refused at once',
    (part) => {
      const written = part.repeat(100_000 / part.length);
      expect(milliseconds(() => expect(parsePhoneNumber(written, 'US')).toBeUndefined())).toBeLessThan(AT_ONCE_MS);
    },
  );
});

describe('an email address of 255 characters', () => {
  it.each(['a', 'a.', '@', '"', '\\"', 'a<', 'b.', 'İ'])('made of %j is judged at once', (part) => {
    for (const address of [`${part.repeat(240)}@b.c`, `a@${part.repeat(240)}.c`]) {
      const sent = address.slice(0, 255);
      expect(milliseconds(() => emailAddress.safeParse(sent))).toBeLessThan(AT_ONCE_MS);
    }
  });
});

describe('a password that is too long for one', () => {
  it('is nobody’s, and is not normalized', async () => {
    const longest = await longestNormalized(async () => {
      expect(await verifyPassword(SLOW_TO_NORMALIZE, undefined)).toBe(false);
      expect(isSamePassword(SLOW_TO_NORMALIZE, 'the operator’s password')).toBe(false);
    });
    expect(longest).toBe(0);
  });

  it('is the operator’s where that one is as long', () => {
    const long = 'the operator’s password '.repeat(100);
    expect(isSamePassword(long, long)).toBe(true);
    expect(isSamePassword(`${long}x`, long)).toBe(false);
  });
});
