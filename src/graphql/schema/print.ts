import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './schema.ts';

/** Prints the schema in SDL, sorted so that the output does not depend on the order of imports. */
export function printSortedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
