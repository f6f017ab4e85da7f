import { expect, it } from 'vitest';
import { digitsOf, nationalDigits, parsePhoneNumber, readPhoneNumber } from '../../../src/domain/values/phone.ts';

it.each([
  ['US', '+1 650-253-0000', '+16502530000'],
  ['GB', '+1 650-253-0000', '+16502530000'],
  ['US', '(650) 253-0000', '+16502530000'],
  ['US', '+1-800-FLOWERS', '+18003569377'],
  ['US', '1-800-GOT-MILK', '+18004686455'],
  ['US', 'tel:650-253-0000;phone-context=+1', '+16502530000'],
  ['GB', 'tel:650-253-0000;phone-context=+1', '+16502530000'],
  ['US', '＋１６５０２５３００００', '+16502530000'],
  ['US', '٦٥٠٢٥٣٠٠٠٠', '+16502530000'],
  ['US', '+1 212 555 0100', '+12125550100'],
  ['GB', '020 7946 0958', '+442079460958'],
  ['GB', '00 1 650 253 0000', '+16502530000'],
  ['US', '011 44 20 7946 0958', '+442079460958'],
  ['NG', '0803 123 4567', '+2348031234567'],
  ['IT', '06 698 12345', '+390669812345'],
  ['US', '+800 1234 5678', '+80012345678'],
])('parses, in %s, the number %s as %s', (country, input, stored) => {
  expect(parsePhoneNumber(input, country)).toEqual({ number: stored });
});

it.each(['650-253-0000 ext. 123', '650-253-0000 x123', '+1 650 253 0000;ext=123', 'tel:+1-650-253-0000;ext=123'])(
  'keeps the extension of %s as ;ext=',
  (input) => {
    expect(parsePhoneNumber(input, 'US')).toEqual({ number: '+16502530000;ext=123' });
  },
);

it('keeps leading zeros of an extension', () => {
  expect(parsePhoneNumber('+1 650-253-0000 ext. 007', 'US')).toEqual({ number: '+16502530000;ext=007' });
});

it.each(['+16502530000', '+16502530000;ext=9', '+390669812345', '+442079460958', '+80012345678'])(
  'parses %s as itself in every country',
  (stored) => {
    for (const country of ['US', 'GB', 'NG', 'IT', 'AQ'])
      expect(parsePhoneNumber(stored, country)).toEqual({ number: stored });
  },
);

it.each([
  ['US', '+44 (0)20 7946 0958', '+442079460958'],
  ['DE', '+49 0030 123456', '+4930123456'],
  ['US', '+49 (0)(0)30 123456 ext. 7', '+4930123456;ext=7'],
  ['AE', '+971 0002 234 567', '+9712234567'],
  ['NG', '+234 00803 123 4567', '+2348031234567'],
  ['IT', '+39 006 1234 5678', '+3900612345678'],
])('removes, in %s, every trunk prefix of %s, but no zero of the number: %s', (country, input, stored) => {
  expect(parsePhoneNumber(input, country)).toEqual({ number: stored });
  expect(parsePhoneNumber(stored, country)).toEqual({ number: stored });
});

it.each(['', ' ', 'abc', '+', '++', '1', '+1', '+999 1234 5678', '123456789012345678', '+1 650-253-0000 and', '🙂'])(
  'rejects %j',
  (input) => {
    expect(parsePhoneNumber(input, 'US')).toHaveProperty('problem');
    expect(readPhoneNumber(input, 'US')).toBeUndefined();
  },
);

it.each([
  ['DE', '0049 162 2897306', '+491622897306'],
  ['DE', '0491 602229', '+49491602229'],
  ['DE', '491 602229', '+49491602229'],
  ['DE', '49 89 1234567', '+49891234567'],
  ['GB', '447911123456', '+447911123456'],
  ['US', '12025550101', '+12025550101'],
  ['US', '2025550101', '+12025550101'],
  ['US', '656-555-0123', '+16565550123'],
  ['US', '555-555-0123', '+15555550123'],
  ['BR', '55 99999-1234', '+5555999991234'],
  ['BR', '5511987654321', '+5511987654321'],
  ['IT', '391 234 5678', '+393912345678'],
  ['NO', '47 12 34 56', '+4747123456'],
  ['PL', '48 646 99 29', '+48486469929'],
  ['PL', '48 308 90 50', '+48483089050'],
  ['IT', '390 891 073', '+39390891073'],
  ['BR', '(55) 4008-1112', '+555540081112'],
  ['DE', '162 2897306', '+491622897306'],
])('parses, in %s, the number %s without a plus as %s', (country, input, stored) => {
  expect(parsePhoneNumber(input, country)).toEqual({ number: stored });
});

it.each([
  ['DE', '491622897306', 'must have a plus before the country code, +49, or 0 before an area code that begins with 49'],
  [
    'DE',
    '49(0)345279580',
    'must have a plus before the country code, +49, or 0 before an area code that begins with 49',
  ],
  [
    'DE',
    'tel:491622897306;ext=1',
    'must have a plus before the country code, +49, or 0 before an area code that begins with 49',
  ],
  ['US', '447911123456', 'must have a plus before the country code, +44'],
  ['NG', '4915123456789', 'must have a plus before the country code, +49'],
  ['GB', '1 650 253 0000', 'must have a plus before the country code, +1'],
])('refuses, in %s, the number %s, which may lack a plus', (country, input, problem) => {
  expect(parsePhoneNumber(input, country)).toEqual({ problem });
});

it.each([
  ['US', '253-0000'],
  ['US', '+1 253 0000'],
  ['DE', '110'],
])('refuses, in %s, the number %s without an area code', (country, input) => {
  expect(parsePhoneNumber(input, country)).toEqual({ problem: 'must have an area code' });
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
  ['+2348031234567', '08031234567'],
  ['+16502530000', '6502530000'],
  ['+16502530000;ext=123', '6502530000'],
  ['+390669812345', '0669812345'],
])('formats %s for national dialing as %s', (stored, digits) => {
  expect(nationalDigits(stored)).toBe(digits);
});

it('extracts the digits of a number, full-width ones too', () => {
  expect(digitsOf('+1 (650) 253–0000 ')).toBe('16502530000');
  expect(digitsOf('６５０－２５３')).toBe('650253');
});
