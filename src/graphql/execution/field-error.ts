import { GraphQLError, type SourceLocation } from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import { locationOf, locationsOf } from '../operation/locations.ts';
import type { NormalField } from '../operation/normal-form.ts';

/** The response path of an error: response names and list indexes. */
export type PathKeys = readonly (string | number)[];

/** Maximum number of document locations that an error lists. */
const MAX_LOCATIONS = 10;

/**
 * An error of one response field. The locations are computed once per field, because a field may fail for thousands of
 * records.
 */
class FieldError extends GraphQLError {
  override readonly locations: readonly SourceLocation[] | undefined;

  constructor(cause: unknown, field: NormalField, path: PathKeys) {
    const originalError = cause instanceof Error ? cause : new Error(String(cause));
    super(originalError.message, { originalError, path });
    // An error of an argument already has the locations of the argument.
    this.locations = (cause instanceof GraphQLError && locationsOf(cause)) || locationsOfField(field);
  }
}

const locationsOfField = memoize(({ nodes }: NormalField): readonly SourceLocation[] =>
  nodes.slice(0, MAX_LOCATIONS).flatMap(({ loc }) => (loc ? (locationOf(loc) ?? []) : [])),
);

/** Locates an error at a field. An error that was located before, at a subfield or list item, is returned unchanged. */
export function locatedError(error: unknown, field: NormalField, path: () => PathKeys): GraphQLError {
  return error instanceof FieldError ? error : new FieldError(error, field, path());
}

/** A schema coordinate: `Member.firstName`. */
export function coordinateOf({ parentType, definition }: NormalField): string {
  return `${parentType.name}.${definition.name}`;
}
