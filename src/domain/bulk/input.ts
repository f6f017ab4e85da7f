import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import { parseInput } from '../operation.ts';
import { requiredText } from '../text.ts';
import type { ParsedRow, Said } from './batch.ts';

/** The name that a record has where it comes from. */
export const externalId = requiredText();

/** A moment, as ISO 8601 with milliseconds in UTC. */
export const moment = z.iso
  .datetime({ offset: true, error: 'must be a date and time, 2026-01-31T09:30:00Z' })
  .refine((value) => !value.startsWith('0000'), { error: 'must be a date and time, 2026-01-31T09:30:00Z' })
  .transform((value) => new Date(value).toISOString());

/** When a record was made and last changed where it comes from; taken over when it is made here. */
export const times = { created_at: moment.nullish(), updated_at: moment.nullish() };

/** Checks rows by a schema; a row that lacks what makes a record may still change one. */
export function parserOf(schema: z.ZodObject): (values: Said) => ParsedRow {
  const some = schema.partial();
  return (values) => {
    const whole = schema.safeParse(values);
    if (whole.success) return { said: whole.data };
    const partial = some.safeParse(values);
    const problems = problemsOf(schema, values);
    return partial.success ? { said: partial.data, missing: problems } : { said: {}, errors: problems };
  };
}

function problemsOf(schema: z.ZodType, values: Said) {
  try {
    parseInput(schema, values);
    return [];
  } catch (error) {
    if (error instanceof ServiceError && error.details) return error.details;
    throw error;
  }
}
