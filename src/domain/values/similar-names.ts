import { foldName } from './column-names.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from './limits.ts';
import { synonymsIn } from './other-names.ts';
import { alternatives } from './words.ts';

/** How a name can mean another, the more certain first; a name that is only partly the same, such as `status`, means no other. */
const MATCHES: readonly ((name: string, names: readonly string[]) => readonly string[])[] = [
  sameNames,
  synonymsIn,
  (name, names) => names.filter((one) => stemOf(name) !== '' && stemOf(name) === stemOf(one)),
  (name, names) => names.filter((one) => isMisspelling(foldName(name), foldName(one))),
];

/** Those of `names` that differ at most in notation: `first_name` and `firstName`. */
export function sameNames(name: string, names: readonly string[]): readonly string[] {
  return names.filter((one) => foldName(one) === foldName(name));
}

/**
 * Returns the names that a caller certainly meant: that of another notation (`firstName`), those for which other APIs use the
 * name (`dob`), those of the same words in singular or plural or without a verb (`list_members`), or a misspelled one.
 */
export function similarNames(name: string, names: readonly string[]): readonly string[] {
  if (name.length > MAX_SHORT_TEXT_CHARACTERS) return [];
  for (const match of MATCHES) {
    const found = match(name, names);
    if (found.length > 0) return found;
  }
  return [];
}

/** The words of a name, in singular, without those that other APIs add: `member` for `getMembers` and `member_by_pk`. */
function stemOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/s?[^\p{L}\p{N}]+/gu, ' ')
    .replace(/s$/, '')
    .trim()
    .replace(/^(?:get|list|all|fetch|find|search|query|load|read) (?=.)/, '')
    .replace(/(?<=.) (?:connection|collection|list|search|query|aggregate|by .*)$/, '');
}

/** The minimum length of a name that one other character does not make another word, as in `forums` and `forms`. */
const MIN_MISSPELLED_CHARACTERS = 7;

/** Whether a name differs by one letter, left out, added, replaced or exchanged with the next, after the first one. */
function isMisspelling(name: string, other: string): boolean {
  if (Math.min(name.length, other.length) < MIN_MISSPELLED_CHARACTERS || /\d/.test(name)) return false;
  const at = [...name].findIndex((letter, index) => letter !== other[index]);
  const start = at === -1 ? name.length : at;
  const [rest, otherRest] = [name.slice(start), other.slice(start)];
  const exchanged = `${rest[1]}${rest[0]}${rest.slice(2)}`;
  const isOne = [rest.slice(1) === otherRest.slice(1), rest.slice(1) === otherRest, rest === otherRest.slice(1)];
  return start > 0 && (isOne.includes(true) || exchanged === otherRest);
}

/** Returns the part of a message that suggests similar names; empty if there are none. */
export function suggestion(name: string, names: readonly string[]): string {
  const similar = similarNames(name, names);
  return similar.length > 0 ? `; did you mean ${alternatives(similar)}?` : '';
}

/** Returns the message for a name that does not exist. @param kind what it names: `field`. */
export function unknownName(kind: string, name: string, names: readonly string[]): string {
  return `unknown ${kind}${suggestion(name, names) || `; ${listOf(kind, names)}`}`;
}

/** Returns the part of a message that lists the names that exist. */
export function listOf(kind: string, names: readonly string[]): string {
  return names.length === 1 ? `the only ${kind} is ${names[0]}` : `use ${names.join(', ')}`;
}

/** Returns the message for a value that is not one of several. */
export function notOneOf(value: unknown, values: readonly unknown[]): string {
  const names = values.map(String);
  return `must be one of ${names.join(', ')}${typeof value === 'string' ? suggestion(value, names) : ''}`;
}
