import { join, raw, type Sql, sql } from '../../store/sql.ts';
import { digitsOf, nationalDigits, parsePhoneNumber } from '../core/phone.ts';

/** Stands between the fields of one search text, so that nothing is found across two of them. */
const SEPARATOR = '\u001f';

/** What the separator is searched as, where somebody wrote it. */
const NO_SEPARATOR = '\u001e';

/**
 * The form in which text is searched: letter case folded, the same on every database whatever its
 * locale. Upper case, because lower-casing depends on a letter's neighbours (the Greek final sigma).
 */
function fold(text: string): string {
  return text.normalize('NFC').toUpperCase().normalize('NFC').replaceAll(SEPARATOR, NO_SEPARATOR);
}

/** The search text of a record: what `search_text` holds. */
export function searchTextOf(...fields: readonly (string | null | undefined)[]): string {
  return fields.map((field) => fold(field ?? '')).join(SEPARATOR);
}

/** The search text of a phone number in E.164: what `search_phone` holds. */
export function searchPhoneOf(phoneNumber: string | null | undefined): string {
  return phoneNumber ? `${digitsOf(phoneNumber)}${SEPARATOR}${nationalDigits(phoneNumber)}` : '';
}

/** Nothing but digits and what people write between them. */
const PHONE_LIKE = /^[\d\s()+\-./\u2010-\u2015]+$/u;

/**
 * The condition under which a row is found: each word of the search is a case-insensitive substring of one of its fields,
 * or the whole search is a phone number in any usual writing.
 *
 * @param alias the table with `search_text`.
 * @param search not blank.
 * @param phone where the table also has `search_phone`: the country in which numbers are read.
 */
export function matchesSearch(alias: string, search: string, phone?: { country: string }): Sql {
  const inPhone = (writing: string) =>
    (phone ? phoneSpellings(writing, phone.country) : []).map(
      (digits) => sql`${raw(alias)}.search_phone LIKE ${contains(digits)}`,
    );
  const words = [...new Set(search.trim().split(/\s+/u))];
  const hasEveryWord = words.map((word) =>
    anyOf([sql`${raw(alias)}.search_text LIKE ${contains(fold(word))}`, ...inPhone(word)]),
  );
  const isOneNumber = words.length > 1 ? inPhone(search) : [];
  return sql` AND ${anyOf([join(hasEveryWord, ' AND '), ...isOneNumber])}`;
}

function anyOf(conditions: readonly Sql[]): Sql {
  return sql`(${join(conditions, ' OR ')})`;
}

function phoneSpellings(search: string, country: string): string[] {
  const writings = new Set<string>();
  const plain = search.normalize('NFKC');
  if (PHONE_LIKE.test(plain) && /\d/.test(plain)) writings.add(digitsOf(plain));
  const parsed = parsePhoneNumber(search, country);
  if (parsed && parsed.length >= 8) writings.add(digitsOf(parsed));
  return [...writings];
}

/** A LIKE pattern for a literal substring: `%`, `_` and `\` are ordinary characters. */
export function contains(literal: string): string {
  return `%${literal.replace(/[\\%_]/g, '\\$&')}%`;
}
