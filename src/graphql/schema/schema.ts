import { MapperKind, mapSchema, printSchemaWithDirectives } from '@graphql-tools/utils';
import { lexicographicSortSchema, specifiedDirectives } from 'graphql';
import { builder } from './builder.ts';
import { DIRECTIVES, directivesOf } from './directives.ts';
import './entities/members.ts';
import './entities/forms.ts';
import './entities/derived.ts';
import './changes.ts';
import './node.ts';
import './viewer/viewer.ts';

/** The GraphQL schema with all types, queries and mutations. It is never modified. */
export const schema = builder.toSchema({ directives: [...specifiedDirectives, ...Object.values(DIRECTIVES)] });

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
