import type { GraphQLLeafType } from 'graphql';
import { isPromise } from './maybe-promise.ts';

/**
 * Serializes a scalar or enum value for the response.
 *
 * @throws {Error} if the value cannot be serialized. This is an internal error; a `GraphQLError` would be reported as an
 *   error of the request.
 */
export function serializeLeaf(type: GraphQLLeafType, value: unknown): unknown {
  try {
    const serialized = type.serialize(value);
    if (serialized != null) return serialized;
  } catch (cause) {
    throw new Error(`${type.name} cannot be serialized`, { cause });
  }
  throw new Error(`${type.name} was serialized to null`);
}

/**
 * Serializes a list of scalar or enum values without a path for each item, which takes a tenth of the time.
 *
 * @returns undefined if an item is null, an error or a promise, or cannot be serialized, because such items need their
 *   paths.
 */
export function serializeLeafList(type: GraphQLLeafType, list: readonly unknown[]): unknown[] | undefined {
  if (list.some((item) => item == null || item instanceof Error || isPromise(item))) return undefined;
  try {
    return list.map((item) => serializeLeaf(type, item));
  } catch {
    return undefined;
  }
}

/** Characters around a value in JSON: the quotes of its key and of the value, a colon and a comma. */
const PUNCTUATION = 6;

/** Estimates the length of a serialized value in JSON, accurately enough for a limit. */
export function estimateCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length + PUNCTUATION;
  if (typeof value !== 'object' || value === null) return PUNCTUATION;
  return JSON.stringify(value).length + PUNCTUATION;
}
