import { type ASTNode, type DocumentNode, GraphQLError, type GraphQLSchema, Kind, validate, visit } from 'graphql';
import { replaceSuggestion, withHint } from './hints/hints.ts';
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
  const paths = inputPathsOf(document, errors);
  const declarations = declarationHints(schema, document, errors);
  return errors.map((error) => {
    const declaration = declarations.get(error);
    const message = declaration ? replaceSuggestion(error.message, declaration) : withHint(schema, error.message);
    return withInputDetails(error, message, paths.get(nodeOf(error)));
  });
}

/** The node at which a value is invalid. An error about a variable has two nodes: this is its use, not its declaration. */
function nodeOf({ nodes }: GraphQLError): ASTNode | undefined {
  return nodes?.find(({ kind }) => kind === Kind.VARIABLE) ?? nodes?.[0];
}

function inputPathsOf(
  document: DocumentNode,
  errors: readonly GraphQLError[],
): ReadonlyMap<unknown, readonly string[]> {
  const nodes = new Set<unknown>(errors.map(nodeOf));
  const paths = new Map<unknown, readonly string[]>();
  visit(document, {
    enter(...visited) {
      if (nodes.has(visited[0])) paths.set(visited[0], inputPathOf(visited));
    },
  });
  return paths;
}
