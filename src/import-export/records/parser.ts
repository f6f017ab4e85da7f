import { z } from 'zod';
import { type FieldError, ServiceError } from '../../domain/core/errors.ts';
import { parseInput } from '../../domain/core/parse-input.ts';
import { normalizeText, requiredText } from '../../domain/values/text.ts';
import type { ParsedRow, RowValues } from './batch.ts';

/** The schema of a record's identifier in the source system, of which no character is dropped. */
export const externalId = requiredText(undefined, normalizeText);

/**
 * Creates a parser from a schema. Each field is parsed by itself, so that all errors of a row are found; a row without
 * the required fields of a new record can still update one.
 */
export function createParser(schema: z.ZodObject): (values: RowValues) => ParsedRow {
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, z.strictObject({ [name]: field })] as const,
  );
  return (values) => {
    const complete = schema.safeParse(values);
    if (complete.success) return { input: complete.data };
    const input: Record<string, unknown> = {};
    const [errors, missing]: [FieldError[], FieldError[]] = [[], []];
    for (const [field, fieldSchema] of fields) {
      const isSet = values[field] !== undefined;
      const result = parseField(fieldSchema, isSet ? { [field]: values[field] } : {});
      if ('value' in result) Object.assign(input, result.value);
      else (isSet ? errors : missing).push(...result.errors);
    }
    return parsedRow(input, errors, missing);
  };
}

/** A row with those lists that are not empty. */
export function parsedRow(
  input: RowValues,
  errors: readonly FieldError[],
  missing: readonly FieldError[] = [],
): ParsedRow {
  return { input, ...(errors.length > 0 && { errors }), ...(missing.length > 0 && { missing }) };
}

function parseField(schema: z.ZodObject, value: RowValues): { value: RowValues } | { errors: readonly FieldError[] } {
  try {
    return { value: parseInput(schema, value) };
  } catch (error) {
    if (error instanceof ServiceError && error.details) return { errors: error.details };
    throw error;
  }
}
