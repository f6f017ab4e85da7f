import { z } from 'zod';
import { suggestion, unknownName } from '../values/similar-names.ts';
import { unvalidatedField } from './unvalidated-field.ts';

/** Error messages for unknown fields that callers are likely to send, by schema and field name. */
const messagesBySchema = new WeakMap<z.ZodType, Readonly<Record<string, string>>>();

/** Sets the error messages for unknown fields of an object, by field name. */
export function setUnknownFieldMessages(schema: z.ZodObject, messages: Readonly<Record<string, string>>): void {
  messagesBySchema.set(schema, messages);
}

/**
 * The error message for an unknown field; undefined if none is set.
 *
 * @param schema the schema of the whole input.
 * @param path the names of the fields from the input to the object with the unknown field.
 */
export function unknownFieldMessage(schema: z.ZodType, path: readonly string[], field: string): string | undefined {
  const object = objectAt(schema, path);
  const messages = object && messagesBySchema.get(object);
  return messages && Object.hasOwn(messages, field) ? messages[field] : undefined;
}

/** The number of unknown fields for which similar ones are searched, which takes time for each. */
const MAX_SEARCHED = 10;

/**
 * Returns the error messages for the unknown fields of an object. The first ones suggest similar fields, or list all fields
 * once.
 *
 * @param path see {@link unknownFieldMessage}.
 * @param values the values of the object.
 */
export function unknownFieldMessages(
  schema: z.ZodType,
  path: readonly string[],
  fields: readonly string[],
  values: unknown,
): readonly string[] {
  const names = Object.keys(objectAt(schema, path)?.shape ?? {});
  let isListed = names.length === 0;
  return fields.map((field, index) => {
    const message = unknownFieldMessage(schema, path, field);
    if (message !== undefined) return message;
    const value = unvalidatedField(values, field);
    if (names.some((name) => unvalidatedField(value, name) !== undefined)) {
      return 'unknown field; send the fields inside it directly';
    }
    const hint = index < MAX_SEARCHED ? suggestion(field, names) : '';
    if (hint || isListed) return `unknown field${hint}`;
    isListed = true;
    return unknownName('field', field, names);
  });
}

/** The schema of the object at a path; undefined if it is not a plain object. */
function objectAt(schema: z.ZodType, path: readonly string[]): z.ZodObject | undefined {
  let object: z.ZodType | undefined = schema;
  for (const name of path) {
    object = object instanceof z.ZodObject && Object.hasOwn(object.shape, name) ? object.shape[name] : undefined;
  }
  return object instanceof z.ZodObject ? object : undefined;
}
