import { z } from 'zod';
import { memoize } from '../core/memoize.ts';

/** The values of an enum with their descriptions. */
export interface EnumDefinition<Value extends string = string> {
  readonly name: string;
  readonly description: string;
  readonly values: Readonly<Record<Value, string>>;
  /** Whether the OpenAPI document has a component for the enum, instead of repeating the values in each field. */
  readonly isComponent?: boolean;
}

/** Returns the same schema for each use of an enum definition. */
export const enumSchema = memoize(({ name, description, values, isComponent }: EnumDefinition): z.ZodType => {
  const schema = z.enum(Object.keys(values));
  return isComponent ? schema.meta({ id: name, description }) : schema;
});
