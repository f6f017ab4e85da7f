import {
  astFromValue,
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  Kind,
  lexicographicSortSchema,
  type NameNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import { type AppliedDirective, directivesOf } from './directives.ts';
import { schema } from './schema.ts';

/**
 * Prints the schema in SDL, sorted so that the output does not depend on the order of imports. graphql-js's
 * `printSchema` prints the definitions of directives, but not where they are applied.
 */
export function printSortedSchema(): string {
  const document = parse(printSchema(lexicographicSortSchema(schema)), { noLocation: true });
  const withDirectives = visit(document, {
    ObjectTypeDefinition: (type) => ({
      ...type,
      fields: type.fields?.map((field) => annotate(type.name.value, field)),
    }),
    InterfaceTypeDefinition: (type) => ({
      ...type,
      fields: type.fields?.map((field) => annotate(type.name.value, field)),
    }),
  });
  return `${separateByBlankLines(print(withDirectives))}\n`;
}

/** Adds a blank line before each description, except of the first field or argument, as `printSchema` does. */
function separateByBlankLines(sdl: string): string {
  return sdl.replace(/(?<![{(\n])\n( *"""(?:[^"]|"(?!""))*""")/g, '\n\n$1');
}

function annotate(typeName: string, field: FieldDefinitionNode): FieldDefinitionNode {
  const type = schema.getType(typeName);
  const definition = type && 'getFields' in type ? type.getFields()[field.name.value] : undefined;
  if (!definition || !('args' in definition)) throw new TypeError(`No field ${typeName}.${field.name.value}`);
  const isRoot = type === schema.getQueryType() || type === schema.getMutationType();
  const applied = directivesOf(definition, isRoot).map(toNode);
  return { ...field, directives: [...(field.directives ?? []), ...applied] };
}

function toNode({ definition, args }: AppliedDirective): ConstDirectiveNode {
  const nodes = definition.args.flatMap(({ name, type }): ConstArgumentNode[] => {
    const value = astFromValue(args[name], type);
    return value ? [{ kind: Kind.ARGUMENT, name: nameNode(name), value: value as ConstArgumentNode['value'] }] : [];
  });
  return { kind: Kind.DIRECTIVE, name: nameNode(definition.name), arguments: nodes };
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}
