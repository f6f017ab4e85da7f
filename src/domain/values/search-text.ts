import { digitsOf, nationalDigits } from './phone.ts';
import { withoutInvisible } from './text.ts';

/** The text of a field that may be empty. */
type Text = string | null | undefined;

/** Separates the fields of a search text, so that matches cannot span two fields. */
const SEPARATOR = '\u001f';

/** Replaces the separator in user input. */
const SEPARATOR_REPLACEMENT = '\u001e';

/**
 * Marks that writers add or leave out: accents, and the vowel points of Arabic and Hebrew. The vowel signs of Indic scripts
 * and the voicing marks of kana are not among them, because they make other words. By code points, because a newer
 * version of Unicode must not change what stored texts are compared with.
 */
const MARKS = new RegExp(
  `[${[
    String.raw`\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f`,
    // Hebrew
    String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\ufb1e`,
    // Arabic and Syriac
    String.raw`\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u0711\u0730-\u074a`,
    // The nukta and the accents of Indic scripts, the tone marks of Thai
    String.raw`\u093c\u09bc\u0a3c\u0abc\u0b3c\u0951-\u0954\u0e47-\u0e4e`,
  ].join('')}]`,
  'g',
);
/** Apostrophes, the Hebrew geresh, and tatweel, which only makes an Arabic word longer. */
const LEFT_OUT = /['`´ʹʻʼʽʾʿˈ‘’‛′＇\u05f3\u0640]/g;
const DASHES = /[\p{Pd}\u2212]/gu;

/**
 * Letters with a stroke and ligatures, which Unicode does not decompose into a base letter and an accent, and Arabic letters
 * that are written for each other: alef, ya, ta marbuta and ha, kaf. Alef, waw and ya with a hamza have a mark.
 */
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
  ...basedOn('\u0627', '\u0671\u0672\u0673\u0675'),
  ...basedOn('\u064a', '\u0649\u06cc'),
  ...basedOn('\u0647', '\u0629\u06be\u06c1\u06c3\u06d5'),
  ...basedOn('\u0643', '\u06a9\u06aa'),
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(BASE_LETTERS).join('')}]`, 'g');

function basedOn(base: string, letters: string): Record<string, string> {
  return Object.fromEntries([...letters].map((letter) => [letter, base]));
}

/** Letters of scripts without spaces between the words of a name: Han, kana and Hangul. */
const UNSPACED =
  /[\u1100-\u11ff\u3005-\u3007\u3040-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\u{20000}-\u{3ffff}]/u;

/**
 * Normalizes text for searches (decisions, "search"): ignores letter case, accents, vowel points, apostrophes and
 * invisible characters, makes all dashes the same, and replaces the separator. Independent of the database's locale.
 * Converts to upper case, because the lower case of a letter can depend on adjacent letters (the Greek final sigma).
 *
 * A change needs a migration of the stored texts, as in `prisma/migrations/20261129020000_search_text`.
 */
export function normalizeForSearch(text: string): string {
  const decomposed = text.normalize('NFD').toUpperCase().normalize('NFD');
  return withoutInvisible(decomposed)
    .replace(MARKS, '')
    .replace(LEFT_OUT, '')
    .replace(SPECIAL_LETTERS, (letter) => BASE_LETTERS[letter] as string)
    .replace(DASHES, '-')
    .normalize('NFC')
    .replaceAll(SEPARATOR, SEPARATOR_REPLACEMENT);
}

/** Returns the value of `search_text` for a record. */
export function searchTextOf(...fields: readonly Text[]): string {
  return fields.map((field) => normalizeForSearch(field ?? '')).join(SEPARATOR);
}

/**
 * Returns the value of `search_text` for a person. It begins with the names, of which the database makes the sort name; names
 * in scripts without spaces are followed by the full name, written together in both orders (last, first, last).
 */
export function searchTextOfPerson(first: Text, last: Text, ...others: readonly Text[]): string {
  const names = [normalizeForSearch(last ?? ''), normalizeForSearch(first ?? ''), normalizeForSearch(last ?? '')];
  const fields = searchTextOf(first, last, ...others);
  return names.every((name) => UNSPACED.test(name)) ? `${fields}${SEPARATOR}${names.join('')}` : fields;
}

/** Returns the value of `search_phone` for a phone number in E.164 format. */
export function searchPhoneOf(phoneNumber: string | null | undefined): string {
  return phoneNumber ? `${digitsOf(phoneNumber)}${SEPARATOR}${nationalDigits(phoneNumber)}` : '';
}
