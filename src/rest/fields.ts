import { z } from 'zod';

/** The largest value of PostgreSQL's `integer`. */
const MAX_INTEGER = 2_147_483_647;

/** Text; what it means, and its format where JSON Schema names one. */
export function text(description: string, format?: 'idn-email') {
  return z.string().meta({ description, ...(format && { format }) });
}

/** A moment: ISO 8601 in UTC with milliseconds. */
export function moment(description: string) {
  return z.string().meta({ description, format: 'date-time' });
}

/** The integer id of a form or of one of its fields. */
export function integerId(description: string) {
  return z.int().min(1).max(MAX_INTEGER).meta({ description });
}

/** Yes or no. */
export function flag(description: string) {
  return z.boolean().meta({ description });
}
