import { type GraphQLError, type Location, Source, type SourceLocation } from 'graphql';

/** The line breaks of the GraphQL specification, "Line Terminators". */
const LINE_BREAK = /\r\n|[\n\r]/g;

/**
 * The source of a document that is validated and executed. {@link locate} counts its lines once for all errors.
 * graphql-js counts the lines before each node of each error again, which takes milliseconds for a node of a long
 * document, and an error can have hundreds of nodes. graphql-js reads `body` for nothing else after parsing, so it can
 * be dropped.
 */
export class DocumentSource extends Source {
  private lines: readonly number[] | undefined;

  constructor(private readonly text: string) {
    super(text);
  }

  /** Empties `body`; graphql-js's locations are wrong from then on. */
  dropBody(): void {
    this.body = '';
  }

  /** The line and column of an offset; both start at 1. */
  locate(offset: number): SourceLocation {
    this.lines ??= lineStarts(this.text);
    let [low, high] = [0, this.lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.lines[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.lines[low] as number) + 1 };
  }
}

/** The offset at which each line starts. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const match of text.matchAll(LINE_BREAK)) starts.push(match.index + match[0].length);
  return starts;
}

/** The line and column at which a node starts. */
export function locationOf({ source, start }: Location): SourceLocation | undefined {
  return source instanceof DocumentSource ? source.locate(start) : undefined;
}

/** The locations of an error that graphql-js raised for nodes of a document. */
export function locationsOf({ source, positions, locations }: GraphQLError): readonly SourceLocation[] | undefined {
  return source instanceof DocumentSource ? positions?.map((position) => source.locate(position)) : locations;
}
