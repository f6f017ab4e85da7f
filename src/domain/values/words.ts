import { MAX_ECHOED_CHARACTERS } from './limits.ts';

/** Returns a text with its first letter in upper case: `Member not found`. */
export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Returns a noun with its indefinite article: `a member`, `an event`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Returns a list for use in sentences: `title, city or name`. */
export function alternatives(items: readonly string[]): string {
  return listWith('or', items);
}

/** Returns a list for use in sentences: `title, city and name`. */
export function conjunction(items: readonly string[]): string {
  return listWith('and', items);
}

function listWith(word: string, items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;
}

/** Returns a number of things, with a noun whose plural ends with `s`: `1 row`, `2 rows`. */
export function quantity(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the name of a type for use in sentences: `prayer request` for `PrayerRequest`. */
export function inSentence(typeName: string): string {
  return typeName.replace(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** Truncates input that is echoed in a message, and masks API keys in it. */
export function truncate(text: string, maxCharacters: number = MAX_ECHOED_CHARACTERS): string {
  // Do not split a surrogate pair.
  const masked = text.slice(0, maxCharacters + 1).replace(/\bcms_\w+/g, 'cms_…');
  if (text.length <= maxCharacters) return masked;
  return `${masked.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Adds the value that was sent to a message about what it must be: `must be a date, YYYY-MM-DD, not "1.2.1990"`. Other
 * messages, and those about the length of the value, are returned unchanged.
 */
export function withValue(message: string, value: unknown): string {
  if (value === undefined || !/^must (?:be|have) (?:an?|one|the|true) /.test(message)) return message;
  const container = Array.isArray(value) ? 'an array' : 'an object';
  const isContainer = typeof value === 'object' && value !== null;
  // Not `String` for all, which is recursive for arrays, and calls `toString` of the input.
  const sent = isContainer ? container : typeof value === 'string' ? quote(value) : String(value);
  return message.replace(/(?=; did you mean )|$/, () => `, not ${sent}`);
}

/** Quotes and truncates input that is echoed in a message; control characters are escaped as in JSON. */
export function quote(text: string): string {
  return JSON.stringify(truncate(text));
}
