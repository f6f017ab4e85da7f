import { expect, it } from 'vitest';
import { digitsOf, nationalDigits, parsePhoneNumber, readPhoneNumber } from '../../../src/domain/values/phone.ts';

it.each([
  ['GB', '+1 650-253-0000', '+16502530000'],
  ['US', '(650) 253-0000', '+16502530000'],
  ['US', '+1-800-FLOWERS', '+18003569377'],
  ['US', '1-800-EAT-EASY', '+18003283279'],
  ['US', '1.650.253.0000', '+16502530000'],
  ['GB', 'tel:650-253-0000;phone-context=+1', '+16502530000'],
  ['US', '＋１６５０２５３００００', '+16502530000'],
  ['US', '+1 212 555 0100', '+12125550100'],
  ['GB', '020 7946 0958', '+442079460958'],
  ['GB', '00 1 650 253 0000', '+16502530000'],
  ['IT', '06 698 12345', '+390669812345'],
  ['US', '+800 1234 5678', '+80012345678'],
  ['US', '650-253-0000 x007', '+16502530000;ext=007'],
  ['US', 'tel:+1-650-253-0000;ext=123', '+16502530000;ext=123'],
])('parses, in %s, the number %s as %s, which is itself in every country', (country, input, stored) => {
  expect(parsePhoneNumber(input, country)).toEqual({ number: stored });
  for (const other of ['US', 'GB', 'NG', 'IT', 'AQ']) {
    expect(parsePhoneNumber(stored, other)).toEqual({ number: stored });
  }
});

it.each([
  ['US', '+44 (0)20 7946 0958', '+442079460958'],
  ['US', '+49 (0)(0)30 123456 ext. 7', '+4930123456;ext=7'],
  ['AE', '+971 0002 234 567', '+9712234567'],
  ['IT', '+39 006 1234 5678', '+3900612345678'],
])('removes, in %s, every trunk prefix of %s, but no zero of the number: %s', (country, input, stored) => {
  expect(parsePhoneNumber(input, country)).toEqual({ number: stored });
});

it.each(['', 'abc', '+', '1', '+1', '+999 1234 5678', '123456789012345678', '+1 650-253-0000 and'])(
  'rejects %j',
  (input) => {
    expect(parsePhoneNumber(input, 'US')).toHaveProperty('problem');
    expect(readPhoneNumber(input, 'US')).toBeUndefined();
  },
);

it.each([
  ['DE', '0491 602229', '+49491602229'],
  ['DE', '491 602229', '+49491602229'],
  ['DE', '49 89 1234567', '+49891234567'],
  ['GB', '447911123456', '+447911123456'],
  ['US', '12025550101', '+12025550101'],
  ['BR', '55 99999-1234', '+5555999991234'],
  ['BR', '5511987654321', '+5511987654321'],
  ['IT', '391 234 5678', '+393912345678'],
  ['PL', '48 646 99 29', '+48486469929'],
])('parses, in %s, the number %s without a plus as %s', (country, input, stored) => {
  expect(parsePhoneNumber(input, country)).toEqual({ number: stored });
});

it.each([
  ['DE', '491622897306', 'must have a plus before the country code, +49, or 0 before an area code that begins with 49'],
  ['US', '447911123456', 'must have a plus before the country code, +44'],
  ['NG', '4915123456789', 'must have a plus before the country code, +49'],
  ['US', '+1 253 0000', 'must have an area code, as in +12025550100'],
  ['DE', '110', 'must have an area code, as in +12025550100'],
])('refuses, in %s, the number %s, which may be incomplete: it %s', (country, input, problem) => {
  expect(parsePhoneNumber(input, country)).toEqual({ problem });
});

it.each([
  '1.622897306E9',
  '4.91622897306E12',
  '1.62E9',
  '1,62289731E+09',
  '4.91623e+12',
  '+4.91622897306E12',
  '2E9',
  '16.2E9',
  ' １．６２Ｅ９ ',
])('refuses %j, shortened by a spreadsheet, and does not search for it', (input) => {
  for (const country of ['US', 'DE']) {
    expect(parsePhoneNumber(input, country)).toEqual({
      problem: expect.stringMatching(/^was shortened by a spreadsheet; /),
    });
    expect(readPhoneNumber(input, country)).toBeUndefined();
  }
});

it.each([
  ['DE', '491622897306', '+49491622897306'],
  ['US', '253-0000', '+12530000'],
  ['US', '650-253-0000 x7', '+16502530000;ext=7'],
])('reads, in %s, the searched number %s as %s', (country, input, stored) => {
  expect(readPhoneNumber(input, country)).toBe(stored);
});

it.each([
  ['+442079460958', '02079460958'],
  ['+16502530000;ext=123', '6502530000'],
  ['+390669812345', '0669812345'],
])('formats %s for national dialing as %s', (stored, digits) => {
  expect(nationalDigits(stored)).toBe(digits);
});

it('extracts the digits of a number, full-width ones too', () => {
  expect(digitsOf('+1 (650) 253–0000 ')).toBe('16502530000');
  expect(digitsOf('６５０－２５３')).toBe('650253');
});
