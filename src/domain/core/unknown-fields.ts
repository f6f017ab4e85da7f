import { z } from 'zod';

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
  let object: z.ZodType | undefined = schema;
  for (const name of path) {
    object = object instanceof z.ZodObject && Object.hasOwn(object.shape, name) ? object.shape[name] : undefined;
  }
  const messages = object && messagesBySchema.get(object);
  return messages && Object.hasOwn(messages, field) ? messages[field] : undefined;
}
