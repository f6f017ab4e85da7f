import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, validate, visit } from 'graphql';
import { withInputDetails } from '../operation/input-errors.ts';
import { queryTooComplex } from '../operation/limits.ts';
import { parseWithinLimits } from './parse.ts';

/** The maximum number of validation errors, all of which the response lists. */
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
  try {
    document = parseWithinLimits(source);
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
  const errors = validate(schema, document, undefined, { maxErrors: MAX_VALIDATION_ERRORS });
  if (errors.some(({ message }) => message === COMPARISONS_ABORTED)) {
    throw queryTooComplex('The query selects too many fields with the same response name');
  }
  if (errors.length === 0) return document;
  const paths = inputPathsOf(document, errors);
  return errors.map((error) => withInputDetails(error, paths.get(error.nodes?.[0])));
}

/**
 * Returns for the first node of each error the names of the argument and input fields that contain it, including its
 * own name, and the indexes of list items within these.
 */
function inputPathsOf(
  document: DocumentNode,
  errors: readonly GraphQLError[],
): ReadonlyMap<unknown, readonly string[]> {
  const nodes = new Set<unknown>(errors.map(({ nodes }) => nodes?.[0]));
  const paths = new Map<unknown, string[]>();
  visit(document, {
    enter(node, _key, parent, keys, ancestors) {
      if (!nodes.has(node)) return;
      const path: string[] = [];
      let isInList = false;
      for (const [depth, one] of [...ancestors, parent, node].entries()) {
        if (!one || !('kind' in one)) continue;
        if (one.kind === Kind.ARGUMENT || one.kind === Kind.OBJECT_FIELD) path.push(one.name.value);
        // The default of a variable may be a list outside of an argument.
        else if (isInList && path.length > 0) path.push(String(keys[depth - 1]));
        isInList = one.kind === Kind.LIST;
      }
      paths.set(node, path);
    },
  });
  return paths;
}
