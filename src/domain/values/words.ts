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
