import { z } from 'zod';

/** The values of an enum with their descriptions. */
export interface EnumDefinition<Value extends string = string> {
  readonly name: string;
  readonly description: string;
  readonly values: Readonly<Record<Value, string>>;
  /** Whether the OpenAPI document has a component for the enum, instead of repeating the values in each field. */
  readonly isComponent?: boolean;
}

const enumSchemas = new Map<EnumDefinition, z.ZodType>();

/** Returns the same schema for each use of an enum definition. */
export function enumSchema(definition: EnumDefinition): z.ZodType {
  const cached = enumSchemas.get(definition);
  if (cached) return cached;
  const { name, description, values, isComponent } = definition;
  const schema = z.enum(Object.keys(values));
  const shared = isComponent ? schema.meta({ id: name, description }) : schema;
  enumSchemas.set(definition, shared);
  return shared;
}
