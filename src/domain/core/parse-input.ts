import type { z } from 'zod';
import { notOneOf } from '../values/similar-names.ts';
import { withArticle } from '../values/words.ts';
import { type FieldError, invalidRequest, limitErrors, truncate, withValue } from './errors.ts';
import { MAX_LISTED_ERRORS } from './limits.ts';
import { objectAt, unknownFieldMessages } from './unknown-fields.ts';

interface ParseOptions {
  readonly contextErrors?: ((input: unknown) => readonly FieldError[]) | undefined;
  readonly echoesValues?: boolean;
}

/**
 * Parses an input.
 *
 * @param options.contextErrors returns errors that the schema cannot find. Called only if the schema finds errors, to report all
 *   together.
 * @param options.echoesValues whether messages contain invalid values; false if they can be secret. What was sent instead
 *   of an object as a whole is always in the message.
 * @throws {ServiceError} `invalid_request` with one detail for each invalid field, up to `MAX_LISTED_ERRORS`.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  { contextErrors = () => [], echoesValues = false }: ParseOptions = {},
): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  // Parsing with `reportInput` is ten times slower, and only error messages need it.
  const { error = result.error } = schema.safeParse(input, { reportInput: true, error: defaultMessage });
  const errors = error.issues.flatMap((issue) => fieldErrors(schema, issue, echoesValues));
  throw invalidRequest(...limitErrors([...errors, ...contextErrors(input)]));
}

function fieldErrors(schema: z.ZodType, issue: z.core.$ZodIssue, echoesValues: boolean): FieldError[] {
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
    return issue.issues.flatMap((inner) => fieldErrors(schema, { ...inner, path: issue.path }, echoesValues));
  const field = truncate(path.join('.')) || 'body';
  const isMissing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
  const { message } = issue;
  if (!isMissing) {
    const fields = message === 'must be an object' ? Object.keys(objectAt(schema, path)?.shape ?? {}) : [];
    // A schema can have its own message, such as "must be an object with the field query".
    const isEchoed = echoesValues || (path.length === 0 && message.startsWith('must be an object'));
    const shown = isEchoed ? withValue(message, issue.input) : message;
    const listed = fields.length > 0 ? `; its fields are ${fields.join(', ')}` : '';
    return [{ field, message: `${shown}${listed}${hintForValue(schema, issue)}` }];
  }
  const isSpecific = message.startsWith('must ') && message !== defaultMessage(issue as z.core.$ZodRawIssue);
  return [{ field, message: isSpecific ? `required; ${message}` : 'required' }];
}

/** What is probably meant by JSON in a string instead of an object, and by an object instead of a string. */
function hintForValue(schema: z.ZodType, { code, input, path, message }: z.core.$ZodIssue): string {
  const isJson = typeof input === 'string' && input.trimStart().startsWith('{');
  if (path.length === 0) return isJson ? '; send the object itself, not its JSON in a string' : '';
  const isObject = code === 'invalid_type' && /^must be a string/.test(message) && typeof input === 'object';
  if (!isObject || input === null || Array.isArray(input)) return '';
  const names = Object.keys(objectAt(schema, path.slice(0, -1).map(String))?.shape ?? {});
  const siblings = names.filter((name) => name !== path.at(-1));
  return siblings.length > 0 ? `; the fields beside it are ${siblings.join(', ')}` : '';
}

/** The message for a value of the wrong type or an unknown enum value, unless the schema has its own message. */
function defaultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type')
    return `must be ${withArticle(issue.expected === 'record' ? 'object' : issue.expected)}`;
  return issue.code === 'invalid_value' ? notOneOf(issue.input, issue.values) : undefined;
}
