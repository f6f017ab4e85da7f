import type { z } from 'zod';
import type { SelectedFields } from '../domain/records/selected-fields.ts';

/** The shape of an entity's records in the REST API. */
export interface RecordShape<Schema extends z.ZodObject = z.ZodObject> {
  readonly schema: Schema;
  /** The fields to read: those of the schema, in the same order. */
  readonly fields: SelectedFields;
  /** A record of the demo organization. */
  readonly example: z.output<Schema>;
}

/**
 * Defines a record shape.
 *
 * @param metadata.id the name of the component in OpenAPI.
 * @param included the schemas of related records, which only some responses have.
 */
export function defineRecord<Schema extends z.ZodObject>(
  schema: Schema,
  metadata: { readonly id: string; readonly description: string; readonly example: z.output<Schema> },
  included: Readonly<Record<string, z.ZodOptional>> = {},
): RecordShape<Schema> {
  const { id, description, example } = metadata;
  return {
    schema: (schema.extend(included) as z.ZodObject as Schema).meta({ id, description, examples: [example] }),
    example,
    fields: Object.fromEntries(Object.keys(schema.shape).map((field) => [field, field])),
  };
}
