import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type SourceLocation,
  validate,
  visit,
} from 'graphql';
import { queryTooComplex } from '../operation/limits.ts';
import { locationsOf } from '../operation/locations.ts';
import { replaceSuggestion, withHint } from './hints.ts';
import { parseWithinLimits } from './parse.ts';
import { declarationHints, inputPathOf } from './variable-uses.ts';

/** The maximum number of validation errors, all of which the response lists. */
const MAX_VALIDATION_ERRORS = 20;

/** The error of `validate` if fields with the same response name need too many comparisons. */
const COMPARISONS_ABORTED = 'Validation aborted.';

/** A syntax or validation error of a document. */
export interface DocumentProblem {
  readonly message: string;
  readonly locations: readonly SourceLocation[] | undefined;
  /** The names of the argument and input fields, and the indexes of list items, that contain the error, outermost first. */
  readonly inputPath: readonly string[];
}

/**
 * Parses and validates a document.
 *
 * @returns the document if it is valid, otherwise its problems.
 * @throws {ServiceError} `query_too_complex` if the document exceeds the limits of parsing or validation.
 */
export function checkDocument(source: string, schema: GraphQLSchema): DocumentNode | readonly DocumentProblem[] {
  let document: DocumentNode;
  try {
    document = parseWithinLimits(source);
  } catch (error) {
    if (error instanceof GraphQLError) return [problemOf(error, withHint(schema, error.message))];
    throw error;
  }
  const errors = validate(schema, document, undefined, { maxErrors: MAX_VALIDATION_ERRORS });
  if (errors.some(({ message }) => message === COMPARISONS_ABORTED)) {
    throw queryTooComplex('The query selects too many fields with the same response name');
  }
  if (errors.length === 0) return document;
  const paths = inputPathsOf(document, errors);
  const declarations = declarationHints(schema, document, errors);
  return errors.map((error) => {
    const declaration = declarations.get(error);
    const message = declaration ? replaceSuggestion(error.message, declaration) : withHint(schema, error.message);
    return problemOf(error, message, paths.get(nodeOf(error)));
  });
}

function problemOf(error: GraphQLError, message: string, inputPath: readonly string[] = []): DocumentProblem {
  return { message, locations: locationsOf(error), inputPath };
}

/** The node of an error that shows where a value is invalid: for a variable, its use rather than its declaration. */
function nodeOf({ nodes }: GraphQLError): ASTNode | undefined {
  return nodes?.find(({ kind }) => kind === Kind.VARIABLE) ?? nodes?.[0];
}

/** Returns for each of these nodes {@link inputPathOf}. */
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
