/** The maximum length of a line; records that the service accepts are much smaller. */
export const MAX_BACKUP_LINE_CHARACTERS = 16 * 1_048_576;

/** Thrown for a longer line. */
export class LineTooLongError extends Error {
  constructor(readonly endLine: number) {
    super(`line ${endLine} is longer than ${MAX_BACKUP_LINE_CHARACTERS / 1_048_576} MiB`);
  }
}

/** A line and its number, from 1. */
export interface TextLine {
  readonly text: string;
  readonly number: number;
}

/**
 * Splits text chunks into lines, scanning each chunk once.
 *
 * @throws {LineTooLongError} as soon as a line exceeds the maximum; errors of `chunks`.
 */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let [number, length]: [number, number] = [1, 0];
  let parts: string[] = [];
  const append = (part: string): void => {
    length += part.length;
    if (length > MAX_BACKUP_LINE_CHARACTERS) throw new LineTooLongError(number);
    parts.push(part);
  };
  const endLine = (): TextLine => {
    const complete = { text: parts.join(''), number };
    [number, length, parts] = [number + 1, 0, []];
    return complete;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      append(chunk.slice(start, end));
      yield endLine();
      start = end + 1;
    }
    if (start < chunk.length) append(chunk.slice(start));
  }
  if (length > 0) yield endLine();
}
