import { type ASTNode, type DocumentNode, GraphQLError, Kind, parse, type Source, visit } from 'graphql';
import { ServiceError } from '../../domain/errors.ts';

/** Limits of a document, checked before validation, whose time is quadratic in repeated fields. */
export const DOCUMENT_LIMITS = {
  tokens: 4_000,
  operations: 100,
  fields: 1_000,
  aliases: 60,
  directives: 50,
  fragments: 100,
  /** Fields with the same response name that have arguments or a selection: validation compares each with each. */
  sameNameFields: 200,
} as const;

/** Limits of an operation. They leave room for `departments(first: 20) { members(first: 50) { tags } }`. */
export const OPERATION_LIMITS = {
  depth: 20,
  /** With fragments inlined and equal response names merged. */
  fields: 1_000,
  /** Fields and fragments visited while fragments are inlined, however often the document repeats them. */
  selections: 20_000,
  records: 12_000,
  /** Values in the response, estimated; one that the executor completes counts as {@link COMPLETED_VALUE_WEIGHT}. */
  values: 250_000,
  /** Values of introspection, estimated. GraphiQL's query has about 65,000. */
  introspectionValues: 100_000,
  /** Of the response, in characters of its JSON. */
  responseCharacters: 8_000_000,
} as const;

/** How many times longer the executor takes for a value than PostgreSQL for one that it serializes. */
export const COMPLETED_VALUE_WEIGHT = 5;

/** The error of a document or operation beyond a limit: 400 `query_too_complex`. */
export function queryTooComplex(message: string): ServiceError {
  return new ServiceError('query_too_complex', message);
}

/**
 * Parses a document.
 *
 * @throws {GraphQLError} for a syntax error.
 * @throws {ServiceError} `query_too_complex` beyond {@link DOCUMENT_LIMITS}.
 */
export function parseWithinLimits(source: string | Source): DocumentNode {
  const document = parseTokens(source);
  const counts = { operations: 0, fields: 0, aliases: 0, directives: 0, fragments: 0 };
  const sameName = new Map<string, number>();
  visit(document, {
    enter(node: ASTNode) {
      if (node.kind === Kind.FIELD) {
        counts.fields += 1;
        if (node.alias) counts.aliases += 1;
        if (node.selectionSet || node.arguments?.length) {
          const { value } = node.alias ?? node.name;
          sameName.set(value, (sameName.get(value) ?? 0) + 1);
        }
      } else if (node.kind === Kind.DIRECTIVE) counts.directives += 1;
      else if (node.kind === Kind.FRAGMENT_DEFINITION) counts.fragments += 1;
      else if (node.kind === Kind.OPERATION_DEFINITION) counts.operations += 1;
    },
  });
  for (const [name, count] of Object.entries(counts)) {
    const limit = DOCUMENT_LIMITS[name as keyof typeof counts];
    if (count > limit) throw queryTooComplex(`The query has more than ${limit} ${name}`);
  }
  for (const [name, count] of sameName) {
    const limit = DOCUMENT_LIMITS.sameNameFields;
    if (count > limit) throw queryTooComplex(`The query selects the field ${name} more than ${limit} times`);
  }
  return document;
}

function parseTokens(source: string | Source): DocumentNode {
  try {
    return parse(source, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch (error) {
    const hasTooManyTokens = error instanceof GraphQLError && / more tha[nt] \d+ tokens/.test(error.message);
    if (hasTooManyTokens || error instanceof RangeError) {
      throw queryTooComplex(`The query has more than ${DOCUMENT_LIMITS.tokens} tokens`);
    }
    throw error;
  }
}
