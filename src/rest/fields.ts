import { z } from 'zod';

/** The largest value of PostgreSQL's `integer`. */
const MAX_INTEGER = 2_147_483_647;

/** A field of a record: the schema of its value, what it means, and a value of the demo organization. */
export function field<Schema extends z.ZodType>(schema: Schema, description: string, example: z.output<Schema>) {
  return schema.meta({ description, examples: [example] });
}

/** Text. */
export function text(description: string, example: string) {
  return field(z.string(), description, example);
}

/** Text of a format that JSON Schema names. */
export function formatted(format: 'email' | 'uri', description: string, example: string) {
  return z.string().meta({ description, examples: [example], format });
}

/** The integer id of a form or of one of its fields. */
export function integerId(description: string, example: number) {
  return field(z.int().min(1).max(MAX_INTEGER), description, example);
}

/** How many there are of something. */
export function count(description: string, example: number) {
  return field(z.int().min(0).max(MAX_INTEGER), description, example);
}

/** Yes or no. */
export function flag(description: string, example: boolean) {
  return field(z.boolean(), description, example);
}

/** A moment: ISO 8601 in UTC with milliseconds. */
export function moment(description: string, example: string) {
  return z.string().meta({ description, examples: [example], format: 'date-time' });
}

/** A day of the calendar: `YYYY-MM-DD`. */
export function day(description: string, example: string) {
  return z.string().meta({ description, examples: [example], format: 'date' });
}
