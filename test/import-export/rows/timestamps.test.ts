import fc from 'fast-check';
import { expect, it } from 'vitest';
import { timestamp } from '../../../src/domain/values/text.ts';
import type { DateOrder } from '../../../src/import-export/rows/dates.ts';
import { parseCell, parseValue } from '../../../src/import-export/rows/values.ts';

/** A timestamp as it is stored. */
function stored(text: string, order?: DateOrder): string | undefined {
  const result = parseCell('timestamp', text, order);
  expect(result).toEqual(parseValue('timestamp', text, order));
  return 'value' in result ? timestamp.safeParse(result.value).data : undefined;
}

const twoDigits = (n: number) => String(n).padStart(2, '0');

/** An offset as in ISO 8601, and its notations in files. PostgreSQL writes `+00`, Git and Ruby write ` +0000`. */
const offsets = fc.oneof(
  fc.constantFrom(['Z', ''], ['Z', 'Z'], ['Z', 'z'], ['Z', ' Z'], ['Z', '+00'], ['Z', '-00'], ['Z', '+0000']),
  fc
    .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 15 }), fc.constantFrom(0, 15, 30, 45))
    .chain(([sign, hours, minutes]) => {
      const [hh, mm] = [`${sign}${twoDigits(hours)}`, twoDigits(minutes)];
      const notations = [`${hh}:${mm}`, `${hh}${mm}`, ` ${hh}${mm}`, ...(minutes === 0 ? [hh] : [])];
      return fc.tuple(fc.constant(`${hh}:${mm}`), fc.constantFrom(...notations));
    }),
);

it('times with any fraction and offset are stored as Date reads them in ISO 8601', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
      fc.constantFrom('T', 't', ' '),
      fc.option(fc.stringMatching(/^\d{1,9}$/)),
      offsets,
      (date, separator, fraction, [offset, written]) => {
        const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
        const seconds = fraction === null ? '' : `.${fraction}`;
        const expected = new Date(`${day}T${time}${seconds}${offset}`).toISOString();
        expect(stored(`${day}${separator}${time}${seconds}${written}`)).toBe(expected);
      },
    ),
  );
});

it.each([
  ['2026-01-31 09:30:15.123456+00', '2026-01-31T09:30:15.123Z'],
  ['31/01/2026 9:30:15.5', '2026-01-31T09:30:15.500Z', 'DMY'],
  ['1/31/2026 9:30 -0500', '2026-01-31T14:30:00.000Z', 'MDY'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
] as const)('%s is stored as %s', (text, expected, order?: DateOrder) => {
  expect(stored(text, order)).toBe(expected);
});

it.each([
  ['3/14/2026 10:30 AM', /^"3\/14\/2026 10:30 AM" is not a date and time; use a format such as 2026-03-14T10:30:00Z/],
  ['03/04/2026 10:30', /is ambiguous \(2026-04-03 or 2026-03-04\); choose with --date-format/],
])('the error for %s names the accepted formats', (text, problem) => {
  expect(parseCell('timestamp', text, undefined)).toEqual({ problem: expect.stringMatching(problem) });
});

it.each([
  '2026-01-31 24:00:00',
  '2026-01-31 09:30:15+24',
  '2026-01-31 09:30:15+5',
  '2026-01-31Tnoon+00:00',
  '2026-02-30T09:30:15Z',
  // The year in UTC cannot be stored.
  '9999-12-31T23:59:59-23:59',
  '0001-01-01T00:00:00+23:59',
])('%s is rejected', (text) => {
  expect(stored(text)).toBeUndefined();
});
