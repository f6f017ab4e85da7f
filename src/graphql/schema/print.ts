import { MapperKind, mapSchema, printSchemaWithDirectives } from '@graphql-tools/utils';
import { lexicographicSortSchema } from 'graphql';
import { directivesOf } from './directives.ts';
import { schema } from './schema.ts';

/** Prints the schema in SDL with its directives, sorted so that the output does not depend on the order of imports. */
export function printSortedSchema(): string {
  const sorted = lexicographicSortSchema(schema);
  const withDirectives = mapSchema(sorted, {
    [MapperKind.COMPOSITE_FIELD]: (config, name, typeName) => {
      const type = sorted.getType(typeName);
      const field = type && 'getFields' in type ? type.getFields()[name] : undefined;
      if (!field || !('args' in field)) throw new TypeError(`No field ${typeName}.${name}`);
      const isRoot = ['Query', 'Mutation', 'Subscription'].includes(typeName);
      return { ...config, extensions: { directives: directivesOf(field, isRoot) } };
    },
  });
  return `${printSchemaWithDirectives(withDirectives)}\n`;
}
