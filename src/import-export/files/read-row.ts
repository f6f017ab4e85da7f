import { type FieldError, quoted, shortened } from '../../domain/core/errors.ts';
import { MAX_LISTED_COLUMNS } from '../../domain/core/limits.ts';
import type { ImportResource, ParsedRow } from '../records/batch.ts';
import type { DateOrder } from './dates.ts';
import { refusedFile, type SourceFile } from './file.ts';
import { createMapping, type Mapping, mapColumns, plain } from './mapping.ts';
import type { FileRow } from './rows.ts';
import { readCell, readValue } from './values.ts';

/** How the rows of a file are understood. */
export interface Reading {
  readonly resource: ImportResource;
  /** The field of each column, where its name does not say it. */
  readonly map: ReadonlyMap<string, string>;
  /** The columns that together are the external id of a row, where it has none. */
  readonly idColumns: readonly string[];
  readonly dateOrder: DateOrder | undefined;
  /** Where phone numbers without a country code are read. */
  readonly country: string;
}

/** Understands the rows of one file. */
export interface RowReader {
  /** The row's values by field, checked by the rules of the record. */
  read(row: FileRow): ParsedRow;
  /** The field of each column that was seen, null for one that is left out. */
  columns(): Readonly<Record<string, string | null>>;
}

/**
 * Prepares to understand the rows of a file.
 *
 * @param header the columns that its first line names, if it has such a line.
 * @throws {ServiceError} `invalid_request` when it has not the columns that were named, or none that is a field.
 */
export function createRowReader(file: SourceFile, header: readonly string[] | undefined, reading: Reading): RowReader {
  const mapping = createMapping(reading.resource, reading.map);
  const columns = new Map<string, string | null>();
  if (header) requireColumns(file, mapping, header, reading);
  const note = (names: readonly string[]) => {
    for (const name of names) {
      if (columns.size < MAX_LISTED_COLUMNS && !columns.has(name)) columns.set(name, mapping.fieldOf(name) ?? null);
    }
  };
  note(header ?? []);
  return {
    read(row) {
      if (!row.list) note(Object.keys(row.cells));
      return readRow(row, mapping, reading);
    },
    columns: () => Object.fromEntries([...columns].filter(([name]) => name !== '' && !mapping.isOfRejects(name))),
  };
}

function requireColumns(file: SourceFile, mapping: Mapping, columns: readonly string[], reading: Reading): void {
  const there = new Set(columns.map(plain));
  const named = [...reading.map.keys(), ...reading.idColumns].find((name) => !there.has(plain(name)));
  if (named !== undefined) {
    throw refusedFile(file.path, `has no column ${quoted(named)}; it has ${listed(columns)}`);
  }
  const { fields, problem } = mapColumns(mapping, columns);
  if (problem) throw refusedFile(file.path, problem.message);
  if (fields.size === 0) {
    const known = Object.keys(reading.resource.fields).join(', ');
    throw refusedFile(file.path, `has no column that names a field of ${reading.resource.name} (${known}); use --map`);
  }
}

function listed(columns: readonly string[]): string {
  const more = columns.length - MAX_LISTED_COLUMNS;
  const names = columns
    .slice(0, MAX_LISTED_COLUMNS)
    .map((name) => shortened(name))
    .join(', ');
  return more > 0 ? `${names} and ${more} more` : names;
}

function readRow(row: FileRow, mapping: Mapping, { resource, idColumns, dateOrder, country }: Reading): ParsedRow {
  if (row.problem) return { said: {}, errors: [row.problem] };
  const { fields, problem } = mapColumns(mapping, Object.keys(row.cells));
  if (problem) return { said: {}, errors: [problem] };
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [column, field] of fields) {
    const kind = resource.fields[field];
    const cell = row.cells[column];
    if (kind === undefined) continue;
    const read = row.list ? readCell(kind, cell as string, dateOrder) : readValue(kind, cell, dateOrder);
    if ('problem' in read) errors.push({ field, message: read.problem });
    else if (read.value !== undefined) values[field] = read.value;
  }
  const composed = composedId(row, idColumns);
  if (composed !== undefined) values.external_id ??= composed;
  const parsed = resource.parse(values, country);
  if (errors.length === 0) return parsed;
  return { said: {}, errors: [...errors, ...(parsed.errors ?? [])] };
}

/** The external id that columns make together; none where one of them is empty. */
function composedId({ cells }: FileRow, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const columns = new Map(Object.keys(cells).map((name) => [plain(name), name]));
  const parts = names.map((name) => String(cells[columns.get(plain(name)) ?? ''] ?? '').trim());
  return parts.includes('') ? undefined : parts.join(' / ');
}
