import { z } from 'zod';

/** The largest value of PostgreSQL's `integer`. */
export const MAX_INTEGER = 2_147_483_647;

const COUNT_ERROR = `must be a whole number from 0 to ${MAX_INTEGER}`;

/** A count that fits into an `integer` column. Unlike {@link wholeNumber}, it has a type in OpenAPI: `number`. */
export const countNumber = z
  .number({ error: COUNT_ERROR })
  .refine((value) => Number.isInteger(value) && value >= 0 && value <= MAX_INTEGER, { error: COUNT_ERROR });

/**
 * A whole number from `min` to `max`.
 *
 * @param unit what it counts, for the error message: ` of hours`.
 */
export function wholeNumber(min: number, max: number, unit = '') {
  return z.custom<number>((value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max, {
    error: `must be a whole number${unit} from ${min} to ${max}`,
  });
}
