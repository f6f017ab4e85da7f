import { type DocumentNode, Lexer, parse, type Source, TokenKind, visit } from 'graphql';
import { DocumentSource } from '../locations.ts';
import { queryTooComplex } from './operation-limits.ts';

/**
 * Limits of a document. Checked before validation, because the time of validation grows with the square of the number
 * of repeated fields.
 */
export const DOCUMENT_LIMITS = {
  tokens: 4_000,
  /** A block string of many lines is slow to read. */
  lines: 5_000,
  /** Levels of parentheses, brackets and braces. The parser is recursive. */
  nesting: 200,
  operations: 100,
  fields: 1_000,
  aliases: 60,
  directives: 50,
  fragments: 100,
  /** Fields with the same response name that have arguments or a selection set; validation compares them pairwise. */
  sameNameFields: 100,
  /** The length of an alias, which the response repeats for each record. */
  aliasCharacters: 255,
} as const;

/**
 * Parses a document and checks it against {@link DOCUMENT_LIMITS}. The source of its nodes is a {@link DocumentSource}
 * without `body`.
 *
 * @throws {GraphQLError} for a syntax error.
 * @throws {ServiceError} `query_too_complex` if the document exceeds {@link DOCUMENT_LIMITS}.
 */
export function parseWithinLimits(text: string | Source): DocumentNode {
  const source = new DocumentSource(typeof text === 'string' ? text : text.body);
  if (source.lineCount() > DOCUMENT_LIMITS.lines) {
    throw queryTooComplex(`The query has more than ${DOCUMENT_LIMITS.lines} lines`);
  }
  checkTokens(source);
  const document = parse(source);
  source.document = document;
  source.dropBody();
  const counts = { operations: 0, fields: 0, aliases: 0, directives: 0, fragments: 0 };
  const sameName = new Map<string, number>();
  const count = (name: keyof typeof counts) => () => {
    counts[name] += 1;
  };
  visit(document, {
    OperationDefinition: count('operations'),
    FragmentDefinition: count('fragments'),
    Directive: count('directives'),
    Field({ alias, name, arguments: args, selectionSet }) {
      counts.fields += 1;
      if (alias) counts.aliases += 1;
      if (alias && alias.value.length > DOCUMENT_LIMITS.aliasCharacters) {
        throw queryTooComplex(`An alias has more than ${DOCUMENT_LIMITS.aliasCharacters} characters`);
      }
      const { value } = alias ?? name;
      if (selectionSet || args?.length) sameName.set(value, (sameName.get(value) ?? 0) + 1);
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

/** Checks the number and nesting of tokens up to the first syntax error, which the parser reports. */
function checkTokens(source: Source): void {
  const lexer = new Lexer(source);
  let [tokens, nesting] = [0, 0];
  for (let kind = nextToken(lexer); kind !== TokenKind.EOF; kind = nextToken(lexer)) {
    tokens += 1;
    if (tokens > DOCUMENT_LIMITS.tokens) {
      throw queryTooComplex(`The query has more than ${DOCUMENT_LIMITS.tokens} tokens`);
    }
    if (OPENING.has(kind)) nesting += 1;
    else if (CLOSING.has(kind)) nesting -= 1;
    if (nesting > DOCUMENT_LIMITS.nesting) {
      throw queryTooComplex(`The query is nested more than ${DOCUMENT_LIMITS.nesting} levels deep`);
    }
  }
}

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.PAREN_L, TokenKind.BRACKET_L, TokenKind.BRACE_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.PAREN_R, TokenKind.BRACKET_R, TokenKind.BRACE_R]);

/** The kind of the next token; the end of the file for a syntax error. */
function nextToken(lexer: Lexer): TokenKind {
  try {
    return lexer.advance().kind;
  } catch {
    return TokenKind.EOF;
  }
}
