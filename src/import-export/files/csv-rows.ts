import type { FieldError } from '../../domain/core/errors.ts';
import { MAX_COLUMNS, MAX_ROW_BYTES } from '../../domain/core/limits.ts';
import { type CsvRecord, readCsvRecords } from './csv-records.ts';
import { type FileRow, InvalidFileError, type Rows, type SourceFile } from './file.ts';

/** Opens the rows of a CSV file. @throws {ServiceError} `invalid_request` when it has no valid header. */
export async function openCsv(file: SourceFile): Promise<Rows> {
  const { text, lineEnds } = headerOf(file.beginning);
  const delimiter = delimiterOf(text);
  const records = readCsvRecords(file, delimiter, lineEnds);
  const first = await records.next();
  if (first.done) throw new InvalidFileError(file.path, 'is empty; its first line must list the column names');
  const header = first.value.record.map((name) => name.trim());
  const columns = distinctNames(header);
  if (first.value.cells > MAX_COLUMNS) {
    const message = `has ${first.value.cells} columns, more than ${MAX_COLUMNS}; remove those that are not imported`;
    await records.return(undefined);
    throw new InvalidFileError(file.path, message);
  }
  return { columns, header, delimiter, rows: csvRows(columns, records, first.value.info) };
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

/**
 * The header line, and the line ends of the file. LF and CRLF can be mixed, as in concatenated files; CR ends lines only
 * if it ends the header.
 */
export function headerOf(beginning: string): { readonly text: string; readonly lineEnds: string[] } {
  const [, text = '', lineEnd] = /^[\ufeff\r\n]*((?:[^"\r\n]|"(?:[^"]|"")*"?)*)(\r\n?|\n)?/.exec(beginning) ?? [];
  return { text, lineEnds: lineEnd === '\r' ? ['\r\n', '\n', '\r'] : ['\r\n', '\n'] };
}

/** The delimiter that occurs most often in the header line, outside of quotes. */
function delimiterOf(header: string): string {
  const unquoted = header.replace(/"(?:[^"]|"")*"?/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: unquoted.split(delimiter).length }));
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
): AsyncGenerator<FileRow> {
  let [line, emptyLinesSeen, rowStart] = [header.lines + 1, header.empty_lines, header.bytes];
  for await (const { record, cells, info } of records) {
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
