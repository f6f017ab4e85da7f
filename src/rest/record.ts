import { z } from 'zod';
import type { Fields } from '../domain/lists/projection.ts';

/**
 * A kind of record as REST shows it. Its schema is the one place where its shape is written: the whitelist
 * follows from it, and the description at `/openapi.json`.
 */
export interface RecordShape<Schema extends z.ZodObject = z.ZodObject> {
  readonly schema: Schema;
  /** What is read of it: the fields of the schema, in their order, under their own names. */
  readonly fields: Fields;
  /** One that the demo organization has. */
  readonly example: z.output<Schema>;
  /** A copy that has exactly the fields of the schema, those of objects inside too. Nothing is checked. */
  present(record: DeepReadonly<z.output<Schema>>): z.output<Schema>;
}

/** What may be read of a value, and not changed, down to its leaves. */
type DeepReadonly<Value> = Value extends object ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> } : Value;

/** What the description of the REST API says of a kind of record. */
interface RecordText<Schema extends z.ZodObject> {
  /** Its name among the components of the description. */
  readonly id: string;
  readonly description: string;
  /** One that the demo organization has. */
  readonly example: z.output<Schema>;
}

/** Makes the shape of a kind of record; what presenting needs to know is found out once. */
export function defineRecord<Schema extends z.ZodObject>(
  schema: Schema,
  { id, description, example }: RecordText<Schema>,
): RecordShape<Schema> {
  return {
    schema: schema.meta({ id, description, examples: [example] }),
    example,
    fields: Object.fromEntries(Object.keys(schema.shape).map((field) => [field, field])),
    present: copyOfObject(schema) as RecordShape<Schema>['present'],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: values are of the shape that the schema says
type Copy = (value: any) => unknown;

/** How a value is copied; undefined where it goes out as it is, because no object of known fields is in it. */
function copyOf(schema: unknown): Copy | undefined {
  if (schema instanceof z.ZodObject) return copyOfObject(schema);
  if (schema instanceof z.ZodNullable) {
    const copy = copyOf(schema.unwrap());
    return copy && ((value) => (value === null ? null : copy(value)));
  }
  if (schema instanceof z.ZodArray) {
    const copy = copyOf(schema.element);
    return copy && ((values: readonly unknown[]) => values.map((value) => copy(value)));
  }
  return undefined;
}

function copyOfObject(schema: z.ZodObject): Copy {
  const fields = Object.entries(schema.shape).map(([name, field]) => ({ name, copy: copyOf(field) }));
  return (record) => {
    const shown: Record<string, unknown> = {};
    for (const { name, copy } of fields) shown[name] = copy ? copy(record[name]) : record[name];
    return shown;
  };
}
