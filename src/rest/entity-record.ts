import { z } from 'zod';
import type { Entity } from '../domain/definition/entity.ts';
import {
  type EnumDefinition,
  enumSchema,
  type Field,
  type FieldsByName,
  MAX_INTEGER,
  mapFields,
  type ObjectDefinition,
} from '../domain/definition/field.ts';
import { defineRecord, type RecordShape } from './record.ts';

/** The shape of an entity's records in REST. */
export function recordOf<Node>({ name, description, fields }: Entity<Node>): RecordShape<NodeSchema<Node>> {
  const shown = Object.fromEntries(Object.entries<Field>(fields).filter(([, { hidden }]) => !hidden));
  const example = mapFields(shown, ({ example = null }) => example) as z.output<NodeSchema<Node>>;
  return defineRecord(z.object(mapFields(shown, schemaOf)) as NodeSchema<Node>, { id: name, description, example });
}

/** The schema of records as responses have them. */
export type NodeSchema<Node> = z.ZodObject<{ [Name in keyof Node & string]: z.ZodType<Node[Name]> }>;

function schemaOf(field: Field): z.ZodType {
  const schema = valueSchema(field);
  const nullable = field.nullable ? schema.nullable() : schema;
  return field.type === 'enum' ? nullable.describe(field.description) : nullable;
}

function valueSchema({ type, description, values, object }: Field): z.ZodType {
  switch (type) {
    case 'date':
      return z.string().meta({ description, format: 'date' });
    case 'timestamp':
      return z.string().meta({ description, format: 'date-time' });
    case 'boolean':
      return z.boolean().meta({ description });
    case 'count':
      return z.int().min(0).max(MAX_INTEGER).meta({ description });
    case 'integerId':
      return z.int().min(1).max(MAX_INTEGER).meta({ description });
    case 'enum':
      return enumSchema(values as EnumDefinition);
    case 'texts':
    case 'ids':
      return z.array(z.string()).meta({ description });
    case 'object':
      return objectSchema(object as ObjectDefinition);
    case 'objects':
      return z.array(objectSchema(object as ObjectDefinition)).meta({ description });
    case 'json':
      return z.record(z.string(), z.unknown()).meta({ description });
    default:
      return z.string().meta({ description });
  }
}

const objectSchemas = new Map<FieldsByName, z.ZodType>();

/** The schema of an object, the same for each use of its definition: OpenAPI names it once. */
function objectSchema({ name, description, fields }: ObjectDefinition): z.ZodType {
  const known = objectSchemas.get(fields);
  if (known) return known;
  const schema = z.object(mapFields(fields, schemaOf)).meta({ id: name, description });
  objectSchemas.set(fields, schema);
  return schema;
}
