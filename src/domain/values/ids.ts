import { randomUUID } from 'node:crypto';
import { fromUUID, typeidUnboxed } from 'typeid-js';
import { MAX_INTEGER } from './numbers.ts';

/**
 * Generates an id: a TypeID, which is a type prefix and a time-ordered UUID (version 7). Ids of persons use a random UUID
 * (version 4) instead: organizations share them, and they must not reveal when a person was first registered.
 */
export function newId(prefix: string): string {
  return prefix === 'mem' ? fromUUID(randomUUID(), prefix) : typeidUnboxed(prefix);
}

/** A UUID in Crockford’s base32, as in TypeIDs. */
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a string is a well-formed id with this prefix. */
export function isId(prefix: string, value: string): boolean {
  return value.startsWith(`${prefix}_`) && SUFFIX.test(value.slice(prefix.length + 1));
}

/** Whether a string looks like an id with this prefix, although it may not be well-formed: `mem_unknown`. */
export function resemblesId(prefix: string, value: string): boolean {
  return value.startsWith(`${prefix}_`) && /^[0-9a-z]{1,64}$/.test(value.slice(prefix.length + 1));
}

/** Returns the value if it is a well-formed id with another prefix; otherwise undefined. */
export function idOfAnotherKind(prefix: string, value: string): string | undefined {
  const [other = ''] = value.split('_', 1);
  return other !== prefix && /^[a-z]+$/.test(other) && isId(other, value) ? value : undefined;
}

/** Parses the integer id of a form or form field; returns undefined if no record can have it. */
export function parseIntegerId(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined;
  const id = Number(text);
  return id <= MAX_INTEGER ? id : undefined;
}
