import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { alternatives } from '../../domain/values/words.ts';
import { replaceSuggestion, withHint } from './hints/hints.ts';
import { hintForFragment } from './hints/name-hints.ts';
import { syntaxHint } from './hints/syntax-hints.ts';
import { isMissing, withInputDetails } from './input-errors.ts';
import { queryTooComplex } from './operation-limits.ts';
import { parseWithinLimits } from './parse.ts';
import { declarationHints, inputPathOf } from './variable-uses.ts';

const MAX_VALIDATION_ERRORS = 20;

/** The error of `validate` if fields with the same response name need too many comparisons. */
const COMPARISONS_ABORTED = 'Validation aborted.';

/**
 * Parses and validates a document.
 *
 * @returns the document if it is valid, otherwise its errors, with `details` if they are about an argument or an input field.
 * @throws {ServiceError} `query_too_complex` if the document exceeds the limits of parsing or validation.
 */
export function checkDocument(source: string, schema: GraphQLSchema): DocumentNode | readonly GraphQLError[] {
  let document: DocumentNode;
  let errors: readonly GraphQLError[];
  try {
    document = parseWithinLimits(source);
    // Throws an error for a directive with a variable at the field of a subscription.
    errors = validate(schema, document, undefined, { maxErrors: MAX_VALIDATION_ERRORS });
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
  const places = placesOf(schema, document, errors);
  const declarations = declarationHints(schema, document, errors);
  return errors.map((error) => {
    const place = places.get(nodeOf(error));
    const hint = declarations.get(error) ?? (place && hintForPlace(schema, error.message, place));
    const message = hint ? replaceSuggestion(error.message, hint) : withHint(schema, error.message);
    return withInputDetails(error, message, place?.inputPath);
  });
}

/** The node at which a value is invalid. An error about a variable has two nodes: this is its use, not its declaration. */
function nodeOf({ nodes }: GraphQLError): ASTNode | undefined {
  return nodes?.find(({ kind }) => kind === Kind.VARIABLE) ?? nodes?.[0];
}

/** Where an error is. */
interface ErrorPlace {
  readonly inputPath: readonly string[];
  /** The name of the type whose fields are selected there. */
  readonly parentType: string | undefined;
  /** The description of the input field whose value is there. */
  readonly description: string | undefined;
}

function placesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  errors: readonly GraphQLError[],
): ReadonlyMap<unknown, ErrorPlace> {
  const nodes = new Set<unknown>(errors.map(nodeOf));
  const places = new Map<unknown, ErrorPlace>();
  const typeInfo = new TypeInfo(schema);
  const enter = (...visited: Parameters<typeof inputPathOf>[0]) => {
    if (!nodes.has(visited[0])) return;
    const inputPath = inputPathOf(visited);
    const input = getNamedType(typeInfo.getParentInputType());
    const field = isInputObjectType(input) ? input.getFields()[inputPath.at(-1) ?? ''] : undefined;
    places.set(visited[0], {
      inputPath,
      parentType: typeInfo.getParentType()?.name,
      description: field?.description ?? undefined,
    });
  };
  visit(document, visitWithTypeInfo(typeInfo, { enter }));
  return places;
}

/** The hint that depends on the place of an error: the types of fragments, and the texts in use, that are possible there. */
function hintForPlace(schema: GraphQLSchema, message: string, { parentType, description }: ErrorPlace) {
  const [, type] = /^Unknown type "(\w+)"/.exec(message) ?? [];
  if (type && parentType) return hintForFragment(schema, undefined, parentType, type);
  const isBareText = /^String cannot represent .* value: [a-z_]\w*$/i.test(message);
  const texts = isBareText ? description?.match(/(?<=`)\w+(?=`)/g)?.map((text) => `"${text}"`) : undefined;
  return texts && `Write a text in quotes, such as ${alternatives(texts)}.`;
}
