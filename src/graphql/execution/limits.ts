import { type ASTNode, type DocumentNode, GraphQLError, Kind, parse, type Source, visit } from 'graphql';
import { ServiceError } from '../../domain/errors.ts';

/** The bounds of one document as it is written; checked before validation, which is quadratic in what repeats. */
export const DOCUMENT_LIMITS = {
  tokens: 4_000,
  fields: 1_000,
  aliases: 60,
  directives: 50,
  fragments: 100,
} as const;

/**
 * The bounds of one operation with its fragments inlined. They leave room for
 * `departments(first: 20) { members(first: 50) { tags } }`.
 *
 * `selections` bounds the work of inlining: how many fields and fragments are looked at, however often the document
 * repeats them.
 */
export const OPERATION_LIMITS = {
  depth: 20,
  fields: 1_000,
  selections: 20_000,
  records: 12_000,
  /** Fields of records, each counted once for each record. */
  values: 250_000,
  /** Values that introspection writes, estimated: GraphiQL's own query has about 65,000. */
  introspectionValues: 100_000,
  /** Of one response, in characters of its JSON. */
  responseCharacters: 8_000_000,
} as const;

/** The refusal of a document or operation beyond its limits: 400 `query_too_complex`. */
export function tooComplex(message: string): ServiceError {
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
  const counts = { fields: 0, aliases: 0, directives: 0, fragments: 0 };
  visit(document, {
    enter(node: ASTNode) {
      if (node.kind === Kind.FIELD) {
        counts.fields += 1;
        if (node.alias) counts.aliases += 1;
      } else if (node.kind === Kind.DIRECTIVE) counts.directives += 1;
      else if (node.kind === Kind.FRAGMENT_DEFINITION) counts.fragments += 1;
    },
  });
  for (const [name, count] of Object.entries(counts)) {
    const limit = DOCUMENT_LIMITS[name as keyof typeof counts];
    if (count > limit) throw tooComplex(`The query has more than ${limit} ${name}`);
  }
  return document;
}

function parseTokens(source: string | Source): DocumentNode {
  try {
    return parse(source, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch (error) {
    const hasTooManyTokens = error instanceof GraphQLError && / more tha[nt] \d+ tokens/.test(error.message);
    if (hasTooManyTokens || error instanceof RangeError) {
      throw tooComplex(`The query has more than ${DOCUMENT_LIMITS.tokens} tokens`);
    }
    throw error;
  }
}
