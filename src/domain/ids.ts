import { randomUUID } from 'node:crypto';
import { fromUUID, typeidUnboxed } from 'typeid-js';

const PREFIXES = ['org', 'key', 'adm', 'mem', 'tag', 'dsg', 'dep', 'pry', 'frs', 'evt', 'svc'] as const;

/** The prefix that says what kind of record an id belongs to. */
export type IdPrefix = (typeof PREFIXES)[number];

/**
 * A new id: a type prefix and a time-ordered random part (a TypeID on UUID version 7). A person's is random throughout
 * (UUID version 4): other organizations see it too, and are not to learn when this one registered them.
 */
export function newId(prefix: IdPrefix): string {
  return prefix === 'mem' ? fromUUID(randomUUID(), prefix) : typeidUnboxed(prefix);
}

const ENTROPY = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a string has the shape of an id of one kind; what has not cannot name a record. */
export function isId(prefix: IdPrefix, value: string): boolean {
  return value.startsWith(`${prefix}_`) && ENTROPY.test(value.slice(prefix.length + 1));
}

const RESEMBLES_ID = new RegExp(`^(?:${PREFIXES.join('|')})_[0-9a-z]{1,64}$`);

/** Whether a string was meant as an id of some kind, even where no record can have it: `mem_unknown`. */
export function resemblesId(value: string): boolean {
  return RESEMBLES_ID.test(value);
}
