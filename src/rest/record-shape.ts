import { z } from 'zod';
import type { SelectedFields } from '../domain/records/projection.ts';

/** The shape of an entity's records in the REST API. The fields to read are derived from the schema. */
export interface RecordShape<Schema extends z.ZodObject = z.ZodObject> {
  readonly schema: Schema;
  /** The fields to read: those of the schema, in the same order. */
  readonly fields: SelectedFields;
  /** A record of the demo organization. */
  readonly example: z.output<Schema>;
  /** Returns a copy with exactly the fields of the schema, in nested objects too. Values are not validated. */
  present(record: z.output<Schema>): z.output<Schema>;
}

/**
 * Defines a record shape. The copy function is compiled from the schema once.
 *
 * @param metadata.id the name of the component in OpenAPI.
 * @param metadata.example a record of the demo organization.
 */
export function defineRecord<Schema extends z.ZodObject>(
  schema: Schema,
  metadata: { readonly id: string; readonly description: string; readonly example: z.output<Schema> },
): RecordShape<Schema> {
  const { id, description, example } = metadata;
  return {
    schema: schema.meta({ id, description, examples: [example] }),
    example,
    fields: Object.fromEntries(Object.keys(schema.shape).map((field) => [field, field])),
    present: objectCopierOf(schema) as RecordShape<Schema>['present'],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: values match the schema that the function was compiled from
type Copy = (value: any) => unknown;

/** Returns a function that copies the values of a schema; undefined if values without declared fields need no copy. */
function copierOf(schema: unknown): Copy | undefined {
  if (schema instanceof z.ZodObject) return objectCopierOf(schema);
  if (schema instanceof z.ZodNullable) {
    const copy = copierOf(schema.unwrap());
    return copy && ((value) => (value === null ? null : copy(value)));
  }
  if (schema instanceof z.ZodArray) {
    const copy = copierOf(schema.element);
    return copy && ((values: readonly unknown[]) => values.map((value) => copy(value)));
  }
  return undefined;
}

function objectCopierOf(schema: z.ZodObject): Copy {
  const fields = Object.entries(schema.shape).map(([name, field]) => ({ name, copy: copierOf(field) }));
  return (record) => {
    const presented: Record<string, unknown> = {};
    for (const { name, copy } of fields) presented[name] = copy ? copy(record[name]) : record[name];
    return presented;
  };
}
