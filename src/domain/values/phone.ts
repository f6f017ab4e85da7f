import libphonenumber from 'google-libphonenumber';

const { PhoneNumberFormat, PhoneNumberUtil } = libphonenumber;
const { CountryCodeSource } = libphonenumber.PhoneNumber;
const { ValidationResult } = PhoneNumberUtil;
const phones = PhoneNumberUtil.getInstance();

/** A phone number in E.164 format, or why it is invalid. */
export type ParsedPhoneNumber = { readonly number: string } | { readonly problem: string };

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
  const problem = missingPlus(text, country);
  if (problem !== undefined) return { problem };
  const number = readPhoneNumber(text, country);
  if (number === undefined) return { problem: 'must be a phone number, best with a leading plus and country code' };
  const possibility = phones.isPossibleNumberWithReason(phones.parse(number));
  if (possibility === ValidationResult.IS_POSSIBLE_LOCAL_ONLY) return { problem: 'must have an area code' };
  return { number };
}

/**
 * Reads a phone number for a search, in the format of {@link parsePhoneNumber}; also one without an area code, or whose
 * country code may lack the plus.
 *
 * @returns undefined if it is not a phone number.
 */
export function readPhoneNumber(text: string, country: string): string | undefined {
  try {
    const number = phones.parse(text, country);
    if (!phones.isPossibleNumber(number)) return undefined;
    const extension = number.getExtension();
    const stored = phones.format(number, PhoneNumberFormat.E164) + (extension ? `;ext=${extension}` : '');
    // `parse` removes only one trunk prefix: `+49 0030 …` becomes `+49030…`, which would be parsed as a different number.
    // Repeat until the result is stable.
    return stored === text ? stored : readPhoneNumber(stored, country);
  } catch {
    return undefined;
  }
}

/**
 * The problem of a number that is another one, and a valid one, with a plus before it: if it begins with the country
 * code of the organization, or is valid only with the plus.
 */
function missingPlus(text: string, country: string): string | undefined {
  const read = tryParse(text, country);
  const source = read?.getCountryCodeSource();
  const hasCountryCode =
    source === CountryCodeSource.FROM_NUMBER_WITH_PLUS_SIGN || source === CountryCodeSource.FROM_NUMBER_WITH_IDD;
  if (!read || hasCountryCode) return undefined;
  const withPlus = tryParse(`+${text.trim().replace(/^tel:/i, '')}`, country);
  if (!withPlus || !phones.isValidNumber(withPlus)) return undefined;
  const code = withPlus.getCountryCodeOrDefault();
  const isOwnCode = code === phones.getCountryCodeForRegion(country);
  const [asRead, asMeant] = [read, withPlus].map((number) => phones.format(number, PhoneNumberFormat.E164));
  if (asRead === asMeant || (!isOwnCode && phones.isValidNumber(read))) return undefined;
  const prefix = isOwnCode ? phones.getNddPrefixForRegion(country, true) : undefined;
  const alternative = prefix ? `, or ${prefix} before an area code that begins with ${code}` : '';
  return `must have a plus before the country code, +${code}${alternative}`;
}

function tryParse(text: string, country: string) {
  try {
    return phones.parseAndKeepRawInput(text, country);
  } catch {
    return undefined;
  }
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
