import { openCsv } from './csv-rows.ts';
import type { Rows, SourceFile } from './file.ts';
import { readNdjson } from './ndjson-rows.ts';

/** Opens the rows of a file. @throws {ServiceError} `invalid_request` when a CSV file has no valid header. */
export async function openRows(file: SourceFile): Promise<Rows> {
  return file.format === 'csv' ? openCsv(file) : { rows: readNdjson(file) };
}
