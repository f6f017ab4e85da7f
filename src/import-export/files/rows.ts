import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { type FieldError, quoted } from '../../domain/core/errors.ts';
import { MAX_COLUMNS, MAX_DEPTH, MAX_ROW_BYTES } from '../../domain/core/limits.ts';
import { refusedFile, type SourceFile } from './file.ts';

/** A row of a file, before its values are understood. */
export interface FileRow {
  /** Where it begins, from 1. */
  readonly line: number;
  /** How much of the file is read with it. */
  readonly bytes: number;
  /** Its values under the names of its columns. */
  readonly cells: Readonly<Record<string, unknown>>;
  /** What is wrong with the row as a whole. */
  readonly problem?: FieldError;
  /** What stands there, where it could not be taken apart. */
  readonly text?: string;
  /** Of CSV: the cells in their order. */
  readonly list?: readonly string[];
}

/** A file's rows; of CSV with the columns that its first line names. */
export interface Rows {
  readonly columns?: readonly string[];
  readonly delimiter?: string;
  readonly rows: AsyncGenerator<FileRow>;
}

/** A CSV row that is longer is not read to its end: it has a quote that nobody closed, or is no row. */
const ENDLESS_ROW_BYTES = 2 * MAX_ROW_BYTES;
/** How much of a row that could not be taken apart is shown. */
const SHOWN_CHARACTERS = 1_000;

/** Opens the rows of a file. @throws {ServiceError} `invalid_request` where it has no header line. */
export async function openRows(file: SourceFile): Promise<Rows> {
  if (file.format === 'ndjson') return { rows: ndjsonRows(file) };
  const delimiter = delimiterOf(file.beginning);
  const records = csvRecords(file, delimiter);
  const first = await records.next();
  if (first.done) throw refusedFile(file.path, 'is empty; its first line must name the columns');
  const columns = first.value.record.map((name) => name.trim());
  if (columns.length > MAX_COLUMNS) {
    const message = `has ${columns.length} columns, more than ${MAX_COLUMNS}; leave out those that are not imported`;
    await records.return(undefined);
    throw refusedFile(file.path, message);
  }
  const places = new Map(columns.map((name, at) => [name, at]));
  const repeated = columns.find((name, at) => name !== '' && places.get(name) !== at);
  if (repeated !== undefined) throw refusedFile(file.path, `has the column ${quoted(repeated)} twice`);
  return { columns, delimiter, rows: csvRows(columns, records, first.value.info.bytes) };
}

/** The delimiter that the header line has most of, outside of quotes. */
function delimiterOf(beginning: string): string {
  const header = /^\ufeff?(?:[^"\r\n]|"(?:[^"]|"")*"?)*/.exec(beginning.trimStart())?.[0] ?? '';
  const bare = header.replace(/"(?:[^"]|"")*"?/g, '');
  const counted = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counted.sort((one, other) => other.count - one.count)[0]?.delimiter ?? ',';
}

interface CsvRecord {
  readonly record: string[];
  readonly info: {
    readonly records: number;
    readonly lines: number;
    readonly empty_lines: number;
    readonly bytes: number;
  };
}

async function* csvRecords(file: SourceFile, delimiter: string): AsyncGenerator<CsvRecord> {
  let [records, isEndless]: [number | undefined, boolean] = [undefined, false];
  const source = createReadStream(file.path);
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: ENDLESS_ROW_BYTES,
    // An error of the stream would lose the records before it that nobody has taken yet.
    skip_records_with_error: true,
    on_skip: (error) => {
      stop(error?.code === 'CSV_MAX_RECORD_SIZE');
    },
  });
  /** Reads no further; the records before are still taken. */
  const stop = (endless: boolean) => {
    if (records !== undefined) return;
    [records, isEndless] = [parser.info.records, endless];
    source.unpipe(parser);
    source.destroy();
    parser.end();
  };
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  // The parser's own bound counts no delimiters. After `pipe`: the parser has seen what is counted.
  let [read, ended, begunAt] = [0, 0, 0];
  source.on('data', (chunk) => {
    const { records, empty_lines } = parser.info;
    if (records + empty_lines > ended) [ended, begunAt] = [records + empty_lines, read];
    read += chunk.length;
    if (read - begunAt > ENDLESS_ROW_BYTES) stop(true);
  });
  let lines = 0;
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      // What follows a row that never ends is made of its middle.
      if (records !== undefined && record.info.records > records) break;
      lines = record.info.lines;
      yield record;
    }
  } finally {
    source.destroy();
  }
  if (records === undefined) return;
  const row = `the row that begins on line ${lines + 1}`;
  const problem = isEndless
    ? `${row} is longer than ${ENDLESS_ROW_BYTES / 1_048_576} MiB (is a quote opened in it and never closed?)`
    : `a quote is opened and never closed in ${row}`;
  throw refusedFile(file.path, `${problem}; the rows before it are done: correct it and run the import again`);
}

