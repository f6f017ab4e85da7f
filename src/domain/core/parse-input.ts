import { z } from 'zod';
import { foldName } from '../values/column-names.ts';
import { MAX_LISTED_ERRORS } from '../values/limits.ts';
import { synonymsIn } from '../values/other-names.ts';
import { notOneOf, similarNames, suggestion, unknownName } from '../values/similar-names.ts';
import { truncate, withArticle, withValue } from '../values/words.ts';
import { type FieldError, invalidRequest, limitErrors } from './errors.ts';

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

/** Error messages for unknown fields that callers are likely to send, by schema and folded field name. */
const messagesBySchema = new WeakMap<z.ZodType, ReadonlyMap<string, string>>();

/** Sets the error messages for unknown fields of an object, by field names that are separated by spaces. */
export function setUnknownFieldMessages(schema: z.ZodObject, messages: Readonly<Record<string, string>>): void {
  const entries = Object.entries(messages).flatMap(([names, message]) =>
    names.split(' ').map((name) => [foldName(name), message] as const),
  );
  messagesBySchema.set(schema, new Map(entries));
}

/** The error message that is set for an unknown field of an object, in any notation; undefined if none is. */
export function unknownFieldMessage(object: z.ZodType, field: string): string | undefined {
  return messagesBySchema.get(object)?.get(foldName(field));
}

const IDEMPOTENCY_KEY = /^(?:idempotency_?key|client_?(?:mutation|request)_?id)$/i;

/** The number of unknown fields for which similar ones are searched, which takes time for each. */
const MAX_SEARCHED = 10;

/**
 * Returns the error messages for the unknown fields of an object. The first ones suggest similar fields, or list all fields
 * once.
 *
 * @param schema the schema of the whole input.
 * @param path the names of the fields from the input to the object.
 * @param values the values of the object.
 */
function unknownFieldMessages(
  schema: z.ZodType,
  path: readonly string[],
  fields: readonly string[],
  values: unknown,
): readonly string[] {
  const object = objectAt(schema, path);
  const messages = object && messagesBySchema.get(object);
  const knownFields = [...(messages?.keys() ?? [])];
  const names = Object.keys(object?.shape ?? {});
  let isListed = names.length === 0;
  return fields.map((field, index) => {
    if (IDEMPOTENCY_KEY.test(field)) return 'unknown field; send it as the header Idempotency-Key';
    const value = unvalidatedField(values, field);
    // A list of objects with a known name, such as `emails`, has the values of that field.
    const isOther = index >= MAX_SEARCHED || !Array.isArray(value) || similarNames(field, names).length === 0;
    const inner = isOther ? fieldInside(value, names) : undefined;
    // An object beside fields of the same names, such as `spouse`, is another record.
    if (inner !== undefined && unvalidatedField(values, inner) === undefined)
      return `unknown field; send the fields inside it directly, as in {"${inner}": …}`;
    const message = object && unknownFieldMessage(object, field);
    if (message !== undefined) return message;
    const hint = index < MAX_SEARCHED ? suggestion(field, names) : '';
    // The id of another record is no other name of `id`.
    const isForeign = /^(?!object)\w+(?:_id|Id)$/.test(field);
    const [known] = hint || isForeign || index >= MAX_SEARCHED ? [] : synonymsIn(field, knownFields);
    if (known !== undefined) return messages?.get(known) as string;
    if (hint || isListed) return `unknown field${hint}`;
    isListed = true;
    return unknownName('field', field, names);
  });
}

/** The first field of the object inside a value of other APIs, as in `{ data: [{ attributes: { first_name } }] }`. */
function fieldInside(value: unknown, names: readonly string[]): string | undefined {
  const objects = [value, unvalidatedField(value, '0')].flatMap((one) => [
    one,
    ...['attributes', 'fields'].map((name) => unvalidatedField(one, name)),
  ]);
  return names.find((name) => objects.some((object) => unvalidatedField(object, name) !== undefined));
}

/** The schema of the object at a path; undefined if it is not a plain object. */
function objectAt(schema: z.ZodType, path: readonly string[]): z.ZodObject | undefined {
  let object: z.ZodType | undefined = schema;
  for (const name of path) {
    object = object instanceof z.ZodObject && Object.hasOwn(object.shape, name) ? object.shape[name] : undefined;
  }
  return object instanceof z.ZodObject ? object : undefined;
}

/** Returns a field of an input that is not validated yet; undefined if the input is not an object with this field. */
export function unvalidatedField(input: unknown, name: string): unknown {
  const isObject = typeof input === 'object' && input !== null;
  return isObject && Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
}
