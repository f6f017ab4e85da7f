import type { GraphQLLeafType } from 'graphql';

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

/** Characters around a value in JSON: the quotes of its key and of the value, a colon and a comma. */
const PUNCTUATION = 6;

/** Estimates the length of a serialized value in JSON, accurately enough for a limit. */
export function estimateCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length + PUNCTUATION;
  if (typeof value !== 'object' || value === null) return PUNCTUATION;
  return JSON.stringify(value).length + PUNCTUATION;
}
