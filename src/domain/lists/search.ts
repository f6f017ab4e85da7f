import { join, raw, type Sql, sql, withoutEstimate } from '../../store/sql.ts';
import { digitsOf, readPhoneNumber } from '../values/phone.ts';
import { normalizeForSearch } from '../values/search-text.ts';

/** Digits with the usual separators of phone numbers. */
const PHONE_LIKE = /^[\d\s()+\-./\u2010-\u2015]+$/u;

/** What every phone number contains, in any script. */
const TWO_DIGITS = /\p{Nd}.*\p{Nd}/u;

/** Punctuation that separates words, wherever it is; `’` and `'` are no quotation marks here. */
const BETWEEN_WORDS =
  /[,;"<>\u05f4\u060c\u061b«»‹›“-‟„‚\u3001\u3008-\u3011\u3014-\u301b\u301d-\u301f\u30fb\uff02\uff0c\uff1b\uff1c\uff1e\uff62-\uff65]/g;

/** Brackets and sentence marks around a word. A full stop at the beginning is part of it, as in `.org`. */
const AROUND_WORDS = /^[([{（［｛¿¡]+|[)\]}）］｝.:!?。．：！？؟…]+$/g;

/** A character of a word, as opposed to punctuation. */
const IN_WORDS = /[^\p{P}\p{Sm}\p{Sc}\p{Sk}]/u;

/** A word that only separates others, such as the dash in `Okafor – Amara`. */
const SEPARATING_WORD = /^[-\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'./|·•:!?]+$/u;

/** The condition of a search. */
export interface SearchCondition {
  /** @param isPrepared whether PostgreSQL is to keep one plan for all patterns. */
  readonly condition: (isPrepared: boolean) => Sql;
  /** Whether an index can find the matches: some word has three letters or digits in a row. */
  readonly isIndexed: boolean;
}

/** The indexes of searches contain sequences of three letters or digits. */
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
  const words = wordsOf(search);
  const normalized = words.map(normalizeForSearch);
  const condition = (isPrepared: boolean) => {
    const contains = (column: string, text: string) => {
      const pattern = containsPattern(text);
      return sql`${raw(`${alias}.${column}`)} LIKE ${isPrepared ? withoutEstimate(pattern, 'text') : pattern}`;
    };
    const inPhone = (text: string) =>
      (phone ? possiblePhoneDigits(text, phone.country) : []).map((digits) => contains('search_phone', digits));
    const hasEveryWord = words.map((word, index) =>
      anyOf([contains('search_text', normalized[index] as string), ...inPhone(word)]),
    );
    return anyOf([join(hasEveryWord, ' AND '), ...(words.includes(search) ? [] : inPhone(search))]);
  };
  return { condition, isIndexed: normalized.some((word) => INDEXED.test(word)) };
}

/** The different words of a search, without the punctuation around them. A search for punctuation is taken literally. */
function wordsOf(search: string): string[] {
  const split = (text: string) => text.trim().split(/\s+/u);
  const words = split(search.replace(BETWEEN_WORDS, ' '))
    .map((word) => word.replace(AROUND_WORDS, ''))
    .filter((word) => word !== '' && !SEPARATING_WORD.test(word));
  return [...new Set(words.some((word) => IN_WORDS.test(word)) ? words : split(search))];
}

function anyOf(conditions: readonly Sql[]): Sql {
  return sql`(${join(conditions, ' OR ')})`;
}

function possiblePhoneDigits(search: string, country: string): string[] {
  const digits = new Set<string>();
  const normalized = search.normalize('NFKC');
  if (PHONE_LIKE.test(normalized) && /\d/.test(normalized)) digits.add(digitsOf(normalized));
  // Parsing takes most of the CPU time that this process spends on a condition.
  const parsed = TWO_DIGITS.test(search) ? readPhoneNumber(search, country) : undefined;
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
