import { z } from 'zod';
import { foldName } from '../values/column-names.ts';
import { synonymsIn } from '../values/other-names.ts';
import { similarNames, suggestion, unknownName } from '../values/similar-names.ts';
import { unvalidatedField } from './unvalidated-field.ts';

/** Error messages for unknown fields that callers are likely to send, by schema and folded field name. */
const messagesBySchema = new WeakMap<z.ZodType, ReadonlyMap<string, string>>();

/** Sets the error messages for unknown fields of an object, by field names that are separated by spaces. */
export function setUnknownFieldMessages(schema: z.ZodObject, messages: Readonly<Record<string, string>>): void {
  const entries = Object.entries(messages).flatMap(([names, message]) =>
    names.split(' ').map((name) => [foldName(name), message] as const),
  );
  messagesBySchema.set(schema, new Map(entries));
}

/**
 * The error message for an unknown field, in any notation; undefined if none is set.
 *
 * @param schema the schema of the whole input.
 * @param path the names of the fields from the input to the object with the unknown field.
 */
export function unknownFieldMessage(schema: z.ZodType, path: readonly string[], field: string): string | undefined {
  const object = objectAt(schema, path);
  return object && messagesBySchema.get(object)?.get(foldName(field));
}

const IDEMPOTENCY_KEY = /^(?:idempotency_?key|client_?(?:mutation|request)_?id)$/i;

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
  const knownFields = [...(messagesBySchema.get(objectAt(schema, path) ?? schema)?.keys() ?? [])];
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
    const message = unknownFieldMessage(schema, path, field);
    if (message !== undefined) return message;
    const hint = index < MAX_SEARCHED ? suggestion(field, names) : '';
    // The id of another record is no other name of `id`.
    const isForeign = /^(?!object)\w+(?:_id|Id)$/.test(field);
    const [known] = hint || isForeign || index >= MAX_SEARCHED ? [] : synonymsIn(field, knownFields);
    if (known !== undefined) return unknownFieldMessage(schema, path, known) as string;
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
export function objectAt(schema: z.ZodType, path: readonly string[]): z.ZodObject | undefined {
  let object: z.ZodType | undefined = schema;
  for (const name of path) {
    object = object instanceof z.ZodObject && Object.hasOwn(object.shape, name) ? object.shape[name] : undefined;
  }
  return object instanceof z.ZodObject ? object : undefined;
}
