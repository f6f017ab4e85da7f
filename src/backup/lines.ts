/** The maximum length of a line; records that the service accepts are much smaller. */
export const MAX_BACKUP_LINE_CHARACTERS = 16 * 1_048_576;

/** The maximum length of a line that is not a row. Such lines are parsed, which takes much more memory than their text. */
export const MAX_METADATA_LINE_CHARACTERS = 1_048_576;

/** Thrown for a longer line. */
export class LineTooLongError extends Error {
  constructor(line: number, maxCharacters = MAX_BACKUP_LINE_CHARACTERS) {
    super(`line ${line} is longer than ${maxCharacters / 1_048_576} MiB`);
  }
}

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

/**
 * Whether a row is one JSON array without nested arrays and objects, numbers and booleans: only strings and nulls.
 * PostgreSQL checks the rest of the syntax. Deeply nested JSON crashes the embedded database, and parsing it here would
 * take much more memory than its text.
 */
export function hasNoNestedValues(row: string): boolean {
  for (let at = 1; ; ) {
    const start = row.indexOf('"', at);
    // Outside of strings, only white space, commas and the letters of `null` may occur.
    if (start === -1) return /^[\s,nul]*\]\s*$/.test(row.slice(at));
    if (/[^\s,nul]/.test(row.slice(at, start))) return false;
    const end = endOfString(row, start);
    if (end === undefined) return false;
    at = end;
  }
}

/** The position after the JSON string that starts at a position; undefined if it has no end. */
export function endOfString(text: string, start: number): number | undefined {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return undefined;
}
