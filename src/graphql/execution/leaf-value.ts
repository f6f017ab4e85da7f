import type { GraphQLLeafType } from 'graphql';

/**
 * A scalar or enum value as it stands in the response.
 *
 * @throws {Error} for a value that does not fit: a fault of the service, not of the request, as which a `GraphQLError`
 *   would be reported.
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

/** Characters around a value in JSON: quotes of the key and the value, a colon and a comma. */
const PUNCTUATION = 6;

/** About how many characters of JSON a serialized value has; exact enough for a limit. */
export function estimateCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length + PUNCTUATION;
  if (typeof value !== 'object' || value === null) return PUNCTUATION;
  return JSON.stringify(value).length + PUNCTUATION;
}
