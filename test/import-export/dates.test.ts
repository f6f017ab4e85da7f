import { describe, expect, it } from 'vitest';
import { dateOrderOf, readDate } from '../../src/import-export/files/dates.ts';

describe('dates as a country writes them', () => {
  it.each([
    ['US', 'MDY'],
    ['PH', 'MDY'],
    ['GB', 'DMY'],
    ['DE', 'DMY'],
    ['NG', 'DMY'],
    ['BR', 'DMY'],
    ['GH', 'DMY'],
    ['JP', undefined],
    ['CA', undefined],
  ])('%s has the order %s', (country, order) => {
    expect(dateOrderOf(country)).toBe(order);
  });

  it.each([
    ['US', '03/04/2020', '2020-03-04'],
    ['GB', '03/04/2020', '2020-04-03'],
    ['DE', '3.4.2020', '2020-04-03'],
    ['DE', '3. 4. 2020', '2020-04-03'],
    ['US', '2020-03-04', '2020-03-04'],
    ['JP', '2020/3/4', '2020-03-04'],
    ['HU', '2020.03.04.', '2020-03-04'],
    ['CA', '31/12/1999', '1999-12-31'],
    ['CA', '12/31/1999', '1999-12-31'],
    ['CA', '04/04/2020', '2020-04-04'],
    ['US', ' 2/29/2020 ', '2020-02-29'],
  ])('%s reads %j as %s', (country, written, date) => {
    expect(readDate(written, dateOrderOf(country))).toEqual({ date });
  });

  it.each([
    ['CA', '03/04/2020', /may be 2020-04-03 or 2020-03-04; say which by --date-format/],
    ['US', '31/12/2020', /no day of the calendar; must be YYYY-MM-DD or MM\/DD\/YYYY \(--date-format says otherwise\)/],
    ['GB', '12/31/2020', /no day of the calendar; must be YYYY-MM-DD or DD\/MM\/YYYY/],
    ['GB', '29/02/2021', /no day of the calendar/],
    ['US', '1/2/85', /the year of "1\/2\/85" must have four digits/],
    ['US', 'May 3rd', /"May 3rd" is no date/],
    ['US', '2020-13-01', /no day of the calendar/],
  ])('%s refuses %j, and says what would be right', (country, written, problem) => {
    expect(readDate(written, dateOrderOf(country))).toEqual({ problem: expect.stringMatching(problem) });
  });
});
