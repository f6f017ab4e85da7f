import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { isSamePassword, newPassword, verifyPassword } from '../../../src/domain/accounts/password.ts';
import { searchText } from '../../../src/domain/lists/page.ts';
import {
  MAX_COMBINING_MARKS_IN_A_ROW,
  MAX_LONG_TEXT_CHARACTERS,
  MAX_UTF16_UNITS_PER_CHARACTER,
} from '../../../src/domain/values/limits.ts';
import { parsePhoneNumber } from '../../../src/domain/values/phone.ts';
import { emailAddress, optionalText, requiredText, text } from '../../../src/domain/values/text.ts';
import { longestNormalized, SLOW_TO_NORMALIZE } from '../../support/normalized.ts';
import { expectWithin, startTimer } from '../../support/time/pace.ts';

/** Passes on a busy machine, but not if the work takes seconds. */
const AT_ONCE_MS = 100;

/** Expects work to be done at once. */
function expectAtOnce(work: () => unknown): void {
  const took = startTimer();
  work();
  expectWithin(AT_ONCE_MS, took());
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
  ])('is rejected by length as %s, with one message and before normalization', async (_, schema, message) => {
    for (const long of [SLOW_TO_NORMALIZE, 'a'.repeat(100_000), `${'a@'.repeat(50_000)}b.c`, '\ud800'.repeat(50_000)]) {
      let messages: string[] = [];
      expect(await longestNormalized(() => (messages = messagesOf(schema, long)))).toBe(0);
      expect(messages).toEqual([message]);
    }
  });

  it('is measured after normalization, whatever form was sent', () => {
    const sent = '\u1f82'.normalize('NFD').repeat(255);
    expect(text().parse(sent)).toBe('\u1f82'.repeat(255));
    expect(messagesOf(text(), `${sent}a`)).toEqual(['must be at most 255 characters']);
  });

  it('has at most 50 combining marks in a row', () => {
    const stacked = (count: number) => `Z${'\u0335'.repeat(count)}a`;
    expect(text().parse(stacked(MARKS)).length).toBe(MARKS + 2);
    const message = 'must have at most 50 combining marks in a row';
    for (const value of [stacked(MARKS + 1), '\u0344'.repeat(MARKS + 1), `${stacked(MARKS)}${stacked(MARKS + 1)}`]) {
      expect(messagesOf(text(), value)).toEqual([message]);
    }
    expect(messagesOf(text(MAX_LONG_TEXT_CHARACTERS), stacked(MARKS).repeat(90))).toEqual([]);
  });

  it('of 10,000 characters that are slow to normalize is accepted quickly', () => {
    const slowest = `a${'\u0300'.repeat(MARKS / 2)}${'\u0316'.repeat(MARKS / 2)}`
      .repeat(MAX_LONG_TEXT_CHARACTERS)
      .slice(0, MAX_LONG_TEXT_CHARACTERS);
    expect(messagesOf(text(MAX_LONG_TEXT_CHARACTERS), slowest)).toEqual([]);
    const tooLong = slowest.repeat(MAX_UTF16_UNITS_PER_CHARACTER);
    for (const sent of [slowest, tooLong]) expectAtOnce(() => text(MAX_LONG_TEXT_CHARACTERS).safeParse(sent));
  });
});

describe('a phone number of 100,000 characters', () => {
  it.each(['1', '+', '1 ', '1;ext=', 'tel:;phone-context=', 'a'])('made of %j is rejected quickly', (part) => {
    const written = part.repeat(100_000 / part.length);
    expectAtOnce(() => expect(parsePhoneNumber(written, 'US')).toHaveProperty('problem'));
  });
});

describe('an overlong password', () => {
  it('matches no account, and is not normalized', async () => {
    const longest = await longestNormalized(async () => {
      expect(await verifyPassword('ada', SLOW_TO_NORMALIZE, undefined)).toBe(false);
      expect(isSamePassword(SLOW_TO_NORMALIZE, 'the operator’s password')).toBe(false);
    });
    expect(longest).toBe(0);
  });
});
