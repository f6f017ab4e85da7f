import {
  type ASTNode,
  type ASTVisitFn,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type TypeNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

interface VariableUse {
  /** The names of the argument and input fields that contain it, and the indexes of list items, outermost first. */
  readonly inputPath: readonly string[];
  /** The type that is expected there; undefined if the schema has no such argument or input field. */
  readonly type: string | undefined;
}

type VisitedNode = Parameters<ASTVisitFn<ASTNode>>;

/**
 * Returns the first use of each variable, by its name. Fragments are always searched.
 *
 * @param operation the only operation to search; if undefined, all operations are searched.
 */
export function variableUses(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation?: OperationDefinitionNode,
): ReadonlyMap<string, VariableUse> {
  const uses = new Map<string, VariableUse>();
  const typeInfo = new TypeInfo(schema);
  const isOther = (node: ASTNode) => operation && node.kind === Kind.OPERATION_DEFINITION && node !== operation;
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      OperationDefinition: (node) => (isOther(node) ? false : undefined),
      VariableDefinition: () => false,
      Variable(...visited) {
        const name = visited[0].name.value;
        if (!uses.has(name))
          uses.set(name, { inputPath: inputPathOf(visited), type: typeInfo.getInputType()?.toString() });
      },
    }),
  );
  return uses;
}

/**
 * Returns how to declare a variable, for each error about one that is not declared, or with an unknown type or one that
 * is no input type.
 */
export function declarationHints(
  schema: GraphQLSchema,
  document: DocumentNode,
  errors: readonly GraphQLError[],
): ReadonlyMap<GraphQLError, string> {
  const hints = new Map<GraphQLError, string>();
  let uses: ReturnType<typeof variableUses> | undefined;
  for (const error of errors) {
    const name = variableOf(error, document);
    if (name === undefined) continue;
    uses ??= variableUses(schema, document);
    const type = uses.get(name)?.type;
    if (type) hints.set(error, `Declare it as "$${name}: ${type}".`);
    else if (error.message.startsWith('Unknown type')) hints.set(error, 'Declare it with the type of its argument.');
  }
  return hints;
}

/** The name of the variable whose declaration an error is about. */
function variableOf({ message, nodes }: GraphQLError, { definitions }: DocumentNode): string | undefined {
  const [, name] = /^Variable "\$(\w+)" (?:is not defined|cannot be non-input type)/.exec(message) ?? [];
  if (name !== undefined || !message.startsWith('Unknown type ')) return name;
  const declared = definitions
    .flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
    )
    .find(({ type }) => namedTypeOf(type) === nodes?.[0]);
  return declared?.variable.name.value;
}

function namedTypeOf(type: TypeNode): TypeNode {
  return type.kind === Kind.NAMED_TYPE ? type : namedTypeOf(type.type);
}

/**
 * Returns the names of the argument and input fields that contain a visited node, including its own name, and the indexes
 * of list items within these, outermost first.
 */
export function inputPathOf([node, _key, parent, keys, ancestors]: VisitedNode): readonly string[] {
  const path: string[] = [];
  let isInList = false;
  for (const [depth, one] of [...ancestors, parent, node].entries()) {
    if (!one || !('kind' in one)) continue;
    if (one.kind === Kind.ARGUMENT || one.kind === Kind.OBJECT_FIELD) path.push(one.name.value);
    // The default of a variable may be a list outside of an argument.
    else if (isInList && path.length > 0) path.push(String(keys[depth - 1]));
    isInList = one.kind === Kind.LIST;
  }
  return path;
}
