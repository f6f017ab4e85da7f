import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { type FieldError, quote } from '../../domain/core/errors.ts';
import { MAX_COLUMNS, MAX_ROW_BYTES } from '../../domain/core/limits.ts';
import { type FileRow, invalidFile, type Rows, readError, type SourceFile } from './file.ts';

/** The size of a CSV record at which parsing stops, because the record has an unclosed quote or the file is not CSV. */
const MAX_CSV_RECORD_BYTES = 2 * MAX_ROW_BYTES;

/** Opens the rows of a CSV file. @throws {ServiceError} `invalid_request` when it has no valid header. */
export async function openCsv(file: SourceFile): Promise<Rows> {
  const header = headerOf(file.beginning);
  const delimiter = delimiterOf(header.text);
  const records = csvRecords(file, delimiter, header.lineEnds);
  const first = await records.next();
  if (first.done) throw invalidFile(file.path, 'is empty; its first line must list the column names');
  const columns = first.value.record.map((name) => name.trim());
  if (first.value.cells > MAX_COLUMNS) {
    const message = `has ${first.value.cells} columns, more than ${MAX_COLUMNS}; remove those that are not imported`;
    await records.return(undefined);
    throw invalidFile(file.path, message);
  }
  const indexes = new Map(columns.map((name, at) => [name, at]));
  const repeated = columns.find((name, at) => name !== '' && indexes.get(name) !== at);
  if (repeated !== undefined) throw invalidFile(file.path, `has the column ${quote(repeated)} more than once`);
  return { columns, delimiter, rows: csvRows(columns, records, first.value.info) };
}

/**
 * The header line, and the line ends of the file. LF and CRLF can be mixed, as in concatenated files; CR ends lines only
 * if it ends the header.
 */
function headerOf(beginning: string): { readonly text: string; readonly lineEnds: string[] } {
  const [, text = '', lineEnd] = /^[\ufeff\r\n]*((?:[^"\r\n]|"(?:[^"]|"")*"?)*)(\r\n?|\n)?/.exec(beginning) ?? [];
  return { text, lineEnds: lineEnd === '\r' ? ['\r\n', '\n', '\r'] : ['\r\n', '\n'] };
}

/** The delimiter that occurs most often in the header line, outside of quotes. */
function delimiterOf(header: string): string {
  const unquoted = header.replace(/"(?:[^"]|"")*"?/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: unquoted.split(delimiter).length }));
  return counts.sort((a, b) => b.count - a.count)[0]?.delimiter ?? ',';
}

/** A record as the parser returns it. */
interface ParsedRecord {
  readonly record: string[];
  readonly info: {
    readonly records: number;
    readonly lines: number;
    readonly empty_lines: number;
    readonly bytes: number;
  };
}

/** A record with its cells up to `MAX_COLUMNS`. */
interface CsvRecord extends ParsedRecord {
  /** The number of cells in the file. */
  readonly cells: number;
  /** The number of CRLF in its cells. */
  readonly crlfs: number;
}

async function* csvRecords(file: SourceFile, delimiter: string, lineEnds: string[]): AsyncGenerator<CsvRecord> {
  /** The number of records before the point at which reading was stopped. */
  let recordsBeforeStop: number | undefined;
  let isTooLong = false;
  const source = createReadStream(file.path);
  const parser = parse({
    delimiter,
    record_delimiter: lineEnds,
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
    on_skip: (error) => {
      stop(error?.code === 'CSV_MAX_RECORD_SIZE');
    },
  });
  /** Stops reading. Records that are already parsed are still returned. */
  const stop = (tooLong: boolean) => {
    if (recordsBeforeStop !== undefined) return;
    recordsBeforeStop = parser.info.records;
    isTooLong = tooLong;
    source.unpipe(parser);
    source.destroy();
    parser.end();
  };
  source.on('error', (error) => parser.destroy(readError(file.path, error) as Error));
  source.pipe(parser);
  // Checked here, because `max_record_size` does not count delimiters. The listener is added after `pipe`, so that the
  // parser's counters include the chunk.
  let [bytesRead, recordsEnded, rowStart] = [0, 0, 0];
  source.on('data', (chunk) => {
    const { records, empty_lines } = parser.info;
    if (records + empty_lines > recordsEnded) [recordsEnded, rowStart] = [records + empty_lines, bytesRead];
    bytesRead += chunk.length;
    if (bytesRead - rowStart > MAX_CSV_RECORD_BYTES) stop(true);
  });
  // The parser counts CRLF within cells as two lines.
  let [lines, crlfs] = [0, 0];
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      // After an unfinished record, the parser returns parts of it as records.
      if (recordsBeforeStop !== undefined && record.info.records > recordsBeforeStop) break;
      crlfs += record.crlfs;
      lines = record.info.lines - crlfs;
      yield { ...record, info: { ...record.info, lines } };
    }
  } finally {
    source.destroy();
  }
  if (recordsBeforeStop === undefined) return;
  const row = `the row that starts on line ${lines + 1}`;
  const problem = isTooLong
    ? `${row} is longer than ${MAX_CSV_RECORD_BYTES / 1_048_576} MiB (does it have an unclosed quote?)`
    : `${row} has an unclosed quote`;
  throw invalidFile(
    file.path,
    `${problem}; rows that were stored before it are kept. Correct it and run the import again`,
  );
}

/** Truncates a record to `MAX_COLUMNS` cells: a row of delimiters would otherwise take much more memory than its bytes. */
function limitCells({ record, info }: ParsedRecord): CsvRecord {
  const limited = record.length > MAX_COLUMNS ? record.slice(0, MAX_COLUMNS) : record;
  const crlfs = record.reduce((count, cell) => count + (cell.includes('\r\n') ? cell.split('\r\n').length - 1 : 0), 0);
  return { record: limited, cells: record.length, crlfs, info };
}

/** @param headerEnd the offset in the file after the header. */
async function* csvRows(
  columns: readonly string[],
  records: AsyncGenerator<CsvRecord>,
  header: ParsedRecord['info'],
): AsyncGenerator<FileRow> {
  let [line, emptyLinesSeen, rowStart] = [header.lines + 1, header.empty_lines, header.bytes];
  for await (const { record, cells, info } of records) {
    const emptyLines = info.empty_lines - emptyLinesSeen;
    const row = { line: line + emptyLines, endOffset: info.bytes, csvCells: record };
    // Empty lines before the row are not counted; each has at most two bytes.
    const isTooLong = info.bytes - rowStart - 2 * emptyLines > MAX_ROW_BYTES;
    [line, emptyLinesSeen, rowStart] = [info.lines + 1, info.empty_lines, info.bytes];
    const values: Record<string, unknown> = Object.create(null);
    for (const [at, name] of columns.entries()) if (name !== '') values[name] = record[at] ?? '';
    const problem = isTooLong ? TOO_LONG : cellCountError(record, cells, columns.length);
    yield problem ? { ...row, values, problem } : { ...row, values };
  }
}

const TOO_LONG: FieldError = { field: 'row', message: `the row is longer than ${MAX_ROW_BYTES / 1_048_576} MiB` };

/** Returns the error for a record with more cells than columns. Additional empty cells are accepted, up to `MAX_COLUMNS`. */
function cellCountError(record: readonly string[], cells: number, columns: number): FieldError | undefined {
  if (cells === columns) return undefined;
  const isComplete = cells > columns && cells === record.length;
  if (isComplete && record.slice(columns).every((cell) => cell === '')) return undefined;
  const message = `the row has ${cells} cells, the header ${columns}: is a delimiter or quote missing?`;
  return { field: 'row', message };
}
