/** The longest line of a backup that is read: no record that the service takes comes near it. */
export const MAX_BACKUP_LINE_CHARACTERS = 16 * 1_048_576;

/** Thrown for a line that is longer. */
export class LineTooLongError extends Error {
  constructor(readonly line: number) {
    super(`line ${line} is longer than ${MAX_BACKUP_LINE_CHARACTERS / 1_048_576} MiB`);
  }
}

/** A line of a text, and its number from 1. */
export interface TextLine {
  readonly text: string;
  readonly number: number;
}

/**
 * The lines of a text that comes in pieces, each piece looked through once, however long a line is.
 *
 * @throws {LineTooLongError} as soon as a line is longer than a backup's are; what throws while `chunks` are read.
 */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let [number, length]: [number, number] = [1, 0];
  let pieces: string[] = [];
  const take = (piece: string): void => {
    length += piece.length;
    if (length > MAX_BACKUP_LINE_CHARACTERS) throw new LineTooLongError(number);
    pieces.push(piece);
  };
  const line = (): TextLine => {
    const complete = { text: pieces.join(''), number };
    [number, length, pieces] = [number + 1, 0, []];
    return complete;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      take(chunk.slice(start, end));
      yield line();
      start = end + 1;
    }
    if (start < chunk.length) take(chunk.slice(start));
  }
  if (length > 0) yield line();
}
