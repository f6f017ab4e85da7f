import { createReadStream, type ReadStream } from 'node:fs';
import { type Parser, parse } from 'csv-parse';
import { MAX_COLUMNS, MAX_ROW_BYTES } from '../../domain/core/limits.ts';
import { InvalidFileError, readError, type SourceFile } from './file.ts';

/** The size of a CSV record at which parsing stops, because the record has an unclosed quote or the file is not CSV. */
const MAX_CSV_RECORD_BYTES = 2 * MAX_ROW_BYTES;

interface ParsedRecord {
  readonly record: string[];
  /** The numbers of records, lines, empty lines and bytes up to the end of the record. */
  readonly info: {
    readonly records: number;
    readonly lines: number;
    readonly empty_lines: number;
    readonly bytes: number;
  };
}

/** A record with its cells up to `MAX_COLUMNS`. */
export interface CsvRecord extends ParsedRecord {
  /** The number of cells in the file. */
  readonly cells: number;
  /** The number of CRLF in its cells. */
  readonly crlfs: number;
}

/**
 * Reads the records of a CSV file.
 *
 * @throws {ServiceError} `invalid_request` after the last record before one that is too long or has an unclosed quote.
 */
export async function* readCsvRecords(
  { path, lastByte }: SourceFile,
  delimiter: string,
  lineEnds: readonly string[],
): AsyncGenerator<CsvRecord> {
  const source = createReadStream(path, { end: lastByte });
  const parser = parse({
    delimiter,
    record_delimiter: [...lineEnds],
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_CSV_RECORD_BYTES,
    // The types of the parser do not consider `info`.
    on_record: (parsed: unknown) => limitCells(parsed as ParsedRecord) as never,
    // Otherwise, an error of the stream would discard parsed records that have not been read yet.
    skip_records_with_error: true,
    on_skip: (error) => stopReading(error?.code === 'CSV_MAX_RECORD_SIZE'),
  });
  /** Set at the first record that cannot be parsed. The cast keeps TypeScript from narrowing it: a callback sets it. */
  let stop = undefined as { readonly isTooLong: boolean; readonly recordsBefore: number } | undefined;
  /** Stops reading the file. Records that are already parsed are still returned. */
  const stopReading = (isTooLong: boolean): undefined => {
    if (stop) return;
    stop = { isTooLong, recordsBefore: parser.info.records };
    source.unpipe(parser);
    source.destroy();
    parser.end();
  };
  source.on('error', (error) => parser.destroy(readError(path, error) as Error));
  source.pipe(parser);
  onTooLongRecord(source, parser, () => stopReading(true));
  // The parser counts CRLF within cells as two lines.
  let [lines, crlfs] = [0, 0];
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      // After the stop, the parser returns parts of the unfinished record as further records.
      if (stop && record.info.records > stop.recordsBefore) break;
      crlfs += record.crlfs;
      lines = record.info.lines - crlfs;
      yield { ...record, info: { ...record.info, lines } };
    }
  } finally {
    source.destroy();
  }
  if (!stop) return;
  const row = `the row that starts on line ${lines + 1}`;
  const problem = stop.isTooLong
    ? `${row} is longer than ${MAX_CSV_RECORD_BYTES / 1_048_576} MiB (does it have an unclosed quote?)`
    : `${row} has an unclosed quote`;
  throw new InvalidFileError(
    path,
    `${problem}; rows that were stored before it are kept. Correct it and run the import again`,
  );
}

/** Watches for a record that is too long: `max_record_size` does not count delimiters. Call it after `pipe`. */
function onTooLongRecord(source: ReadStream, parser: Parser, stop: () => void): void {
  let [bytesRead, recordsEnded, recordStart] = [0, 0, 0];
  source.on('data', (chunk) => {
    // The parser's counters include the chunk, because it was piped first.
    const { records, empty_lines } = parser.info;
    if (records + empty_lines > recordsEnded) [recordsEnded, recordStart] = [records + empty_lines, bytesRead];
    bytesRead += chunk.length;
    if (bytesRead - recordStart > MAX_CSV_RECORD_BYTES) stop();
  });
}

/** Truncates a record to `MAX_COLUMNS` cells: a row of delimiters would otherwise take much more memory than its bytes. */
function limitCells({ record, info }: ParsedRecord): CsvRecord {
  const limited = record.length > MAX_COLUMNS ? record.slice(0, MAX_COLUMNS) : record;
  const crlfs = record.reduce((count, cell) => count + (cell.includes('\r\n') ? cell.split('\r\n').length - 1 : 0), 0);
  return { record: limited, cells: record.length, crlfs, info };
}
