import { expect, it } from 'vitest';
import { withoutInvisible, withoutNeedlessInvisible } from '../../../src/domain/values/text.ts';

it.each([
  ['zero-width space', 'No\u200bra', 'Nora'],
  ['soft hyphen', 'No\u00adra', 'Nora'],
  ['word joiner', '\u2060Nora', 'Nora'],
  ['byte order mark', 'Nora\ufeff', 'Nora'],
  ['joiners in Latin', 'No\u200d\u200cra', 'Nora'],
  ['a joiner at the end of an Arabic word', '\u0639\u0644\u06cc\u200c', '\u0639\u0644\u06cc'],
  ['a doubled joiner', '\u0645\u06cc\u200c\u200c\u062e', '\u0645\u06cc\u200c\u062e'],
  ['a selector after a letter', 'Nora\ufe0f', 'Nora'],
  ['fillers', '\u3164\u115f\uffa0', ''],
])('drops %s', (_, written, stored) => {
  expect(withoutNeedlessInvisible(written)).toBe(stored);
  expect(withoutInvisible(written)).toBe(stored.replace(/\u200c/g, ''));
});

it.each([
  ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['Malayalam, at the end', '\u0d30\u0d3e\u0d1c\u0d28\u0d4d\u200d'],
  ['Bengali', '\u09b0\u200d\u09cd\u09af'],
  ['direction marks', '\u200f\u0646\u0648\u0631\u0627 \u2067a\u2069'],
  ['emoji of several', '👩🏽\u200d🚒 ❤️\u200d🔥 👨\u200d👩\u200d👧 1️⃣'],
  ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['a variant of a Han character', '葛\u{e0100}城'],
])('keeps the invisible characters that change what is seen: %s', (_, text) => {
  expect(withoutNeedlessInvisible(text)).toBe(text);
  expect(withoutInvisible(text)).not.toMatch(/\p{Default_Ignorable_Code_Point}/u);
});
