import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import { invalidRequest, type ServiceError } from '../../domain/core/errors.ts';
import type { ResourceName } from '../records/batch.ts';
import { RESOURCE_NAMES } from '../resources/registry.ts';

/** How the rows of a file are written. */
export type Format = 'csv' | 'ndjson';

/** A file that is to be read, looked through once. */
export interface SourceFile {
  readonly path: string;
  readonly format: Format;
  readonly bytes: number;
  readonly sha256: Buffer;
  /** Its first bytes as text. */
  readonly beginning: string;
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

/** A refusal of a file as a whole: nothing of it was read. */
export function refusedFile(path: string, message: string): ServiceError {
  return invalidRequest({ field: basename(path), message });
}

/** The kind of records that a file's name tells: `members.csv`, `members-2026.ndjson`. */
export function resourceOfFile(path: string): ResourceName | undefined {
  const name = basename(path).toLowerCase().replaceAll('-', '_');
  const fits = RESOURCE_NAMES.filter((resource) => new RegExp(`^${resource}([^a-z]|_|$)`).test(name));
  return fits.sort((one, other) => other.length - one.length)[0];
}

/**
 * Looks through a file once, before anything of it is stored.
 *
 * @throws {ServiceError} `invalid_request` when it cannot be read, or is no UTF-8.
 */
export async function inspectFile(path: string, format?: Format): Promise<SourceFile> {
  const known = format ?? EXTENSIONS[extname(path).toLowerCase()];
  if (!known) throw refusedFile(path, 'say by --format whether it is csv or ndjson: its name does not tell');
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [bytes, lines, beginning] = [0, 1, Buffer.alloc(0)];
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (beginning.length < BEGINNING_BYTES)
        beginning = Buffer.concat([beginning, chunk]).subarray(0, BEGINNING_BYTES);
      if (bytes === 0) requireNoUtf16(path, chunk);
      hash.update(chunk);
      decodeChunk(decoder, path, chunk, lines);
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
    }
    decodeChunk(decoder, path, undefined, lines);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw refusedFile(path, `cannot be read (${(error as Error).message})`);
  }
  return { path, format: known, bytes, sha256: hash.digest(), beginning: new TextDecoder().decode(beginning) };
}

function requireNoUtf16(path: string, chunk: Buffer): void {
  const [first, second] = chunk;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw refusedFile(path, 'is written in UTF-16; save it as UTF-8 (in Excel: "CSV UTF-8")');
  }
}

function decodeChunk(decoder: TextDecoder, path: string, chunk: Buffer | undefined, line: number): void {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    const at = chunk ? line + linesBeforeFault(chunk) : line;
    const right = 'save it as UTF-8 (in Excel: "CSV UTF-8"), or convert it: iconv -f WINDOWS-1252 -t UTF-8';
    throw refusedFile(path, `is not UTF-8 (line ${at}), but perhaps Windows-1252; ${right}`);
  }
}

/** How many lines end before the first line of a chunk that is no UTF-8; the first may have begun in another chunk. */
function linesBeforeFault(chunk: Buffer): number {
  let [count, start] = [0, chunk.indexOf(10) + 1];
  for (let end = chunk.indexOf(10, start); end !== -1; end = chunk.indexOf(10, start)) {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(chunk.subarray(start, end));
    } catch {
      return count + 1;
    }
    [count, start] = [count + 1, end + 1];
  }
  return count;
}
