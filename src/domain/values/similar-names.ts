import { MAX_SHORT_TEXT_CHARACTERS } from '../core/limits.ts';
import { memoize } from '../core/memoize.ts';
import { foldName } from './column-names.ts';
import { synonymsIn } from './other-names.ts';
import { alternatives } from './words.ts';

/** The maximum number of names that a message suggests. */
const MAX_SUGGESTIONS = 3;

/**
 * Returns the names that a caller probably meant: those that differ only in notation (`firstName`, `first-names`), that
 * have the name as a common synonym (`dob`), or else where one name has all words of the other (`phone` for `phone_number`).
 */
export function similarNames(name: string, names: readonly string[]): readonly string[] {
  if (name.length > MAX_SHORT_TEXT_CHARACTERS) return [];
  const folded = foldName(name);
  const words = wordsOf(name);
  const all = knownNames(names);
  const matching = (isMatch: (known: KnownName) => boolean) => all.filter(isMatch).map((known) => known.name);
  const same = matching((known) => known.folded === folded || known.words.join() === words.join());
  if (same.length > 0) return same;
  const synonymous = synonymsIn(name, names);
  if (synonymous.length > 0) return synonymous;
  return matching((known) => areSimilar(words, known.words)).slice(0, MAX_SUGGESTIONS);
}

/** An existing name, in the forms in which names are compared. */
interface KnownName {
  readonly name: string;
  readonly folded: string;
  readonly words: readonly string[];
}

/** Computed once for each list, with which many unknown names are compared. */
const knownNames = memoize((names: readonly string[]): readonly KnownName[] =>
  names.map((name) => ({ name, folded: foldName(name), words: wordsOf(name) })),
);

/** Returns the part of a message that suggests similar names; empty if there are none. */
export function suggestion(name: string, names: readonly string[]): string {
  const similar = similarNames(name, names);
  return similar.length > 0 ? `; did you mean ${alternatives(similar)}?` : '';
}

/** Returns the message for a name that does not exist. @param kind what it names: `field`. */
export function unknownName(kind: string, name: string, names: readonly string[]): string {
  const listed = names.length === 1 ? `leave it out; the only ${kind} is ${names[0]}` : `use ${names.join(', ')}`;
  return `unknown ${kind}${suggestion(name, names) || `; ${listed}`}`;
}

/** Returns the message for a value that is not one of several. */
export function notOneOf(value: unknown, values: readonly unknown[]): string {
  const names = values.map(String);
  return `must be one of ${names.join(', ')}${typeof value === 'string' ? suggestion(value, names) : ''}`;
}

/** The words of a name in any notation, in lower case and singular. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/s$/, ''))
    .filter(Boolean);
}

/** Whether one name has all words of the other. `id` alone is in the names of too many other things. */
function areSimilar(words: readonly string[], known: readonly string[]): boolean {
  const [fewer, more] = words.length < known.length ? [words, known] : [known, words];
  return fewer.length > 0 && fewer.join() !== 'id' && fewer.every((word) => more.includes(word));
}
