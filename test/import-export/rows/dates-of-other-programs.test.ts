import { describe, expect, it } from 'vitest';
import { isZeroDate, parseDate } from '../../../src/import-export/rows/dates.ts';

describe('dates as other programs write them', () => {
  it.each([
    '/  /',
    '  .  .    ',
    '__/__/____',
    '00/00/0000',
    '0/0/0000',
    '00.00.0000',
    '0000-00-00',
    '0000-00-00 00:00:00',
    '0000-00-00T00:00:00.000Z',
    '0',
    '1900-01-00',
    '1/0/1900 12:00:00 AM',
    '00.01.1900',
    '0001-01-01T00:00:00',
    '1/1/0001 12:00:00 AM',
  ])('%j means no date', (text) => {
    expect(isZeroDate(text)).toBe(true);
  });

  it.each(['', '0000-11-24', '1900-01-01', '10/10/2010', 'none', '1984-00-00', '00:00'])('%j does not', (text) => {
    expect(isZeroDate(text)).toBe(false);
  });

  it.each([
    '1984-03-17 00:00:00',
    '1984-03-17T00:00:00.000Z',
    '1984-03-17T00:00',
    '1984-03-17 0:00',
    '1984-03-17  00:00:00.0000000',
    '1984-03-17T00:00:00+01:00',
    '1984-03-17 00:00:00 UTC',
    '1984-03-17 00:00:00+00',
    '3/17/1984 12:00:00 AM',
    '3/17/1984 12:00:00\u202fAM',
    '03/17/1984, 12:00 a.m.',
    '3/17/1984 0:00',
  ])('%j is a day, because midnight is no time of day', (text) => {
    expect(parseDate(text, 'MDY')).toEqual({ date: '1984-03-17' });
  });

  it('reads midnight after a date that begins with the day', () => {
    expect(parseDate('17.03.1984 00:00:00', 'DMY')).toEqual({
      date: '1984-03-17',
    });
    expect(parseDate('3. 4. 2020 0:00', 'DMY')).toEqual({ date: '2020-04-03' });
  });

  it.each(['1984-03-16T23:00:00.000Z', '3/17/1984 12:00:00 PM', '3/17/1984 12:00:00', '1984-03-17 00:00:01'])(
    'rejects %j, because the day depends on the time zone',
    (text) => {
      const problem = `${JSON.stringify(text)} has a time other than midnight; leave it out`;
      expect(parseDate(text, 'MDY')).toEqual({ problem });
    },
  );

  it.each([
    '0000-11-24',
    '11/24/0000',
    '24.11.0000',
    '11/24',
    '11-24',
    '--11-24',
    '--1124',
    '24.11.',
    '????-11-24',
    '0000-11-24 00:00:00',
  ])('rejects %j, because the year is missing', (text) => {
    const problem = `${JSON.stringify(text.slice(0, 10))} has no year; add it, or leave out the date`;
    expect(parseDate(text, 'MDY')).toEqual({ problem });
  });
});
