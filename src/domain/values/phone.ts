import libphonenumber from 'google-libphonenumber';

const { PhoneNumberFormat, PhoneNumberUtil } = libphonenumber;
const phones = PhoneNumberUtil.getInstance();

/**
 * Parses a phone number and returns it in E.164 format, with an extension as `;ext=` (RFC 3966). Parsing the result
 * again returns it unchanged.
 *
 * @param text in any format that libphonenumber accepts; the number must be possible, not necessarily in use.
 * @param country the country of numbers without a country code, as ISO 3166-1 alpha-2.
 * @returns undefined if it is not a phone number.
 */
export function parsePhoneNumber(text: string, country: string): string | undefined {
  try {
    const number = phones.parse(text, country);
    if (!phones.isPossibleNumber(number)) return undefined;
    const extension = number.getExtension();
    const stored = phones.format(number, PhoneNumberFormat.E164) + (extension ? `;ext=${extension}` : '');
    // `parse` removes only one trunk prefix: `+49 0030 …` becomes `+49030…`, which would be parsed as a different number.
    // Repeat until the result is stable.
    return stored === text ? stored : parsePhoneNumber(stored, country);
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
