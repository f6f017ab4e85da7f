import type { ZodOpenApiOverride } from 'zod-openapi';

/**
 * Adjusts the JSON Schema that zod generates:
 * - Dates and times have a format instead of a long pattern.
 * - Response objects allow additional properties, because new fields must not break clients that validate responses.
 * - The values of an object's example become the examples of its properties.
 */
export const override: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  if (jsonSchema.format === 'date' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // Some tools reject an object without properties.
  if (jsonSchema.type === 'object') jsonSchema.properties ??= {};
  if (zodSchema._zod.def.type !== 'object') return;
  if (io === 'output') delete jsonSchema.additionalProperties;
  const [example] = jsonSchema.examples ?? [];
  for (const [name, property] of Object.entries(jsonSchema.properties ?? {})) {
    const value = (example as Record<string, unknown> | undefined)?.[name];
    if (value != null && typeof property === 'object' && !property.$ref) property.examples ??= [value];
  }
};

/** Types that can be combined with null in `type`. For enums, arrays and objects, client generators ignore the null. */
const SCALARS = ['string', 'integer', 'number', 'boolean'];

/** Returns the document with `type: [scalar, null]` instead of the longer `anyOf` of a scalar and null. */
export function withNullableScalars<Document extends object>(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (_key, value) => {
    // zod-openapi keeps the metadata of a parameter beside a reference.
    if (value?.$ref && value.param) return { $ref: value.$ref };
    const [type, none, ...others] = value?.anyOf ?? [];
    if (!SCALARS.includes(type?.type) || type.enum || none?.type !== 'null' || others.length > 0) return value;
    const { anyOf: _, ...rest } = value;
    return { ...type, ...rest, type: [type.type, 'null'] };
  });
}
