import { ServiceError } from '../../domain/core/errors.ts';

/** Limits of an operation. They allow `departments(first: 20) { members(first: 50) { tags } }`. */
export const OPERATION_LIMITS = {
  depth: 20,
  /** Fields after inlining fragments and merging fields with the same response name. */
  fields: 1_000,
  /** Fields and fragments visited while inlining fragments; a fragment counts each time it is spread. */
  selections: 20_000,
  records: 12_000,
  /** Estimated values in the response. A value that the executor completes counts as {@link COMPLETED_VALUE_WEIGHT}. */
  values: 250_000,
  /**
   * Fields and list items that the executor completes. They are counted during execution, because lists may be longer
   * than estimated. Items of lists of scalars are not counted here, only their characters.
   */
  completedValues: 100_000,
  /** Length of the response's JSON. */
  responseCharacters: 8_000_000,
} as const;

/** The time that the executor takes to complete a value, relative to the time that PostgreSQL takes to serialize it. */
export const COMPLETED_VALUE_WEIGHT = 5;

/** The error for a document or operation that exceeds a limit: 400 `query_too_complex`. */
export function queryTooComplex(message: string): ServiceError {
  return new ServiceError('query_too_complex', message);
}
