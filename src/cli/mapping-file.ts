import { createReadStream } from 'node:fs';
import { invalidRequest, quote } from '../domain/core/errors.ts';
import { MAX_MAPPING_BYTES } from '../domain/core/limits.ts';
import type { ValueMap } from '../import-export/rows/field-reader.ts';

/** The content of a mapping file. */
interface MappingFile {
  /** Fields by column; an empty field ignores the column. */
  readonly columns: ReadonlyMap<string, string>;
  readonly values: ValueMap;
}

const EXAMPLE =
  'it must be a JSON object like {"columns": {"Given Name": "first_name"}, "values": {"gender": {"Woman": "Female"}}}';

/**
 * Reads a file that maps columns to fields, and texts to values. It is an object with `columns` and `values`, or only
 * that of the columns.
 *
 * @param file undefined for no mapping.
 * @throws {ServiceError} `invalid_request` if it cannot be read, is too long, or does not have this structure.
 */
export async function readMapping(file: string | undefined): Promise<MappingFile> {
  if (file === undefined) return { columns: new Map(), values: {} };
  const invalidMapping = (reason: string) =>
    invalidRequest({ field: '--mapping', message: `${file} ${reason}; ${EXAMPLE}` });
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
  const isFlat = isObject(value) && !isObject(value.columns) && !isObject(value.values);
  if (isFlat && isObjectOfStrings(value)) return { columns: new Map(Object.entries(value)), values: {} };
  if (isFlat || !isObject(value)) throw invalidMapping('is not an object of strings');
  const { columns = {}, values = {}, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) throw invalidMapping(`has the property ${quote(other)} beside columns and values`);
  if (!isObjectOfStrings(columns)) throw invalidMapping('has "columns" that are not an object of strings');
  if (!isObject(values)) throw invalidMapping('has "values" that are not an object');
  const wrong = Object.entries(values).find(([, texts]) => !isObjectOfStrings(texts));
  if (wrong) throw invalidMapping(`has "values" of ${quote(wrong[0])} that are not an object of strings`);
  return { columns: new Map(Object.entries(columns)), values: values as ValueMap };
}

function isObjectOfStrings(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((item) => typeof item === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads at most this many bytes of a file. */
async function readUpTo(file: string, bytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: bytes - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
