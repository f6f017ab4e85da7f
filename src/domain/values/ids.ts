import { randomUUID } from 'node:crypto';
import { fromUUID, typeidUnboxed } from 'typeid-js';
import { MAX_INTEGER } from './numbers.ts';
import { quote, withArticle } from './words.ts';

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

/** The number of characters after the prefix and `_`. */
const SUFFIX_CHARACTERS = 26;

/** Returns what the ids of a prefix look like, unlike a value: `begins with mem_ and has 30 characters, for example mem_01j…`. */
function formatOfIds(prefix: string, value: string): string {
  const example = `${prefix}_01j${'1'.padStart(SUFFIX_CHARACTERS - 3, '0')}`;
  const isOfLength = value.startsWith(`${prefix}_`) && value.length === example.length;
  return isOfLength
    ? `has only digits and the letters a to z without i, l, o and u after ${prefix}_, the first from 0 to 7, for example ${example}`
    : `begins with ${prefix}_ and has ${example.length} characters, for example ${example}`;
}

/**
 * Returns what is wrong with a text as an id; undefined if it is a well-formed id with the prefix.
 *
 * @param noun the type of record: `member`.
 * @param plural its plural, `prayer_requests`, to say where the ids of records are.
 */
export function idProblem(prefix: string, noun: string, value: string, plural?: string): string | undefined {
  if (isId(prefix, value)) return undefined;
  const problem = `${quote(value)} is not ${withArticle(noun)} id, which ${formatOfIds(prefix, value)}`;
  return plural === undefined || resemblesId(prefix, value) ? problem : `${problem}; ${findsIds(plural)}`;
}

/** Returns what is wrong with a text as the integer id of a form; undefined if it is one. */
export function formIdProblem(value: string): string | undefined {
  if (/^(?:0|[1-9]\d*)$/.test(value)) return undefined;
  return `${quote(value)} is not a form id, which is an integer, for example 12`;
}

/**
 * Returns the message for a value in a list of ids that is not a well-formed id with the prefix.
 *
 * @param plural the plural of the type of record, if the ids are those of another list.
 */
export function notAnIdOf(prefix: string, value: unknown, plural?: string): string {
  const text = String(value);
  const problem = `${quote(text)} is not an id that ${formatOfIds(prefix, text)}`;
  return plural === undefined || resemblesId(prefix, text) ? problem : `${problem}; ${findsIds(plural)}`;
}

/** Says which request finds ids. @param plural the plural of the type of record: `prayer_requests`. */
export function findsIds(plural: string): string {
  const field = plural.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return `GET /v1/${plural.replaceAll('_', '-')}?q=… (GraphQL: ${field}(search: …)) finds their ids`;
}

/** Parses the integer id of a form or form field; returns undefined if no record can have it. */
export function parseIntegerId(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined;
  const id = Number(text);
  return id <= MAX_INTEGER ? id : undefined;
}
