import { type FieldError, invalidRequest } from '../../domain/core/errors.ts';
import { columnNamesOf, foldName } from '../../domain/values/column-names.ts';
import { MAX_COLUMNS, MAX_LISTED_ERRORS } from '../../domain/values/limits.ts';
import { quote, truncate } from '../../domain/values/words.ts';
import type { ImportResource } from '../records/resource.ts';

export interface Mapping {
  /** The field of a column; undefined for ignored columns. */
  fieldOf(column: string): string | undefined;
  /** Whether an override assigns or ignores a column. */
  isOverridden(column: string): boolean;
}

/** The column that rejects files add; imports ignore it unless an option maps it. */
export const PROBLEM_COLUMN = 'problem';

/** Whether the column `problem` of a file is the one that a rejects file has added. */
export function hasOwnProblemColumn(beginning: string): boolean {
  return /(?:^|[",;\t])line \d+: /m.test(beginning);
}

/**
 * Creates the mapping of a file's columns. Columns match by field name or a common synonym, unless overridden.
 *
 * @param overrides fields by column; an empty string ignores the column. The exact name of a column takes precedence.
 * @param header the columns of a CSV file; undefined for NDJSON.
 * @throws {ServiceError} `invalid_request` for an unknown field.
 */
export function createMapping(
  resource: ImportResource,
  overrides: ReadonlyMap<string, string>,
  header: readonly string[] | undefined,
): Mapping {
  const fields = Object.keys(resource.fields);
  const assigned = [...overrides.values()].filter((field) => field !== '');
  requireFields(
    resource,
    assigned.map((name) => fieldOfOption(resource, name)),
    '--map',
  );
  const exactColumns = new Set(header?.filter((column) => overrides.has(column)));
  const byOverride = new Map(
    [...overrides].filter(([column]) => !exactColumns.has(column)).map(([column, field]) => [foldName(column), field]),
  );
  const names = header && new Set(header.map(foldName));
  const isPresent = (column: string) => names?.has(foldName(column)) ?? true;
  const overridden = new Set([...overrides].filter(([column]) => isPresent(column)).map(([, field]) => field));
  const ofName = new Map(columnNames(resource.name, fields).filter(([, field]) => !overridden.has(field)));
  const taken = new Set([...overridden, ...[...(names ?? [])].map((name) => ofName.get(name))]);
  const byName = new Map([...(names ? homeColumns(fields.filter((field) => !taken.has(field))) : []), ...ofName]);
  const cache = new Map<string, string | undefined>();
  const overrideOf = (column: string) => overrides.get(column) ?? byOverride.get(foldName(column));
  const lookUp = (column: string) => (overrideOf(column) ?? byName.get(foldName(column))) || undefined;
  return {
    isOverridden: (column) => overrideOf(column) !== undefined,
    fieldOf(column) {
      if (cache.has(column)) return cache.get(column);
      const field = lookUp(column);
      // Limited, because each line of NDJSON can have different columns.
      if (cache.size < MAX_COLUMNS) cache.set(column, field);
      return field;
    },
  };
}

/** The fields that columns such as `Home City` have if no other column of the file has them. */
const HOME_FIELDS = ['address', 'city', 'state', 'zip_code', 'country'];

function homeColumns(fields: readonly string[]): [string, string][] {
  const names = (field: string) => [foldName(field), ...columnNamesOf(field)];
  return fields
    .filter((field) => HOME_FIELDS.includes(field))
    .flatMap((field) => names(field).map((name): [string, string] => [`home${name}`, field]));
}

/** Checks the names of fields in an option. @throws {ServiceError} `invalid_request` for an unknown one. */
export function requireFields({ name, fields }: ImportResource, names: readonly string[], option: string): void {
  const unknown = names.find((field) => !Object.hasOwn(fields, field));
  if (unknown === undefined) return;
  const message = `${name} have no field ${quote(unknown)}; the fields are ${Object.keys(fields).join(', ')}`;
  throw invalidRequest({ field: option, message });
}

/** Fields by normalized column name. Field names come last, so that they take precedence over synonyms. */
function columnNames(resource: string, fields: readonly string[]): [string, string][] {
  const synonyms = fields.flatMap((field) => columnNamesOf(field).map((name): [string, string] => [name, field]));
  const ids: [string, string][] = fields.includes('external_id')
    ? [[`${foldName(resource).replace(/s$/, '')}id`, 'external_id']]
    : [];
  return [...synonyms, ...ids, ...fields.map((field): [string, string] => [foldName(field), field])];
}

/** The field of each column; a problem if several columns match the same field. */
export interface MappedColumns {
  readonly fields: ReadonlyMap<string, string>;
  /** The columns with parts of dates, by field. */
  readonly dates: ReadonlyMap<string, DateColumns>;
  readonly problem?: FieldError;
}

/** Maps the columns of a file, or of a row of NDJSON. */
export function mapColumns(mapping: Mapping, columns: readonly string[]): MappedColumns {
  const fields = new Map<string, string>();
  const columnsOf = new Map<string, string[]>();
  for (const column of columns) {
    const field = mapping.fieldOf(column);
    if (field === undefined) continue;
    if (!columnsOf.has(field)) fields.set(column, field);
    columnsOf.set(field, [...(columnsOf.get(field) ?? []), column]);
  }
  const ambiguous = [...columnsOf].filter(([, names]) => names.length > 1);
  const [first] = ambiguous;
  const dates = dateColumnsOf(fields);
  if (!first) return { fields, dates };
  const messages = ambiguous.map(([field, names]) => severalColumnsMessage(field, names));
  return { fields, dates, problem: { field: first[0], message: messages.join('; ') } };
}

/** The message for columns of which only one can be a field. */
export function severalColumnsMessage(field: string, columns: readonly string[]): string {
  const listed = columns.slice(0, MAX_LISTED_ERRORS);
  const names = listed.map((name) => quote(name)).join(' and ');
  const options = listed.map((name) => `--map '${truncate(name)}=${field}'`).join(' or ');
  return `the columns ${names} ${columns.length > 2 ? 'all' : 'both'} match ${field}; choose one with ${options}`;
}

/** The name of a column that has only a part of a date, as in `date_of_birth.day`. */
const DATE_PART = /^(.+)\.(day|month|year)$/;

/** The columns that have the parts of a date. */
export type DateColumns = Readonly<Partial<Record<'day' | 'month' | 'year', string>>>;

/** The field of the target of an option: `date_of_birth` for `date_of_birth.day`. */
function fieldOfOption({ fields }: ImportResource, name: string): string {
  const field = DATE_PART.exec(name)?.[1];
  return field !== undefined && fields[field] === 'date' ? field : name;
}

/** The columns with parts of dates, by field. */
function dateColumnsOf(fields: ReadonlyMap<string, string>): Map<string, DateColumns> {
  const columns = new Map<string, DateColumns>();
  for (const [column, name] of fields) {
    const [, field, part] = DATE_PART.exec(name) ?? [];
    if (field !== undefined && part !== undefined) columns.set(field, { ...columns.get(field), [part]: column });
  }
  return columns;
}

/**
 * Joins a date whose parts are in several columns, as in `1984-03-17`; parts without a value, or of zeros, are question marks,
 * as in `????-03-17`. Empty if no part has a value.
 */
export function joinDate(columns: DateColumns, cellOf: (column: string) => unknown): string {
  const parts = [columns.year, columns.month, columns.day].map((column) =>
    column === undefined ? '' : String(cellOf(column) ?? '').trim(),
  );
  if (parts.every(isEmpty)) return '';
  return parts
    .map((part, index) => (isEmpty(part) ? '??'.repeat(index === 0 ? 2 : 1) : part.padStart(2, '0')))
    .join('-');
}

const isEmpty = (part: string) => /^0*$/.test(part);
