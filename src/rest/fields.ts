import { z } from 'zod';

/** The largest value of PostgreSQL's `integer`. */
const MAX_INTEGER = 2_147_483_647;

/** Text; what it means. */
export function text(description: string) {
  return z.string().meta({ description });
}

/** A moment: ISO 8601 in UTC with milliseconds. */
export function moment(description: string) {
  return z.string().meta({ description, format: 'date-time' });
}

/** A day of the calendar: `YYYY-MM-DD`. */
export function day(description: string) {
  return z.string().meta({ description, format: 'date' });
}

/** The integer id of a form or of one of its fields. */
export function integerId(description: string) {
  return z.int().min(1).max(MAX_INTEGER).meta({ description });
}

/** How many there are of something. */
export function count(description: string) {
  return z.int().min(0).max(MAX_INTEGER).meta({ description });
}

/** Yes or no. */
export function flag(description: string) {
  return z.boolean().meta({ description });
}
