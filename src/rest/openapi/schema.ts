import type { ZodOpenApiOverride } from 'zod-openapi';

/**
 * What the description says differently from what zod makes of a schema: a date is told by its format, not by
 * a pattern of two lines; answers are open, because a field that is added later must not break who checks
 * them; and the fields of an example are examples of the fields.
 */
export const override: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  if (jsonSchema.format === 'date') delete jsonSchema.pattern;
  if (zodSchema._zod.def.type !== 'object') return;
  if (io === 'output') delete jsonSchema.additionalProperties;
  const [example] = jsonSchema.examples ?? [];
  for (const [name, property] of Object.entries(jsonSchema.properties ?? {})) {
    const value = (example as Record<string, unknown> | undefined)?.[name];
    if (value != null && typeof property === 'object' && !property.$ref) property.examples ??= [value];
  }
};

/** Types that a `type` of two names can hold; of enums, arrays and objects generators of clients lose the null in it. */
const SCALARS = ['string', 'integer', 'number', 'boolean'];

/** The same document with `type: [scalar, null]` where zod has a choice between a scalar and null: it is shorter to read. */
export function withoutNullChoices<Document extends object>(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (_key, value) => {
    const [type, none, ...others] = value?.anyOf ?? [];
    if (!SCALARS.includes(type?.type) || type.enum || none?.type !== 'null' || others.length > 0) return value;
    const { anyOf: _, ...rest } = value;
    return { ...type, ...rest, type: [type.type, 'null'] };
  });
}
