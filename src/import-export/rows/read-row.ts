import type { FieldError } from '../../domain/core/errors.ts';
import { foldName, similarField } from '../../domain/values/column-names.ts';
import { MAX_LISTED_COLUMNS, MAX_ROW_VALUES } from '../../domain/values/limits.ts';
import { quote, truncate } from '../../domain/values/words.ts';
import { cellsOfLine, headerOf } from '../files/csv.ts';
import { type FileRow, InvalidFileError, type Rows, type SourceFile } from '../files/file.ts';
import { countValues } from '../files/json.ts';
import { parsedRow } from '../records/entity-resource.ts';
import type { ParsedRow, Values } from '../records/row.ts';
import {
  createMapping,
  hasOwnProblemColumn,
  joinDate,
  type MappedColumns,
  type Mapping,
  mapColumns,
  PROBLEM_COLUMN,
  severalColumnsMessage,
} from './columns.ts';
import { createFieldReader, type FieldOptions, type FieldReader, unwrapText } from './values.ts';

export interface ReadOptions extends FieldOptions {
  /** Explicit fields by column; other columns match by name. */
  readonly map: ReadonlyMap<string, string>;
  /** Those columns of `map` that a CSV file need not have. */
  readonly optionalColumns?: ReadonlySet<string>;
  /** Columns that together form the external id of a row that has none. */
  readonly idColumns: readonly string[];
}

export interface RowReader {
  /** Maps a row's columns to fields and validates the values. */
  parse(row: FileRow): ParsedRow;
  /** The field of each column seen so far, null for ignored columns. */
  columns(): Readonly<Record<string, string | null>>;
  /** Those ignored columns that look like a field, and this field; without those that an option ignores. */
  similarColumns(): Readonly<Record<string, string>>;
  /** The first column seen so far that has a field. */
  columnOf(field: string): string | undefined;
}

/**
 * Creates the parser for the rows of a file.
 *
 * @param names the columns of the file if it is CSV, and their names in the header.
 * @throws {ServiceError} `invalid_request` when a column named in the options is missing, or no column matches a field.
 */
export function createRowReader(
  file: SourceFile,
  names: Pick<Rows, 'columns' | 'header'>,
  options: ReadOptions,
): RowReader {
  const mapping = createMapping(options.resource, options.map, names.header && names.columns);
  const columns = new Map<string, string | null>();
  const readField = createFieldReader(options);
  const { columns: csvColumns = [], header } = names;
  if (header) requireColumns(file, mapping, csvColumns, header, options);
  const recordColumns = (names: readonly string[]) => {
    for (const name of names) {
      if (columns.size < MAX_LISTED_COLUMNS && !columns.has(name)) columns.set(name, mapping.fieldOf(name) ?? null);
    }
  };
  recordColumns(csvColumns);
  const named = csvColumns.filter((name) => name !== '');
  const ofHeader = header && mapColumns(mapping, named);
  const mapRow = (names: readonly string[]) => {
    // Most rows of a CSV file have values only in columns with a name.
    if (ofHeader && names.length === named.length) return ofHeader;
    recordColumns(names);
    return mapColumns(mapping, names);
  };
  const isOwnProblem = (name: string) => name === PROBLEM_COLUMN && hasOwnProblemColumn(file.beginning);
  return {
    parse: (row) => readRow(row, mapRow(Object.keys(row.values)), readField, options),
    columnOf: (field) => [...columns].find(([, mapped]) => mapped === field)?.[0],
    columns: () => Object.fromEntries([...columns].filter(([name]) => name !== '' && !isOwnProblem(name))),
    similarColumns() {
      const ignored = [...columns].filter(([name, field]) => field === null && !mapping.isOverridden(name));
      const [fields, used] = [Object.keys(options.resource.fields), new Set(columns.values())];
      const similar = ignored.map(([name]) => [name, similarField(name, fields, used)]);
      return Object.fromEntries(similar.filter(([, field]) => field !== undefined));
    },
  };
}

function requireColumns(
  file: SourceFile,
  mapping: Mapping,
  columns: readonly string[],
  header: readonly string[],
  options: ReadOptions,
): void {
  const { fields, problem } = mapColumns(mapping, columns);
  if (fields.size < 2) rejectTitles(file, mapping, 2 * fields.size);
  const normalized = new Set(columns.map(foldName));
  const required = [...options.map.keys()].filter((name) => !options.optionalColumns?.has(name));
  const missing = [...required, ...options.idColumns].find((name) => !normalized.has(foldName(name)));
  if (missing !== undefined) {
    throw new InvalidFileError(file.path, `has no column ${quote(missing)}; it has ${listColumns(columns)}`);
  }
  const headerLine = `its first line is ${quote(headerOf(file.beginning).text)}`;
  const repeated = repeatedColumns(mapping, columns, header).join('; ');
  if (repeated !== '') throw new InvalidFileError(file.path, `${headerLine}: ${repeated}`);
  if (problem) throw new InvalidFileError(file.path, problem.message);
  if (fields.size === 0) {
    const fieldNames = Object.keys(options.resource.fields).join(', ');
    throw new InvalidFileError(
      file.path,
      `has no column that matches a field of ${options.resource.name} (${fieldNames}); ${headerLine}; use --map`,
    );
  }
}

/** The number of lines among which the header is searched for if the first one is not it. */
const MAX_TITLE_LINES = 50;

