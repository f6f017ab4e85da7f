import { GraphQLError, getLocation, type SourceLocation } from 'graphql';
import type { NormalField } from './normal-form.ts';

/** A path in a response, as errors have it. */
export type ResponsePath = readonly (string | number)[];

/** How many places in the document an error names. */
const MAX_LOCATIONS = 10;

/**
 * An error of one field of a response. graphql-js computes the locations of each error anew, by counting the lines of
 * the document; a field that fails for a thousand records has the same ones.
 */
export class FieldError extends GraphQLError {
  override readonly locations: readonly SourceLocation[] | undefined;

  constructor(cause: unknown, field: NormalField, path: ResponsePath) {
    const originalError = cause instanceof Error ? cause : new Error(String(cause));
    super(originalError.message, { originalError, path });
    this.locations = locationsOf(field);
  }
}

const known = new WeakMap<NormalField, readonly SourceLocation[]>();

function locationsOf(field: NormalField): readonly SourceLocation[] {
  let locations = known.get(field);
  if (!locations) {
    locations = field.nodes
      .slice(0, MAX_LOCATIONS)
      .flatMap(({ loc }) => (loc ? [getLocation(loc.source, loc.start)] : []));
    known.set(field, locations);
  }
  return locations;
}