/** @param bytes how long the header is. */
async function* csvRows(
  columns: readonly string[],
  records: AsyncGenerator<CsvRecord>,
  bytes: number,
): AsyncGenerator<FileRow> {
  let [line, empty, begunAt] = [2, 0, bytes];
  for await (const { record, info } of records) {
    const emptyLines = info.empty_lines - empty;
    const row = { line: line + emptyLines, bytes: info.bytes, list: record };
    // Empty lines have two bytes at most, and belong to no row.
    const isTooLong = info.bytes - begunAt - 2 * emptyLines > MAX_ROW_BYTES;
    [line, empty, begunAt] = [info.lines + 1, info.empty_lines, info.bytes];
    const cells: Record<string, unknown> = Object.create(null);
    for (const [at, name] of columns.entries()) if (name !== '') cells[name] = record[at] ?? '';
    const problem = isTooLong ? TOO_LONG : raggedness(record, columns.length);
    yield problem ? { ...row, cells, problem } : { ...row, cells };
  }
}

const TOO_LONG: FieldError = { field: 'row', message: `the row is longer than ${MAX_ROW_BYTES / 1_048_576} MiB` };

/** A row may have empty cells too many. */
function raggedness(record: readonly string[], columns: number): FieldError | undefined {
  if (record.length === columns) return undefined;
  if (record.length > columns && record.slice(columns).every((cell) => cell === '')) return undefined;
  const message = `the row has ${record.length} cells, the header ${columns}: is a delimiter or a quote missing?`;
  return { field: 'row', message };
}

async function* ndjsonRows(file: SourceFile): AsyncGenerator<FileRow> {
  let line = 0;
  for await (const { bytes, text, tooLong } of lines(file.path)) {
    line++;
    const json = line === 1 ? text.replace(/^\ufeff/, '') : text;
    const row = { line, bytes };
    if (tooLong) yield { ...row, ...unreadable(json, `the line is longer than ${MAX_ROW_BYTES / 1_048_576} MiB`) };
    else if (json.trim() !== '') yield { ...row, ...parsed(json) };
  }
}

function parsed(text: string): Pick<FileRow, 'cells' | 'problem' | 'text'> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (isDeeper(value, MAX_DEPTH)) return unreadable(text, `is nested deeper than ${MAX_DEPTH} levels`);
      const { length } = Object.keys(value);
      if (length > MAX_COLUMNS) return unreadable(text, `has ${length} fields, more than ${MAX_COLUMNS}`);
      return { cells: value as Record<string, unknown> };
    }
    return unreadable(text, 'must be one JSON object a line (of an array: jq -c ".[]")');
  } catch (error) {
    return unreadable(text, `is no JSON (${(error as Error).message}); must be one JSON object a line`);
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

function unreadable(text: string, message: string): Pick<FileRow, 'cells' | 'problem' | 'text'> {
  return { cells: {}, problem: { field: 'row', message }, text: text.slice(0, SHOWN_CHARACTERS) };
}

interface Line {
  readonly text: string;
  readonly tooLong: boolean;
  readonly bytes: number;
}

/** The lines of a file; of one that is too long only its beginning. readline would keep all of it. */
async function* lines(path: string): AsyncGenerator<Line> {
  let [begun, length, bytes]: [Buffer[], number, number] = [[], 0, 0];
  const line = (): Line => {
    const text = Buffer.concat(begun).toString('utf8');
    const tooLong = length > MAX_ROW_BYTES;
    [begun, length] = [[], 0];
    return { text: text.endsWith('\r') ? text.slice(0, -1) : text, tooLong, bytes };
  };
  const take = (part: Buffer) => {
    if (length <= MAX_ROW_BYTES) begun.push(part.subarray(0, MAX_ROW_BYTES + 1 - length));
    length += part.length;
    bytes += part.length;
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      take(chunk.subarray(start, end));
      bytes++;
      yield line();
      start = end + 1;
    }
    if (start < chunk.length) take(chunk.subarray(start));
  }
  if (length > 0) yield line();
}