/** @throws {ServiceError} `invalid_request` if a line below the first one has names of more fields than this. */
function rejectTitles({ path, beginning }: SourceFile, mapping: Mapping, fields: number): void {
  const lines = beginning.split(/\r\n?|\n/, MAX_TITLE_LINES);
  const titles = lines.findIndex((line) => mapColumns(mapping, cellsOfLine(line)).fields.size > fields);
  if (titles < 1) return;
  const removed = titles === 1 ? 'line 1' : `lines 1 to ${titles}`;
  throw new InvalidFileError(path, `has its column names on line ${titles + 1}; remove ${removed} above them`);
}

/** The messages for columns that occur several times and match a field, unless the options choose one of them. */
function repeatedColumns(mapping: Mapping, columns: readonly string[], header: readonly string[]): string[] {
  return [...new Set(header)].flatMap((name) => {
    const sameName = columns.filter((_, at) => header[at] === name);
    const field = mapping.fieldOf(name);
    if (field === undefined || sameName.length === 1 || sameName.some(mapping.isOverridden)) return [];
    return [severalColumnsMessage(field, sameName)];
  });
}

function listColumns(columns: readonly string[]): string {
  const omitted = columns.length - MAX_LISTED_COLUMNS;
  const listed = columns
    .slice(0, MAX_LISTED_COLUMNS)
    .map((name) => truncate(name))
    .join(', ');
  return omitted > 0 ? `${listed} and ${omitted} more` : listed;
}

function readRow(
  row: FileRow,
  { fields, dates, problem }: MappedColumns,
  readField: FieldReader,
  { resource, idColumns, organization }: ReadOptions,
): ParsedRow {
  if (row.problem) return { input: {}, errors: [row.problem] };
  if (problem) return { input: {}, errors: [problem] };
  const input: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  const listCells: Record<string, string> = {};
  let [nullCells, unwrappedCells] = [0, 0];
  const isExport = Object.keys(row.values).join() === Object.keys(resource.fields).join();
  const read = (field: string, value: unknown) => {
    const result = readField(field, value, row.csvCells !== undefined, isExport);
    if ('problem' in result) {
      errors.push({ field, message: result.problem });
      return;
    }
    if (result.value !== undefined) input[field] = result.value;
    if (result.listCell !== undefined) listCells[field] = result.listCell;
    if (result.isNull) nullCells++;
  };
  for (const [column, field] of fields) {
    const value = cellValue(row, column);
    if (value !== row.values[column]) unwrappedCells++;
    read(field, value);
  }
  for (const [field, columns] of dates) {
    const date = joinDate(columns, (column) => cellValue(row, column));
    if (date !== '' && input[field] === undefined && !errors.some((error) => error.field === field)) read(field, date);
  }
  const count = countValues(input) - 1; // without the row itself
  if (count > MAX_ROW_VALUES) {
    const counted = 'each list, each object and each value in them counts as one';
    const message = `the row has ${count} values; the maximum is ${MAX_ROW_VALUES} (${counted})`;
    return { input: {}, errors: [{ field: 'row', message }] };
  }
  const composedId = composeId(row, idColumns);
  if (composedId !== undefined) input.external_id ??= composedId;
  const parsed = resource.parse(input, organization);
  const cells = {
    null_cells: nullCells,
    unwrapped_cells: unwrappedCells,
    short_zip_codes: isShortZipCode(input, organization.country) ? 1 : 0,
  };
  const isUnreadable = (field: string) => errors.some((error) => error.field === field);
  const missing = parsed.missing?.filter(({ field }) => !isUnreadable(field));
  return {
    ...parsedRow(parsed.input, [...errors, ...(parsed.errors ?? [])], missing),
    ...(Object.keys(listCells).length > 0 && { listCells }),
    ...(Object.values(cells).some((count) => count > 0) && { cells }),
  };
}

/** The value of a column, without the formula in which a cell can be written. */
function cellValue({ values, csvCells }: FileRow, column: string): unknown {
  const value = values[column];
  return csvCells && typeof value === 'string' ? unwrapText(value) : value;
}

/** The names of the US, folded by `foldName`. */
const US = 'us usa unitedstates unitedstatesofamerica vereinigtestaaten estadosunidos etatsunis eeuu'.split(' ');

/** Whether the postal code of an address in the US has lost its leading zeros, as in a spreadsheet: `2134`. */
function isShortZipCode({ zip_code, country }: Values, defaultCountry: string): boolean {
  const isUs = US.includes(foldName(typeof country === 'string' && country.trim() !== '' ? country : defaultCountry));
  return isUs && typeof zip_code === 'string' && /^\s*\d{3,4}(?:-\d{4})?\s*$/.test(zip_code);
}

/** The external id composed of several columns; undefined if any of them is empty or contains an object. */
function composeId(row: FileRow, idColumns: readonly string[]): string | undefined {
  if (idColumns.length === 0) return undefined;
  const columns = new Map(Object.keys(row.values).map((name) => [foldName(name), name]));
  const parts = idColumns.map((name) => textOf(cellValue(row, columns.get(foldName(name)) ?? ''))?.trim());
  return parts.every(Boolean) ? parts.join(' / ') : undefined;
}

/** A JSON value as text; undefined if it is or contains an object, whose text would not identify it. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  if (!Array.isArray(value)) return undefined;
  const items = value.map(textOf);
  return items.includes(undefined) ? undefined : items.join();
}
