import { type DocumentNode, type GraphQLError, Source, type SourceLocation } from 'graphql';

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

  lineCount(): number {
    return this.lineStarts().length;
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
