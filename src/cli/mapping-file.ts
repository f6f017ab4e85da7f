import { createReadStream } from 'node:fs';
import { invalidRequest } from '../domain/core/errors.ts';
import { MAX_MAPPING_BYTES } from '../domain/core/limits.ts';

/**
 * Reads a file that maps columns to fields.
 *
 * @param file undefined for no mapping.
 * @throws {ServiceError} `invalid_request` if it cannot be read, is too long, or is not a JSON object of strings.
 */
export async function readMapping(file: string | undefined): Promise<Map<string, string>> {
  if (file === undefined) return new Map();
  const invalidMapping = (reason: string) =>
    invalidRequest({
      field: '--mapping',
      message: `${file} ${reason}; it must be a JSON object like {"Given Name": "first_name"}`,
    });
  const text = await readUpTo(file, MAX_MAPPING_BYTES + 1).catch((error: Error) => {
    throw invalidMapping(`cannot be read (${error.message})`);
  });
  if (Buffer.byteLength(text) > MAX_MAPPING_BYTES) {
    throw invalidMapping(`is longer than ${MAX_MAPPING_BYTES / 1_048_576} MiB`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw invalidMapping('is not valid JSON');
  }
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [['', 0]];
  if (Array.isArray(value) || entries.some(([, field]) => typeof field !== 'string')) {
    throw invalidMapping('is not an object of strings');
  }
  return new Map(entries as [string, string][]);
}

/** Reads at most this many bytes of a file. */
async function readUpTo(file: string, bytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: bytes - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
