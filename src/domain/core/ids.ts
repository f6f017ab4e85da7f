import { randomUUID } from 'node:crypto';
import { fromUUID, typeidUnboxed } from 'typeid-js';

/**
 * A new id: a type prefix and a time-ordered random part (a TypeID on UUID version 7). A person's is random throughout
 * (UUID version 4): other organizations see it too, and are not to learn when this one registered them.
 */
export function newId(prefix: string): string {
  return prefix === 'mem' ? fromUUID(randomUUID(), prefix) : typeidUnboxed(prefix);
}

const ENTROPY = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a string has the shape of an id of one kind; what has not cannot name a record. */
export function isId(prefix: string, value: string): boolean {
  return value.startsWith(`${prefix}_`) && ENTROPY.test(value.slice(prefix.length + 1));
}

/** Whether a string was meant as an id with this prefix, even if no record can have it: `mem_unknown`. */
export function resemblesId(prefix: string, value: string): boolean {
  return value.startsWith(`${prefix}_`) && /^[0-9a-z]{1,64}$/.test(value.slice(prefix.length + 1));
}

/** The id, if it is one of another kind of record than `prefix` is of. */
export function idOfAnotherKind(prefix: string, value: string): string | undefined {
  const [other = ''] = value.split('_', 1);
  return other !== prefix && /^[a-z]+$/.test(other) && isId(other, value) ? value : undefined;
}
