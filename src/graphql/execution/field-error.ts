import { GraphQLError, getLocation, type SourceLocation } from 'graphql';
import type { NormalField } from './normal-form.ts';

/** The path of an error in the response: names of fields and indexes of list items. */
export type PathKeys = readonly (string | number)[];

/** How many locations in the document an error lists. */
const MAX_LOCATIONS = 10;

/**
 * An error of one field of a response. Its locations are computed once per field: to find one, graphql-js counts the
 * lines of the document, and a field may fail for thousands of records.
 */
export class FieldError extends GraphQLError {
  override readonly locations: readonly SourceLocation[] | undefined;

  constructor(cause: unknown, field: NormalField, path: PathKeys) {
    const originalError = cause instanceof Error ? cause : new Error(String(cause));
    super(originalError.message, { originalError, path });
    this.locations = locationsOf(field);
  }
}

const locationsByField = new WeakMap<NormalField, readonly SourceLocation[]>();

function locationsOf(field: NormalField): readonly SourceLocation[] {
  let locations = locationsByField.get(field);
  if (!locations) {
    locations = field.nodes
      .slice(0, MAX_LOCATIONS)
      .flatMap(({ loc }) => (loc ? [getLocation(loc.source, loc.start)] : []));
    locationsByField.set(field, locations);
  }
  return locations;
}
