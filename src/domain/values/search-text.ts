import { digitsOf, nationalDigits } from './phone.ts';

/** Separates the fields of a search text, so that matches cannot span two fields. */
const SEPARATOR = '\u001f';

/** Replaces the separator in user input. */
const SEPARATOR_REPLACEMENT = '\u001e';

/**
 * Normalizes text for searches: folds its letter case, independently of the database's locale, and replaces the
 * separator. Converts to upper case, because the lower case of a letter can depend on adjacent letters (the Greek final
 * sigma).
 */
export function normalizeForSearch(text: string): string {
  return text.normalize('NFC').toUpperCase().normalize('NFC').replaceAll(SEPARATOR, SEPARATOR_REPLACEMENT);
}

/** Returns the value of `search_text` for a record. */
export function searchTextOf(...fields: readonly (string | null | undefined)[]): string {
  return fields.map((field) => normalizeForSearch(field ?? '')).join(SEPARATOR);
}

/** Returns the value of `search_phone` for a phone number in E.164 format. */
export function searchPhoneOf(phoneNumber: string | null | undefined): string {
  return phoneNumber ? `${digitsOf(phoneNumber)}${SEPARATOR}${nationalDigits(phoneNumber)}` : '';
}
