// Writes the description of the REST API for tools that only read OpenAPI 3.0 to dist/openapi-3.0.json.
import { writeFile } from 'node:fs/promises';
import { Converter } from '@apiture/openapi-down-convert';
import { openApiDocument } from '../dist/rest/openapi/document.js';

// OpenAPI 3.0 cannot describe webhooks.
const { webhooks, ...described } = JSON.parse(openApiDocument());
const document = withNullable(described);
const converted = new Converter(document, { allOfTransform: true }).convert();
await writeFile(new URL('../dist/openapi-3.0.json', import.meta.url), `${JSON.stringify(converted, null, 2)}\n`);

/** Replaces alternatives that are null by `nullable`, which the converter does only for lists of types. */
function withNullable(value) {
  if (Array.isArray(value)) return value.map(withNullable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withNullable(inner)]);
  const { anyOf, ...others } = Object.fromEntries(entries);
  const alternatives = anyOf?.filter(({ type }) => type !== 'null');
  if (!alternatives) return others;
  if (alternatives.length === anyOf.length) return { anyOf, ...others };
  const [only] = alternatives;
  if (alternatives.length > 1) return { anyOf: alternatives, ...others, nullable: true };
  // In 3.0, nothing may stand beside a reference.
  return { ...('$ref' in only ? { allOf: [only] } : only), ...others, nullable: true };
}
