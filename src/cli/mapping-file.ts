import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { invalidRequest } from '../domain/core/errors.ts';
import { MAX_MAPPING_BYTES } from '../domain/values/limits.ts';

const texts = z.record(z.string(), z.string());
/** Fields by column, of which an empty one ignores the column; and values by text, by field. */
const columnsAndValues = z.strictObject({
  columns: texts.default({}),
  values: z.record(z.string(), texts).default({}),
});
/** Only the columns, or columns and values. */
const mappingFile = z.union([texts.transform((columns) => ({ columns, values: {} })), columnsAndValues]);

const EXAMPLE =
  'it must be a JSON object like {"columns": {"Given Name": "first_name"}, "values": {"gender": {"Woman": "Female"}}}';

/**
 * Reads a file that maps columns to fields, and texts to values. It is an object with `columns` and `values`, or only
 * that of the columns.
 *
 * @param file undefined for no mapping.
 * @throws {ServiceError} `invalid_request` if it cannot be read, is too long, or does not have this structure.
 */
export async function readMapping(file: string | undefined): Promise<z.output<typeof columnsAndValues>> {
  if (file === undefined) return { columns: {}, values: {} };
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
  const { data } = mappingFile.safeParse(value);
  if (data) return data;
  const [issue] = columnsAndValues.safeParse(value).error?.issues ?? [];
  const place = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  throw invalidMapping(`is not a mapping (${place}${issue?.message})`);
}

/** Reads at most this many bytes of a file. */
async function readUpTo(file: string, bytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { end: bytes - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
