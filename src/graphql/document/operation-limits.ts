import { ServiceError } from '../../domain/core/errors.ts';

/** Limits of an operation. They allow `departments(first: 20) { members(first: 50) { tags } }`. */
export const OPERATION_LIMITS = {
  depth: 20,
  /** Fields after inlining fragments and merging fields with the same response name. */
  fields: 1_000,
  /** Fields and fragments visited while inlining fragments; a fragment counts each time it is spread. */
  selections: 20_000,
  records: 12_000,
  /** Estimated values in the response. A value that graphql-js completes counts as {@link COMPLETED_VALUE_WEIGHT}. */
  values: 250_000,
  /** Objects in lists without pages, such as answers. They are counted when they are read: the estimate may be too low. */
  items: 25_000,
  /** Length of the response: of records that PostgreSQL serializes when they are read, and of other values at the end. */
  responseCharacters: 8_000_000,
} as const;

/** Maximum number of errors listed in a result. */
export const MAX_ERRORS = 100;

/** The time that graphql-js takes to complete a value, relative to the time that PostgreSQL takes to serialize it. */
export const COMPLETED_VALUE_WEIGHT = 5;

/** The error for a document or operation that exceeds a limit: 400 `query_too_complex`. */
export function queryTooComplex(message: string): ServiceError {
  return new ServiceError('query_too_complex', message);
}
