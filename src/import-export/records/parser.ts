import type { z } from 'zod';
import { ServiceError } from '../../domain/core/errors.ts';
import { parseInput } from '../../domain/core/parse-input.ts';
import { requiredText } from '../../domain/values/text.ts';
import type { ParsedRow, RowValues } from './batch.ts';

/** The schema of a record's identifier in the source system. */
export const externalId = requiredText();

/** Creates a parser from a schema; a row without the required fields of a new record can still update one. */
export function createParser(schema: z.ZodObject): (values: RowValues) => ParsedRow {
  const partialSchema = schema.partial();
  return (values) => {
    const complete = schema.safeParse(values);
    if (complete.success) return { input: complete.data };
    const partial = partialSchema.safeParse(values);
    const errors = fieldErrors(schema, values);
    return partial.success ? { input: partial.data, missing: errors } : { input: {}, errors };
  };
}

function fieldErrors(schema: z.ZodType, values: RowValues) {
  try {
    parseInput(schema, values);
    return [];
  } catch (error) {
    if (error instanceof ServiceError && error.details) return error.details;
    throw error;
  }
}
