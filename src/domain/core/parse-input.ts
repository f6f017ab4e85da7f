import type { z } from 'zod';
import { notOneOf } from '../values/similar-names.ts';
import { withArticle } from '../values/words.ts';
import { type FieldError, invalidRequest, limitErrors, truncate } from './errors.ts';
import { MAX_LISTED_ERRORS } from './limits.ts';
import { unknownFieldMessages } from './unknown-fields.ts';

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

function fieldErrors(schema: z.ZodType, issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    // Those beyond the limit are only counted.
    const messages = unknownFieldMessages(schema, path, issue.keys.slice(0, MAX_LISTED_ERRORS), issue.input);
    return issue.keys.map((key, index) => ({
      field: truncate([...path, key].join('.')),
      message: messages[index] ?? 'unknown field',
    }));
  }
  // The message of the issue itself would be that of Zod.
  if (issue.code === 'invalid_key')
    return issue.issues.flatMap((inner) => fieldErrors(schema, { ...inner, path: issue.path }));
  const field = truncate(path.join('.')) || 'body';
  const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
  return [
    { field, message: isMissing ? 'required' : `${issue.message}${path.length === 0 ? sentInstead(issue) : ''}` },
  ];
}

/** What the whole input is instead of an object: an object that was converted to a string is easily overlooked. */
function sentInstead({ code, input }: z.core.$ZodIssue): string {
  if (code !== 'invalid_type') return '';
  return `, not ${input === null ? 'null' : withArticle(Array.isArray(input) ? 'array' : typeof input)}`;
}

/** The message for a value of the wrong type or an unknown enum value, unless the schema has its own message. */
function defaultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type')
    return `must be ${withArticle(issue.expected === 'record' ? 'object' : issue.expected)}`;
  return issue.code === 'invalid_value' ? notOneOf(issue.input, issue.values) : undefined;
}
