import {
  type DocumentNode,
  type GraphQLError,
  Lexer,
  parse,
  Source,
  type SourceLocation,
  TokenKind,
  visit,
} from 'graphql';
import { DOCUMENT_LIMITS, queryTooComplex } from './limits.ts';

/** The line breaks of the GraphQL specification, "Line Terminators". */
const LINE_BREAK = /\r\n|[\n\r]/g;

/**
 * The source of a document that is validated and executed. graphql-js counts the lines before each node of an error each
 * time, which takes milliseconds in a long document, and an error can have hundreds of nodes. {@link locate} counts the
 * lines once for all errors.
 */
export class DocumentSource extends Source {
  /** The offset at which each line starts. */
  private lines: readonly number[] | undefined;
  /** Set when it has been parsed. */
  document: DocumentNode | undefined;

  constructor(private readonly text: string) {
    super(text);
  }

  /**
   * Empties `body` after parsing, so that graphql-js has no lines to count. The locations in its errors are wrong from
   * then on; use {@link locationsOf}.
   */
  dropBody(): void {
    this.body = '';
  }

  /** The line and column of an offset in characters; line and column start at 1. */
  locate(offset: number): SourceLocation {
    const lines = this.lineStarts();
    let [low, high] = [0, lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lines[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (lines[low] as number) + 1 };
  }

  private lineStarts(): readonly number[] {
    const breaks = this.text.matchAll(LINE_BREAK);
    this.lines ??= [0, ...Array.from(breaks, ({ index, 0: lineBreak }) => index + lineBreak.length)];
    return this.lines;
  }
}

/** The locations of an error that graphql-js raised for nodes of a document; undefined if it has no nodes. */
export function locationsOf({ source, positions, locations }: GraphQLError): readonly SourceLocation[] | undefined {
  return source instanceof DocumentSource ? positions?.map((position) => source.locate(position)) : locations;
}

/**
 * Parses a document and checks it against {@link DOCUMENT_LIMITS}. The source of its nodes is a {@link DocumentSource}
 * without `body`.
 *
 * @throws {GraphQLError} for a syntax error.
 * @throws {ServiceError} `query_too_complex` if the document exceeds {@link DOCUMENT_LIMITS}.
 */
export function parseWithinLimits(text: string): DocumentNode {
  const source = new DocumentSource(text);
  checkTokens(source);
  const document = parse(source);
  source.document = document;
  source.dropBody();
  const counts = { fields: 0, aliases: 0, directives: 0, fragments: 0 };
  const sameName = new Map<string, number>();
  const count = (name: keyof typeof counts) => () => {
    counts[name] += 1;
  };
  visit(document, {
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
