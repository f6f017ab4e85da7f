import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { type FieldError, quoted } from '../domain/errors.ts';
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

/** Longer lines of NDJSON are rejected without keeping them. */
const MAX_LINE_BYTES = 1_048_576;
/** A CSV row that is longer has a quote that nobody closed. */
const MAX_RECORD_CHARACTERS = 8_388_608;
/** No record nests as deep; what works on values calls itself at each level. */
const MAX_DEPTH = 64;
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
  const repeated = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
  if (repeated !== undefined) throw refusedFile(file.path, `has the column ${quoted(repeated)} twice`);
  return { columns, delimiter, rows: csvRows(columns, records) };
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
  let records: number | undefined;
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_CHARACTERS,
    // An error of the stream would lose the records before it that nobody has taken yet.
    skip_records_with_error: true,
    on_skip: (error) => {
      records ??= (error as unknown as CsvRecord['info']).records;
    },
  });
  const source = createReadStream(file.path);
  source.on('error', (error) => parser.destroy(error));
  let lines = 0;
  try {
    for await (const record of source.pipe(parser) as AsyncIterable<CsvRecord>) {
      // What follows a row that never ends is made of its middle.
      if (records !== undefined && record.info.records > records) break;
      lines = record.info.lines;
      yield record;
    }
  } finally {
    source.destroy();
  }
  if (records === undefined) return;
  const problem = `a quote is opened and never closed in the row that begins on line ${lines + 1}`;
  throw refusedFile(file.path, `${problem}; the rows before it are done: correct it and run the import again`);
}

async function* csvRows(columns: readonly string[], records: AsyncGenerator<CsvRecord>): AsyncGenerator<FileRow> {
  let [line, empty] = [2, 0];
  for await (const { record, info } of records) {
    line += info.empty_lines - empty;
    const row = { line, bytes: info.bytes, list: record };
    [line, empty] = [info.lines + 1, info.empty_lines];
    const cells: Record<string, unknown> = Object.create(null);
    for (const [at, name] of columns.entries()) if (name !== '') cells[name] = record[at] ?? '';
    const surplus = record.slice(columns.length).some((cell) => cell !== '');
    if (record.length === columns.length || (record.length > columns.length && !surplus)) yield { ...row, cells };
    else yield { ...row, cells, problem: ragged(record.length, columns.length) };
  }
}

function ragged(cells: number, columns: number): FieldError {
  const message = `the row has ${cells} cells, the header ${columns}: is a delimiter or a quote missing?`;
  return { field: 'row', message };
}

async function* ndjsonRows(file: SourceFile): AsyncGenerator<FileRow> {
  let line = 0;
  for await (const { bytes, text, tooLong } of lines(file.path)) {
    line++;
    const json = line === 1 ? text.replace(/^\ufeff/, '') : text;
    const row = { line, bytes };
    if (tooLong) yield { ...row, ...unreadable(json, 'the line is longer than 1 MiB') };
    else if (json.trim() !== '') yield { ...row, ...parsed(json) };
  }
}

function parsed(text: string): Pick<FileRow, 'cells' | 'problem' | 'text'> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (isDeeper(value, MAX_DEPTH)) return unreadable(text, `is nested deeper than ${MAX_DEPTH} levels`);
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
    const tooLong = length > MAX_LINE_BYTES;
    [begun, length] = [[], 0];
    return { text: text.endsWith('\r') ? text.slice(0, -1) : text, tooLong, bytes };
  };
  const take = (part: Buffer) => {
    if (length <= MAX_LINE_BYTES) begun.push(part.subarray(0, MAX_LINE_BYTES + 1 - length));
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
