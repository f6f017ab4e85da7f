import type { z } from 'zod';
import { withArticle } from '../values/words.ts';
import { type FieldError, invalidRequest, limitErrors, truncate } from './errors.ts';
import { unknownFieldMessage } from './unknown-fields.ts';

/**
 * Parses an input.
 *
 * @param contextErrors returns errors that the schema cannot find. Called only if the schema finds errors.
 * @throws {ServiceError} `invalid_request` with one detail for each invalid field, up to `MAX_LISTED_ERRORS`.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  contextErrors: (input: unknown) => readonly FieldError[] = () => [],
): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  // Parsing with `reportInput` is ten times slower, and only error messages need it.
  const { error = result.error } = schema.safeParse(input, { reportInput: true, error: defaultMessage });
  const errors = error.issues.flatMap((issue) => fieldErrors(schema, issue));
  throw invalidRequest(...limitErrors([...errors, ...contextErrors(input)]));
}

/** Returns a field of an input that is not validated yet; undefined if the input is not an object with this field. */
export function unvalidatedField(input: unknown, name: string): unknown {
  const isObject = typeof input === 'object' && input !== null;
  return isObject && Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
}

/**
 * Returns an error message for a query parameter. If the parameter is repeated, so that its value is an array, the message
 * says that it must be given once.
 */
export function singleValueMessage(message: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => (Array.isArray(input) ? `${message}, given once` : message);
}

function fieldErrors(schema: z.ZodType, issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: truncate([...path, key].join('.')),
      message: unknownFieldMessage(schema, path, key) ?? 'unknown field',
    }));
  }
  // The message of the issue itself would be that of Zod.
  if (issue.code === 'invalid_key')
    return issue.issues.flatMap((inner) => fieldErrors(schema, { ...inner, path: issue.path }));
  const field = truncate(path.join('.')) || 'body';
  const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
  return [{ field, message: isMissing ? 'required' : issue.message }];
}

/** The message for a value of the wrong type or an unknown enum value, unless the schema has its own message. */
function defaultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type')
    return `must be ${withArticle(issue.expected === 'record' ? 'object' : issue.expected)}`;
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : undefined;
}
