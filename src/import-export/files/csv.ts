import { createReadStream, type ReadStream } from 'node:fs';
import { type Parser, parse } from 'csv-parse';
import type { FieldError } from '../../domain/core/errors.ts';
import { MAX_COLUMNS, MAX_ROW_BYTES } from '../../domain/values/limits.ts';
import { type FileRow, InvalidFileError, type Rows, readError, type SourceFile } from './file.ts';

/** Opens the rows of a CSV file. @throws {ServiceError} `invalid_request` when it has no valid header. */
export async function openCsv(file: SourceFile): Promise<Rows> {
  const { text, lineEnds, separator } = headerOf(file.beginning);
  const delimiter = separator ?? delimiterOf(text);
  const records = readCsvRecords(file, delimiter, lineEnds);
  if (separator !== undefined) await records.next();
  const first = await records.next();
  if (first.done) throw new InvalidFileError(file.path, 'is empty; its first line must list the column names');
  const header = first.value.record.map((name) => name.trim());
  const columns = distinctNames(header);
  if (first.value.cells > MAX_COLUMNS) {
    const message = `has ${first.value.cells} columns, more than ${MAX_COLUMNS}; remove those that are not imported`;
    await records.return(undefined);
    throw new InvalidFileError(file.path, message);
  }
  const rows = csvRows(columns, records, first.value.info, delimiter);
  // The rejects file has no line that names its separator.
  return { columns, header, delimiter: DELIMITERS.includes(delimiter) ? delimiter : ',', rows };
}

/** Gives columns that have the name of an earlier one a name of their own: `Email (2)`. */
function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let number = 2; name !== '' && taken.has(distinct); number++) distinct = `${name} (${number})`;
    taken.add(distinct);
    return distinct;
  });
}

/** A first line such as `sep=;`, with which files tell Excel their separator. */
const SEPARATOR_LINE = /^[\ufeff\r\n]*"?sep=([^\p{L}\p{N}\s"]|\\t|\t)\1*"? *(?:\r\n?|\n|$)/iu;

interface Header {
  readonly text: string;
  readonly lineEnds: string[];
  /** The separator that a line above the header names. */
  readonly separator?: string | undefined;
}

/**
 * The header line, and the line ends of the file. LF and CRLF can be mixed, as in concatenated files; CR ends lines only
 * if it ends the header.
 */
export function headerOf(beginning: string): Header {
  const [line = '', separator] = SEPARATOR_LINE.exec(beginning) ?? [];
  const [, text = '', lineEnd] =
    /^[\ufeff\r\n]*((?:[^"\r\n]|"(?:[^"]|"")*"?)*)(\r\n?|\n)?/.exec(beginning.slice(line.length)) ?? [];
  const lineEnds = lineEnd === '\r' ? ['\r\n', '\n', '\r'] : ['\r\n', '\n'];
  return { text, lineEnds, separator: separator === '\\t' ? '\t' : separator };
}

/** The cells of a line, without the quotes around them. */
export function cellsOfLine(line: string): string[] {
  return line.split(delimiterOf(line)).map((cell) => cell.replace(/^[\ufeff\s"]+|[\s"]+$/g, ''));
}

const DELIMITERS = [',', ';', '\t'];

/** The delimiter that occurs most often in the header line, outside of quotes. */
function delimiterOf(header: string): string {
  const unquoted = header.replace(/"(?:[^"]|"")*"?/g, '');
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: unquoted.split(delimiter).length }));
  return counts.sort((a, b) => b.count - a.count)[0]?.delimiter ?? ',';
}

/**
 * Columns without a name, as in spreadsheets with empty columns, are named by their number in rows that have a value there.
 *
 * @param header the parser's counters after the header.
 */
async function* csvRows(
  columns: readonly string[],
  records: AsyncGenerator<CsvRecord>,
  header: CsvRecord['info'],
  delimiter: string,
): AsyncGenerator<FileRow> {
  let [line, emptyLinesSeen, rowStart] = [header.lines + 1, header.empty_lines, header.bytes];
  for await (const { record: parsed, cells: parsedCells, info } of records) {
    const record = joinFormulas(parsed, delimiter);
    const cells = parsedCells - parsed.length + record.length;
    const emptyLines = info.empty_lines - emptyLinesSeen;
    const row = { line: line + emptyLines, endOffset: info.bytes, csvCells: record };
    const isBlank = cells === record.length && record.every((cell) => cell.trim() === '');
    // Empty lines before the row are not counted; each has at most two bytes.
    const isTooLong = info.bytes - rowStart - 2 * emptyLines > MAX_ROW_BYTES;
    [line, emptyLinesSeen, rowStart] = [info.lines + 1, info.empty_lines, info.bytes];
    if (isBlank) continue;
    const values: Record<string, unknown> = Object.create(null);
    for (const [at, name] of columns.entries()) {
      const cell = record[at] ?? '';
      if (name !== '') values[name] = cell;
      else if (cell !== '') values[`(column ${at + 1})`] = cell;
    }
    const problem = isTooLong ? TOO_LONG : cellCountError(record, cells, columns.length);
    yield problem ? { ...row, values, problem } : { ...row, values };
  }
}

/** The beginning of a cell such as `="1,234"` without quotes around it, in which the parser ends cells at separators. */
const OPEN_FORMULA = /^="(?:[^"]|"")*$/;

/** Joins the parts of such cells. */
function joinFormulas(record: readonly string[], delimiter: string): readonly string[] {
  if (!record.some((cell) => OPEN_FORMULA.test(cell))) return record;
  const joined: string[] = [];
  for (const cell of record) {
    const open = OPEN_FORMULA.test(joined.at(-1) ?? '') ? joined.pop() : undefined;
    joined.push(open === undefined ? cell : `${open}${delimiter}${cell}`);
  }
  return OPEN_FORMULA.test(joined.at(-1) ?? '') ? record : joined;
}

const TOO_LONG: FieldError = { field: 'row', message: `the row is longer than ${MAX_ROW_BYTES / 1_048_576} MiB` };

/**
 * Returns the error for a record with more cells than columns. Missing cells are empty, and additional empty cells are
 * accepted, up to `MAX_COLUMNS`.
 */
function cellCountError(record: readonly string[], cells: number, columns: number): FieldError | undefined {
  const isComplete = cells === record.length;
  if (isComplete && record.slice(columns).every((cell) => cell.trim() === '')) return undefined;
  const message = `the row has ${cells} cells, the header ${columns}: is a delimiter or quote missing?`;
  return { field: 'row', message };
}

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
interface CsvRecord extends ParsedRecord {
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
async function* readCsvRecords(
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
