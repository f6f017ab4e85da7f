import { join, raw, type Sql, sql } from '../../store/sql.ts';
import { digitsOf, readPhoneNumber } from '../values/phone.ts';
import { normalizeForSearch } from '../values/search-text.ts';

/** Digits with the usual separators of phone numbers. */
const PHONE_LIKE = /^[\d\s()+\-./\u2010-\u2015]+$/u;

/** The condition of a search. */
export interface SearchCondition {
  readonly condition: Sql;
  /** Whether the index on the text finds the matches. */
  readonly isIndexed: boolean;
}

/** The indexes contain sequences of three letters or digits. */
const INDEXED = /[\p{L}\p{N}]{3}/u;

/**
 * Returns the condition of a search: each word is a case-insensitive substring of one of the fields, or the whole search
 * is a phone number in any common notation.
 *
 * @param alias the table with `search_text`.
 * @param search not blank.
 * @param phone set if the table also has `search_phone`: the country of numbers without a country code.
 */
export function matchesSearch(alias: string, search: string, phone?: { country: string }): SearchCondition {
  const inPhone = (text: string) =>
    (phone ? possiblePhoneDigits(text, phone.country) : []).map(
      (digits) => sql`${raw(alias)}.search_phone LIKE ${containsPattern(digits)}`,
    );
  const words = [...new Set(search.trim().split(/\s+/u))];
  const normalized = words.map(normalizeForSearch);
  const hasEveryWord = words.map((word, index) =>
    anyOf([sql`${raw(alias)}.search_text LIKE ${containsPattern(normalized[index] as string)}`, ...inPhone(word)]),
  );
  const isPhoneNumber = words.length > 1 ? inPhone(search) : [];
  return {
    condition: anyOf([join(hasEveryWord, ' AND '), ...isPhoneNumber]),
    isIndexed: normalized.some((word) => INDEXED.test(word)),
  };
}

function anyOf(conditions: readonly Sql[]): Sql {
  return sql`(${join(conditions, ' OR ')})`;
}

function possiblePhoneDigits(search: string, country: string): string[] {
  const digits = new Set<string>();
  const normalized = search.normalize('NFKC');
  if (PHONE_LIKE.test(normalized) && /\d/.test(normalized)) digits.add(digitsOf(normalized));
  const parsed = readPhoneNumber(search, country);
  if (parsed && parsed.length >= 8) digits.add(digitsOf(parsed));
  return [...digits];
}

/** Returns a LIKE pattern for texts with a literal substring: `%`, `_` and `\` are escaped. */
function containsPattern(literal: string): string {
  return `%${escapeLikePattern(literal)}%`;
}

/** Escapes a text for LIKE, also for Prisma Client's `contains`, which does not. */
export function escapeLikePattern(literal: string): string {
  return literal.replace(/[\\%_]/g, '\\$&');
}
