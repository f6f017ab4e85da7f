import { ServiceError } from '../../domain/core/errors.ts';

/**
 * Limits of a document. Checked before validation, because the time of validation grows with the square of the number
 * of repeated fields. The table "Bounds" in docs/architecture.md has the attack that each limit is for.
 */
export const DOCUMENT_LIMITS = {
  tokens: 4_000,
  /** Levels of parentheses, brackets and braces. The parser is recursive. */
  nesting: 200,
  fields: 1_000,
  aliases: 60,
  directives: 50,
  fragments: 100,
  /** Fields with the same response name that have arguments or a selection set; validation compares them pairwise. */
  sameNameFields: 100,
  /** The length of an alias, which the response repeats for each record. */
  aliasCharacters: 255,
} as const;

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
  /** The size of introspection, relative to the standard query, of which tools send different variants. */
  introspection: 1.5,
  /** Objects in lists without pages, such as answers. They are counted when they are read: the estimate may be too low. */
  items: 25_000,
  /** Length of the response: of records that PostgreSQL serializes when they are read, and of other values at the end. */
  responseCharacters: 8_000_000,
} as const;

/** The time that graphql-js takes to complete a value, relative to the time that PostgreSQL takes to serialize it. */
export const COMPLETED_VALUE_WEIGHT = 5;

/** The maximum number of errors that are listed. A short document can have thousands of them, each of which takes time. */
export const ERROR_LIMITS = {
  validation: 20,
  /** Further values of variables are not coerced. */
  variables: 10,
  execution: 100,
} as const;

/** The error for a document or operation that exceeds a limit: 400 `query_too_complex`. */
export function queryTooComplex(message: string): ServiceError {
  return new ServiceError('query_too_complex', message);
}
