import {
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

/** Limited because the response lists each error. */
const MAX_VALIDATION_ERRORS = 20;

/** The graphql-js error when a document exceeds its limit of comparisons between fields with the same response name. */
const COMPARISONS_ABORTED = 'Validation aborted.';

/** A syntax or validation error of a document, without its nodes: it can be sent from another thread. */
export interface DocumentProblem {
  readonly message: string;
  readonly locations: readonly SourceLocation[] | undefined;
  /** The names of the argument and the input fields that the error is in, outermost first. */
  readonly inputPath: readonly string[];
}

/** Parses a document and validates it. */
export interface DocumentRules {
  readonly schema: GraphQLSchema;
  readonly parse: (source: string) => DocumentNode;
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
}

/** graphql-js's `validate` with its rules, and a maximum number of errors. */
export function validateDocument(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return validate(schema, document, undefined, { maxErrors: MAX_VALIDATION_ERRORS });
}

/**
 * Parses and validates a document.
 *
 * @returns the document if it is valid, otherwise its problems.
 * @throws {ServiceError} `query_too_complex` if the document exceeds the limits of parsing or validation.
 */
export function checkDocument(
  source: string,
  { schema, parse, validate }: DocumentRules,
): DocumentNode | readonly DocumentProblem[] {
  let document: DocumentNode;
  try {
    document = parse(source);
  } catch (error) {
    if (error instanceof GraphQLError) return [problemOf(error)];
    throw error;
  }
  const errors = validate(schema, document);
  if (errors.some(({ message }) => message === COMPARISONS_ABORTED)) {
    throw queryTooComplex('The query selects too many fields with the same response name');
  }
  if (errors.length === 0) return document;
  const paths = inputPathsOf(document, errors);
  return errors.map((error) => problemOf(error, paths.get(error.nodes?.[0])));
}

function problemOf(error: GraphQLError, inputPath: readonly string[] = []): DocumentProblem {
  return { message: error.message, locations: locationsOf(error), inputPath };
}

/** The argument and the input fields that contain the node of each error, or that it is. */
function inputPathsOf(
  document: DocumentNode,
  errors: readonly GraphQLError[],
): ReadonlyMap<unknown, readonly string[]> {
  const nodes = new Set<unknown>(errors.map(({ nodes }) => nodes?.[0]));
  const paths = new Map<unknown, string[]>();
  visit(document, {
    enter(node, _key, parent, _path, ancestors) {
      if (!nodes.has(node)) return;
      const inputs = [...ancestors, parent, node].flatMap((one) =>
        one && 'kind' in one && (one.kind === Kind.ARGUMENT || one.kind === Kind.OBJECT_FIELD) ? [one.name.value] : [],
      );
      paths.set(node, inputs);
    },
  });
  return paths;
}
