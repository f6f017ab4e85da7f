import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { type FieldError, ServiceError } from '../../domain/core/errors.ts';

export type Format = 'csv' | 'ndjson';

/** A file to import, as found by {@link inspectFile}. */
export interface SourceFile {
  readonly path: string;
  readonly format: Format;
  readonly bytes: number;
  /** The offset of the last byte that is read, if the file ends with Ctrl-Z, as DOS programs write it. */
  readonly lastByte?: number | undefined;
  readonly modifiedAtMs: number;
  readonly sha256: Buffer;
  /** Its first 64 KiB as text. */
  readonly beginning: string;
}

/** A row of a file, before its values are parsed. */
export interface FileRow {
  /** The line on which it starts, from 1. */
  readonly line: number;
  /** The offset in the file after this row, in bytes. */
  readonly endOffset: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** The error of a row that cannot be parsed. */
  readonly problem?: FieldError;
  /** The original text of a row that cannot be parsed, truncated. */
  readonly text?: string;
  /** CSV only: the cells in column order. */
  readonly csvCells?: readonly string[];
}

/** A file's rows; for CSV with the columns of its header. */
export interface Rows {
  /** Distinct names of the columns. */
  readonly columns?: readonly string[];
  /** The names in the header, in the order of `columns`. */
  readonly header?: readonly string[];
  readonly delimiter?: string;
  readonly rows: AsyncGenerator<FileRow>;
}

const EXTENSIONS: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'ndjson',
};

const BEGINNING_BYTES = 65_536;
const CTRL_Z = 0x1a;

/** An `invalid_request` error that rejects a whole file. Its field is the name of the file. */
export class InvalidFileError extends ServiceError {
  constructor(path: string, message: string) {
    const field = basename(path);
    super('invalid_request', `${field}: ${message}`, [{ field, message }]);
  }
}

/**
 * Reads a whole file once, before anything is imported: its size, hash, format and encoding.
 *
 * @throws {ServiceError} `invalid_request` when it cannot be read, is not a regular file or is not UTF-8.
 */
export async function inspectFile(path: string, format?: Format): Promise<SourceFile> {
  const status = await stat(path).catch((error: unknown) => {
    throw readError(path, error);
  });
  if (status.isDirectory()) throw new InvalidFileError(path, 'is a folder; name the files in it instead');
  const detectedFormat = format ?? EXTENSIONS[extname(path).toLowerCase()];
  if (!detectedFormat) throw new InvalidFileError(path, 'has no known file extension; set --format to csv or ndjson');
  // A pipe can be read only once, and a device can be endless.
  if (!status.isFile()) throw new InvalidFileError(path, 'is not a regular file; write the data to a file first');
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [bytes, lines, beginning] = [0, 1, Buffer.alloc(0)];
  let ctrlZ: number | undefined;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (beginning.length < BEGINNING_BYTES)
        beginning = Buffer.concat([beginning, chunk]).subarray(0, BEGINNING_BYTES);
      if (bytes === 0) rejectUtf16(path, chunk);
      hash.update(chunk);
      decodeChunk(decoder, path, chunk, lines);
      const lastText = chunk.findLastIndex((byte) => byte !== CTRL_Z && byte !== 10 && byte !== 13);
      if (lastText !== -1) ctrlZ = undefined;
      const found = chunk.indexOf(CTRL_Z, lastText + 1);
      if (found !== -1) ctrlZ ??= bytes + found;
      bytes += chunk.length;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, end + 1)) lines++;
    }
    decodeChunk(decoder, path, undefined, lines);
  } catch (error) {
    throw readError(path, error);
  }
  return {
    path,
    format: detectedFormat,
    bytes,
    lastByte: ctrlZ && ctrlZ - 1,
    modifiedAtMs: status.mtimeMs,
    sha256: hash.digest(),
    beginning: new TextDecoder().decode(beginning),
  };
}

/** Whether a file was written or removed after {@link inspectFile} started to read it. */
export async function hasChanged({ path, bytes, modifiedAtMs }: SourceFile): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  return status?.size !== bytes || status.mtimeMs !== modifiedAtMs;
}

/** Converts an error of the file system to one that rejects the file; other errors are returned unchanged. */
export function readError(path: string, error: unknown): unknown {
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new InvalidFileError(path, `cannot be read (${message})`);
}

/** Rejects UTF-16. Without a byte order mark, every second byte of the ASCII characters at the beginning is NUL. */
function rejectUtf16(path: string, chunk: Buffer): void {
  const mark = chunk.subarray(0, 2).toString('hex');
  const sample = chunk.subarray(0, 64);
  const nulsAt = (start: 0 | 1) => sample.filter((byte, at) => byte === 0 && at % 2 === start).length;
  const hasNulsAt = (start: 0 | 1) => nulsAt(start) > sample.length / 4 && nulsAt(start === 0 ? 1 : 0) === 0;
  const encoding =
    mark === 'fffe' || hasNulsAt(1) ? 'UTF-16LE' : mark === 'feff' || hasNulsAt(0) ? 'UTF-16BE' : undefined;
  if (encoding === undefined) return;
  throw new InvalidFileError(path, `is UTF-16; ${howToConvert(encoding)}`);
}

function howToConvert(encoding: string): string {
  return `save it as UTF-8 (in Excel: "CSV UTF-8"), or convert it: iconv -f ${encoding} -t UTF-8`;
}

function decodeChunk(decoder: TextDecoder, path: string, chunk: Buffer | undefined, line: number): void {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    const lineNumber = chunk ? line + linesBeforeInvalidUtf8(chunk) : line;
    const advice = howToConvert('WINDOWS-1252');
    throw new InvalidFileError(path, `is not UTF-8 (line ${lineNumber}), but possibly Windows-1252; ${advice}`);
  }
}

/** The number of lines before the first invalid one in a chunk, whose first line may start in the previous chunk. */
function linesBeforeInvalidUtf8(chunk: Buffer): number {
  let [count, start] = [0, chunk.indexOf(10) + 1];
  for (let end = chunk.indexOf(10, start); end !== -1; end = chunk.indexOf(10, start)) {
    count++;
    if (!isUtf8(chunk.subarray(start, end))) break;
    start = end + 1;
  }
  return count;
}
