import libphonenumber, { type PhoneNumber } from 'google-libphonenumber';

const { PhoneNumberFormat, PhoneNumberUtil } = libphonenumber;
const { CountryCodeSource } = libphonenumber.PhoneNumber;
const { ValidationResult } = PhoneNumberUtil;
const phones = PhoneNumberUtil.getInstance();

/** A phone number in E.164 format, or why it is invalid. */
export type ParsedPhoneNumber = { readonly number: string } | { readonly problem: string };

const INVALID_NUMBER = {
  problem: 'must be a phone number, best with a plus and a country code, for example +12025550100',
};

const SHORTENED_NUMBER = {
  problem:
    'was shortened by a spreadsheet; format its column as text there, and enter the number in full, for example +12025550100',
};

/** A number as spreadsheets show and export it if it is long: `1.622897306E9`, `4,91623E+12`. */
const SHORTENED = /^\s*\+?\d+([.,]\d*)?E[+-]?\d{1,2}\s*$/i;

/**
 * Parses a phone number for storage in E.164 format, with an extension as `;ext=` (RFC 3966). Parsing the result again
 * returns it unchanged.
 *
 * The number must be possible, not necessarily in use. It is invalid without its area code, and if its country code
 * lacks the plus, so that it could be read as another number.
 *
 * @param text in any format that libphonenumber accepts.
 * @param country the country of numbers without a country code, as ISO 3166-1 alpha-2.
 */
export function parsePhoneNumber(text: string, country: string): ParsedPhoneNumber {
  if (isShortened(text)) return SHORTENED_NUMBER;
  const read = tryParse(text, country);
  if (!read) return INVALID_NUMBER;
  const problem = missingPlus(read, text, country);
  if (problem !== undefined) return { problem };
  const stable = stableFormOf(read, text, country);
  if (!stable) return impossible(read, text);
  return stable.isLocal ? { problem: 'must have an area code, as in +12025550100' } : { number: stable.stored };
}

/** What is wrong with a number that is too short, too long, or written with the prefix of another country's calls abroad. */
function impossible(read: PhoneNumber, text: string): ParsedPhoneNumber {
  if (/^\s*00/.test(text)) return { problem: 'must have + instead of 00 before the country code, as in +12025550100' };
  const possibility = phones.isPossibleNumberWithReason(read);
  const lengths = { [ValidationResult.TOO_SHORT]: 'short', [ValidationResult.TOO_LONG]: 'long' };
  const length = lengths[possibility as keyof typeof lengths];
  const country = phones.getRegionCodeForCountryCode(read.getCountryCodeOrDefault());
  if (!length) return INVALID_NUMBER;
  return {
    problem: `must be a phone number, for example +12025550100; it is too ${length} for ${country} (+${read.getCountryCode()})`,
  };
}

/**
 * Reads a phone number for a search, in the format of {@link parsePhoneNumber}; also one without an area code, or whose
 * country code may lack the plus.
 *
 * @returns undefined if it is not a phone number.
 */
export function readPhoneNumber(text: string, country: string): string | undefined {
  const read = isShortened(text) ? undefined : tryParse(text, country);
  return read && stableFormOf(read, text, country)?.stored;
}

function isShortened(text: string): boolean {
  return SHORTENED.test(text.normalize('NFKC'));
}

function tryParse(text: string, country: string): PhoneNumber | undefined {
  try {
    return phones.parseAndKeepRawInput(text, country);
  } catch {
    return undefined;
  }
}

/** A number as it is stored, and whether it is possible only without an area code; undefined if it is not possible. */
function stableFormOf(
  read: PhoneNumber,
  text: string,
  country: string,
): { readonly stored: string; readonly isLocal: boolean } | undefined {
  const possibility = phones.isPossibleNumberWithReason(read);
  const isLocal = possibility === ValidationResult.IS_POSSIBLE_LOCAL_ONLY;
  if (possibility !== ValidationResult.IS_POSSIBLE && !isLocal) return undefined;
  const extension = read.getExtension();
  const stored = phones.format(read, PhoneNumberFormat.E164) + (extension ? `;ext=${extension}` : '');
  if (stored === text) return { stored, isLocal };
  // `parseAndKeepRawInput` removes only one trunk prefix: `+49 0030 …` becomes `+49030…`, which would be parsed as a different number.
  // Repeat until the result is stable.
  const again = tryParse(stored, country);
  return again && stableFormOf(again, stored, country);
}

/**
 * Returns an error if the number lacks a plus: with a plus, it is a different, valid number, and it either begins with the
 * country code of the organization, where national numbers begin with a trunk prefix, or is valid only with the plus.
 */
function missingPlus(read: PhoneNumber, text: string, country: string): string | undefined {
  const source = read.getCountryCodeSource();
  if (source === CountryCodeSource.FROM_NUMBER_WITH_PLUS_SIGN || source === CountryCodeSource.FROM_NUMBER_WITH_IDD)
    return undefined;
  // No country code begins with 0.
  if (digitsOf(text).startsWith('0')) return undefined;
  const withPlus = tryParse(`+${text.trim().replace(/^tel:/i, '')}`, country);
  if (!withPlus || isSameNumber(withPlus, read) || !phones.isValidNumber(withPlus)) return undefined;
  const code = withPlus.getCountryCode();
  const isOwnCode = code === phones.getCountryCodeForRegion(country);
  const prefix = isOwnCode ? writtenTrunkPrefix(country) : undefined;
  if (prefix === undefined && phones.isValidNumber(read)) return undefined;
  const alternative = prefix ? `, or ${prefix} before an area code that begins with ${code}` : '';
  return `must have a plus before the country code, +${code}${alternative}`;
}

/** The prefix that national numbers of a country are written with, such as 0 in Germany, but not in Brazil. */
function writtenTrunkPrefix(country: string): string | undefined {
  const prefix = phones.getNddPrefixForRegion(country, true);
  const example = phones.format(phones.getExampleNumber(country), PhoneNumberFormat.NATIONAL);
  return prefix && digitsOf(example).startsWith(prefix) ? prefix : undefined;
}

function isSameNumber(one: PhoneNumber, other: PhoneNumber): boolean {
  return phones.format(one, PhoneNumberFormat.E164) === phones.format(other, PhoneNumberFormat.E164);
}

/** Returns the digits of a stored number in national format, with the trunk prefix. */
export function nationalDigits(stored: string): string {
  const [e164 = ''] = stored.split(';');
  return digitsOf(phones.format(phones.parse(e164), PhoneNumberFormat.NATIONAL));
}

/** Whether numbers without a country code can be parsed for a country (ISO 3166-1 alpha-2). */
export function isPhoneCountry(country: string): boolean {
  return phones.getSupportedRegions().some((region) => region === country);
}

/** Returns the digits of a number in any format. */
export function digitsOf(text: string): string {
  return text.normalize('NFKC').replace(/\D/g, '');
}
