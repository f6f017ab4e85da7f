import { z } from 'zod';
import type { SelectedFields } from '../domain/core/operation.ts';
import type { Entity, RecordOf } from '../domain/definition/entity.ts';
import {
  type EnumDefinition,
  enumSchema,
  type Field,
  type FieldsByName,
  mapFields,
  type ObjectDefinition,
  shownFields,
} from '../domain/definition/field.ts';
import { MEMBER_INCLUSIONS } from '../domain/entities/member.ts';
import { ENTITIES, type EntityName } from '../domain/entities/registry.ts';
import { MAX_INTEGER } from '../domain/values/numbers.ts';

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

const objectSchemas = new Map<FieldsByName, z.ZodType>();

type RecordShapes = {
  readonly [Name in EntityName]: RecordShape<NodeSchema<RecordOf<(typeof ENTITIES)[Name]['entity']>>>;
};

/** The shapes of records in responses, by the name of their list: `members`. */
export const RECORD_SHAPES = recordShapes();

function recordShapes(): RecordShapes {
  const shapes: Record<string, RecordShape> = {};
  for (const [name, { entity }] of Object.entries(ENTITIES)) {
    const included = name === 'members' ? Object.keys(MEMBER_INCLUSIONS) : [];
    const schemas = included.map((list) => [list, includedSchema(list, (shapes[list] as RecordShape).schema)]);
    shapes[name] = recordShapeOf<unknown>(entity, Object.fromEntries(schemas)) as unknown as RecordShape;
  }
  return shapes as unknown as RecordShapes;
}

function includedSchema(name: string, schema: z.ZodType): z.ZodOptional {
  return z
    .array(schema)
    .optional()
    .meta({ description: `Only with \`include=${name}\`.` });
}

function recordShapeOf<Node>(
  { name, description, fields }: Entity<Node>,
  included: Readonly<Record<string, z.ZodOptional>>,
): RecordShape<NodeSchema<Node>> {
  const shown = shownFields(fields);
  const example = mapFields(shown, ({ example = null }) => example) as z.output<NodeSchema<Node>>;
  return defineRecord(
    z.object(mapFields(shown, schemaOf)) as NodeSchema<Node>,
    {
      id: name,
      description,
      example,
    },
    included,
  );
}

/** The schema of an entity's records in responses. */
type NodeSchema<Node> = z.ZodObject<{ [Name in keyof Node & string]: z.ZodType<Node[Name]> }>;

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

/** Returns the same schema for each use of an object definition, so that OpenAPI has one component for it. */
function objectSchema({ name, description, fields }: ObjectDefinition): z.ZodType {
  const cached = objectSchemas.get(fields);
  if (cached) return cached;
  const schema = z.object(mapFields(fields, schemaOf)).meta({ id: name, description });
  objectSchemas.set(fields, schema);
  return schema;
}

/** The organization of a key. */
export const organizationShape = defineRecord(
  z.object({
    id: z.string().meta({ description: 'The id of the organization.' }),
    name: z.string().meta({ description: 'The name of the organization.' }),
    country: z.string().meta({
      description:
        'ISO 3166-1 alpha-2 country code. Phone numbers without a country code are parsed as numbers of this country.',
    }),
    time_zone: z.string().meta({
      description:
        'The IANA time zone of the organization, for example `America/New_York`. It determines the current date. `UTC` if none was set.',
    }),
  }),
  {
    id: 'Organization',
    description: 'The organization that the API key belongs to. All requests with the key are limited to it.',
    example: {
      id: 'org_01j00000000000000000000001',
      name: 'Cedar Grove Community Church (demo)',
      country: 'US',
      time_zone: 'UTC',
    },
  },
);
