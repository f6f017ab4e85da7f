import type { z } from 'zod';
import { ServiceError } from '../../domain/core/errors.ts';
import { parseInput } from '../../domain/core/operation.ts';
import { requiredText } from '../../domain/core/text.ts';
import type { ParsedRow, RowValues } from './batch.ts';

/** The name that a record has where it comes from. */
export const externalId = requiredText();

/** Checks rows by a schema; a row that lacks what makes a record may still change one. */
export function parserOf(schema: z.ZodObject): (values: RowValues) => ParsedRow {
  const some = schema.partial();
  return (values) => {
    const whole = schema.safeParse(values);
    if (whole.success) return { said: whole.data };
    const partial = some.safeParse(values);
    const problems = problemsOf(schema, values);
    return partial.success ? { said: partial.data, missing: problems } : { said: {}, errors: problems };
  };
}

function problemsOf(schema: z.ZodType, values: RowValues) {
  try {
    parseInput(schema, values);
    return [];
  } catch (error) {
    if (error instanceof ServiceError && error.details) return error.details;
    throw error;
  }
}
