import { z } from 'zod';

/** What to say of fields that an object does not have, though callers may expect them. */
const refusedFields = new WeakMap<z.ZodType, Readonly<Record<string, string>>>();

/** Says what an error is to say of some fields that an object does not have, by their names. */
export function refuseFields(schema: z.ZodObject, messages: Readonly<Record<string, string>>): void {
  refusedFields.set(schema, messages);
}

/**
 * What to say of an unknown field; undefined where there is nothing to add.
 *
 * @param schema of the whole input.
 * @param path the objects that lead to the one with the field.
 */
export function refusedFieldOf(schema: z.ZodType, path: readonly string[], field: string): string | undefined {
  let object: z.ZodType | undefined = schema;
  for (const name of path) {
    object = object instanceof z.ZodObject && Object.hasOwn(object.shape, name) ? object.shape[name] : undefined;
  }
  const messages = object && refusedFields.get(object);
  return messages && Object.hasOwn(messages, field) ? messages[field] : undefined;
}
