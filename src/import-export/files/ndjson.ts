import { createReadStream } from 'node:fs';
import { MAX_COLUMNS, MAX_ROW_BYTES } from '../../domain/values/limits.ts';
import { type FileRow, readError, type SourceFile } from './file.ts';
import { isTooDeep, TOO_DEEP } from './json.ts';

/** The maximum length of an unparsable row in the rejects file. */
const MAX_REJECTED_TEXT_CHARACTERS = 1_000;

/** Reads the rows of an NDJSON file: one JSON object per line. */
export async function* readNdjson(file: SourceFile): AsyncGenerator<FileRow> {
  let line = 0;
  for await (const { endOffset, text, tooLong } of lines(file)) {
    line++;
    const json = line === 1 ? text.replace(/^\ufeff/, '') : text;
    const row = { line, endOffset };
    if (tooLong) yield { ...row, ...unreadable(json, `the line is longer than ${MAX_ROW_BYTES / 1_048_576} MiB`) };
    else if (json.trim() !== '') yield { ...row, ...parseLine(json) };
  }
}

function parseLine(text: string): Pick<FileRow, 'values' | 'problem' | 'text'> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (isTooDeep(value)) return unreadable(text, TOO_DEEP);
      const { length } = Object.keys(value);
      if (length > MAX_COLUMNS) return unreadable(text, `has ${length} fields, more than ${MAX_COLUMNS}`);
      return { values: value as Record<string, unknown> };
    }
    return unreadable(text, 'must be one JSON object per line (convert an array with: jq -c ".[]")');
  } catch (error) {
    return unreadable(text, `is not valid JSON (${(error as Error).message}); must be one JSON object per line`);
  }
}

function unreadable(text: string, message: string): Pick<FileRow, 'values' | 'problem' | 'text'> {
  return { values: {}, problem: { field: 'row', message }, text: text.slice(0, MAX_REJECTED_TEXT_CHARACTERS) };
}

interface Line {
  readonly text: string;
  readonly tooLong: boolean;
  /** The offset in the file after this line, in bytes. */
  readonly endOffset: number;
}

/**
 * The lines of a file. A line that is too long is truncated; readline is not used, because it would buffer the whole
 * line.
 */
async function* lines(file: SourceFile): AsyncGenerator<Line> {
  let [chunks, length, offset]: [Buffer[], number, number] = [[], 0, 0];
  const line = (): Line => {
    const text = Buffer.concat(chunks).toString('utf8');
    const tooLong = length > MAX_ROW_BYTES;
    [chunks, length] = [[], 0];
    return { text: text.endsWith('\r') ? text.slice(0, -1) : text, tooLong, endOffset: offset };
  };
  const append = (chunk: Buffer) => {
    if (length <= MAX_ROW_BYTES) chunks.push(chunk.subarray(0, MAX_ROW_BYTES + 1 - length));
    length += chunk.length;
    offset += chunk.length;
  };
  for await (const chunk of readChunks(file)) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      append(chunk.subarray(start, end));
      offset++;
      yield line();
      start = end + 1;
    }
    if (start < chunk.length) append(chunk.subarray(start));
  }
  if (length > 0) yield line();
}

async function* readChunks({ path, lastByte }: SourceFile): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { end: lastByte }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw readError(path, error);
  }
}
