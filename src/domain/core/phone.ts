import libphonenumber from 'google-libphonenumber';

const { PhoneNumberFormat, PhoneNumberUtil } = libphonenumber;
const phones = PhoneNumberUtil.getInstance();

/**
 * A phone number as it is stored: E.164, an extension as `;ext=` (RFC 3966).
 *
 * @param written any format that Google's libphonenumber accepts; a possible number is enough.
 * @param country ISO 3166-1 alpha-2, where a number without a country code is read.
 * @returns undefined when it is no phone number.
 */
export function parsePhoneNumber(written: string, country: string): string | undefined {
  try {
    const number = phones.parse(written, country);
    if (!phones.isPossibleNumber(number)) return undefined;
    const extension = number.getExtension();
    return phones.format(number, PhoneNumberFormat.E164) + (extension ? `;ext=${extension}` : '');
  } catch {
    return undefined;
  }
}

/** The digits of a stored number as they are dialled inside its own country (with the trunk prefix). */
export function nationalDigits(stored: string): string {
  const [e164 = ''] = stored.split(';');
  return digitsOf(phones.format(phones.parse(e164), PhoneNumberFormat.NATIONAL));
}

/** Whether numbers without a country code can be read in a country (ISO 3166-1 alpha-2). */
export function isPhoneCountry(country: string): boolean {
  return phones.getSupportedRegions().some((region) => region === country);
}

/** The digits of any writing of a number, without what stands between them. */
export function digitsOf(written: string): string {
  return written.normalize('NFKC').replace(/\D/g, '');
}
