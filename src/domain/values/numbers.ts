import { z } from 'zod';

/** The largest value of PostgreSQL's `integer`. */
export const MAX_INTEGER = 2_147_483_647;

const COUNT_ERROR = `must be a whole number from 0 to ${MAX_INTEGER}`;

/** A count that fits into an `integer` column. Its type `number` is published in OpenAPI, unlike that of {@link wholeNumber}. */
export const countNumber = z
  .number({ error: COUNT_ERROR })
  .refine((value) => Number.isInteger(value) && value >= 0 && value <= MAX_INTEGER, { error: COUNT_ERROR });

/** A whole number within a range. @param unit what it counts, for the error message: ` of hours`. */
export function wholeNumber(min: number, max: number, unit = '') {
  return z.custom<number>((value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max, {
    error: `must be a whole number${unit} from ${min} to ${max}`,
  });
}
