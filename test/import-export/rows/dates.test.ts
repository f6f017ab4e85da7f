import { describe, expect, it } from 'vitest';
import { dateOrderOf, parseDate } from '../../../src/import-export/rows/dates.ts';

describe('parseDate', () => {
  it.each([
    ['US', 'MDY'],
    ['GB', 'DMY'],
    ['NG', 'DMY'],
    ['JP', undefined],
    ['CA', undefined],
  ])('detects the date order of %s as %s', (country, order) => {
    expect(dateOrderOf(country)).toBe(order);
  });

  it.each([
    ['US', '03/04/2020', '2020-03-04'],
    ['GB', '03/04/2020', '2020-04-03'],
    ['DE', '3. 4. 2020', '2020-04-03'],
    ['US', '2020-03-04', '2020-03-04'],
    ['JP', '2020/3/4', '2020-03-04'],
    ['HU', '2020. 03. 04.', '2020-03-04'],
    ['KR', '2020. 3. 4', '2020-03-04'],
    ['CA', '31/12/1999', '1999-12-31'],
    ['CA', '04/04/2020', '2020-04-04'],
    ['US', ' 2/29/2020 ', '2020-02-29'],
  ])('parses, in %s, %j as %s', (country, written, date) => {
    expect(parseDate(written, dateOrderOf(country))).toEqual({ date });
  });

  it('accepts only dates that begin with the year if that is the format', () => {
    expect(parseDate('2026-03-14', 'YMD')).toEqual({ date: '2026-03-14' });
    for (const written of ['14/03/2026', '04/04/2026', '2026-13-01']) {
      const problem = expect.stringMatching(/; use YYYY-MM-DD \(--date-format changes this\)$/);
      expect(parseDate(written, 'YMD')).toEqual({ problem });
    }
  });

  it.each([
    ['CA', '03/04/2020', /is ambiguous \(2020-04-03 or 2020-03-04\); choose with --date-format/],
    ['US', '31/12/2020', /is not a calendar date; use YYYY-MM-DD or MM\/DD\/YYYY \(--date-format changes this\)/],
    ['GB', '29/02/2021', /is not a calendar date/],
    ['DE', '31.02.1984', /use YYYY-MM-DD or DD\.MM\.YYYY \(/],
    ['US', '1/2/85', /the year of "1\/2\/85" must have four digits/],
    ['US', 'May 3rd', /"May 3rd" is not a date/],
  ])('rejects, in %s, %j with the accepted formats', (country, written, problem) => {
    expect(parseDate(written, dateOrderOf(country))).toEqual({ problem: expect.stringMatching(problem) });
  });
});
