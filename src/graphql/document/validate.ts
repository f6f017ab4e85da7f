import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  TypeInfo,
  type TypeNode,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { alternatives } from '../../domain/values/words.ts';
import { replaceSuggestion, withHint } from './hints/hints.ts';
import { hintForFragment } from './hints/name-hints.ts';
import { syntaxHint } from './hints/syntax-hints.ts';
import { inputPathOf, isMissing, type VisitedNode, withInputDetails } from './input-errors.ts';
import { ERROR_LIMITS, queryTooComplex } from './limits.ts';
import { parseWithinLimits } from './parse.ts';
import { variableUses } from './variables.ts';

/** The error of `validate` if fields with the same response name need too many comparisons. */
const COMPARISONS_ABORTED = 'Validation aborted.';

/**
 * Parses and validates a document.
 *
 * @returns the document if it is valid, otherwise its errors, with `details` if they are about an argument or an input field.
 * @throws {ServiceError} `query_too_complex` if the document exceeds the limits of parsing or validation.
 */
export function parseAndValidate(source: string, schema: GraphQLSchema): DocumentNode | readonly GraphQLError[] {
  let document: DocumentNode;
  let errors: readonly GraphQLError[];
  try {
    document = parseWithinLimits(source);
    // Throws an error for a directive with a variable at the field of a subscription.
    errors = validate(schema, document, undefined, { maxErrors: ERROR_LIMITS.validation });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const hint = syntaxHint(error, source);
    return [withInputDetails(error, hint ? `${error.message}${hint}` : withHint(schema, error.message))];
  }
  if (errors.some(({ message }) => message === COMPARISONS_ABORTED)) {
    throw queryTooComplex('The query selects too many fields with the same response name');
  }
  if (errors.length === 0) return document;
  // Some clients show only the first one, and a field is often missing because it has the wrong name.
  errors = [...errors].sort((one, other) => Number(isMissing(one)) - Number(isMissing(other)));
  const nodeInfos = nodeInfosOf(schema, document, errors);
  const declarations = declarationHints(schema, document, errors);
  return errors.map((error) => {
    const node = nodeInfos.get(nodeOf(error));
    const hint = declarations.get(error) ?? (node && hintForNode(schema, error.message, node));
    const message = hint ? replaceSuggestion(error.message, hint) : withHint(schema, error.message);
    return withInputDetails(error, message, node?.inputPath);
  });
}

/** The node at which a value is invalid. An error about a variable has two nodes: this is its use, not its declaration. */
function nodeOf({ nodes }: GraphQLError): ASTNode | undefined {
  return nodes?.find(({ kind }) => kind === Kind.VARIABLE) ?? nodes?.[0];
}

/** What the schema has at a node with an error. */
interface NodeInfo {
  readonly inputPath: readonly string[];
  /** The name of the type whose fields are selected there. */
  readonly parentType: string | undefined;
  /** The description of the input field whose value is there. */
  readonly description: string | undefined;
}

function nodeInfosOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  errors: readonly GraphQLError[],
): ReadonlyMap<unknown, NodeInfo> {
  const nodes = new Set<unknown>(errors.map(nodeOf));
  const nodeInfos = new Map<unknown, NodeInfo>();
  const typeInfo = new TypeInfo(schema);
  const enter = (...visited: VisitedNode) => {
    if (!nodes.has(visited[0])) return;
    const inputPath = inputPathOf(visited);
    const input = getNamedType(typeInfo.getParentInputType());
    const field = isInputObjectType(input) ? input.getFields()[inputPath.at(-1) ?? ''] : undefined;
    nodeInfos.set(visited[0], {
      inputPath,
      parentType: typeInfo.getParentType()?.name,
      description: field?.description ?? undefined,
    });
  };
  visit(document, visitWithTypeInfo(typeInfo, { enter }));
  return nodeInfos;
}

/** The hint that depends on where an error is: the types of fragments, and the texts in use, that are possible there. */
function hintForNode(schema: GraphQLSchema, message: string, { parentType, description }: NodeInfo) {
  const [, type] = /^Unknown type "(\w+)"/.exec(message) ?? [];
  if (type && parentType) return hintForFragment(schema, undefined, parentType, type);
  const isBareText = /^String cannot represent .* value: [a-z_]\w*$/i.test(message);
  const texts = isBareText ? description?.match(/(?<=`)\w+(?=`)/g)?.map((text) => `"${text}"`) : undefined;
  return texts && `Write a text in quotes, such as ${alternatives(texts)}.`;
}

/**
 * Returns how to declare a variable, for each error about one that is not declared, or with an unknown type or one that
 * is no input type.
 */
function declarationHints(
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
