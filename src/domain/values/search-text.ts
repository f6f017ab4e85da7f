import { digitsOf, nationalDigits } from './phone.ts';

/** Separates the fields of a search text, so that matches cannot span two fields. */
const SEPARATOR = '\u001f';

/** Replaces the separator in user input. */
const SEPARATOR_REPLACEMENT = '\u001e';

const ACCENTS = /[\u0300-\u036f]/g;
const APOSTROPHES = /['`´ʹʻʼʽʾʿˈ‘’‛′＇]/g;
const DASHES = /[\p{Pd}\u2212]/gu;

/** Letters with a stroke and ligatures, which Unicode does not decompose into a base letter and an accent. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Ħ: 'H',
  Æ: 'AE',
  Œ: 'OE',
  Þ: 'TH',
  ẞ: 'SS',
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(BASE_LETTERS).join('')}]`, 'g');

/**
 * Normalizes text for searches (decisions, "search"): ignores letter case, accents and apostrophes, makes all dashes the
 * same, and replaces the separator. Independent of the database's locale. Converts to upper case, because the lower case
 * of a letter can depend on adjacent letters (the Greek final sigma).
 */
export function normalizeForSearch(text: string): string {
  return text
    .normalize('NFD')
    .toUpperCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .replace(SPECIAL_LETTERS, (letter) => BASE_LETTERS[letter] as string)
    .replace(APOSTROPHES, '')
    .replace(DASHES, '-')
    .normalize('NFC')
    .replaceAll(SEPARATOR, SEPARATOR_REPLACEMENT);
}

/** Returns the value of `search_text` for a record. */
export function searchTextOf(...fields: readonly (string | null | undefined)[]): string {
  return fields.map((field) => normalizeForSearch(field ?? '')).join(SEPARATOR);
}

/** Returns the value of `search_phone` for a phone number in E.164 format. */
export function searchPhoneOf(phoneNumber: string | null | undefined): string {
  return phoneNumber ? `${digitsOf(phoneNumber)}${SEPARATOR}${nationalDigits(phoneNumber)}` : '';
}
