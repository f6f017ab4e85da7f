import type { MemberRules } from '../../domain/members/member-fields.ts';
import { booleanOf, enumValueOf, foldName } from '../../domain/values/column-names.ts';
import { quote } from '../../domain/values/words.ts';
import { isTooDeep, TOO_DEEP } from '../files/json.ts';
import { LIST_SEPARATOR } from '../records/references.ts';
import type { ImportResource } from '../records/resource.ts';
import type { FieldKind } from '../records/row.ts';
import { requireFields } from './columns.ts';
import { type DateOrder, isIncompleteDate, isZeroDate, parseDate } from './dates.ts';
import { encodingProblem } from './encoding-problem.ts';

/** Values by text, by field. Letter case and white space around the text do not matter. */
type ValueMap = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface FieldOptions {
  readonly resource: ImportResource;
  readonly dateOrder: DateOrder | undefined;
  readonly organization: MemberRules;
  /**
   * Texts and the values that they mean, by field; an empty value means none. The year of a date stands for its days, and
   * `incomplete` for dates without a day or a year.
   */
  readonly valueMap?: ValueMap;
}

const YEAR = /\b\d{4}\b/;
/** A long number as Excel shows it, as in `1.62E+09`. */
const SHORTENED_ID = /^\s*\d(?:[.,]\d+)?E\+\d\d\s*$/i;

/**
 * Reads the value of a field from a CSV cell or a property of NDJSON.
 *
 * @param isExport whether the row is one of an export, whose texts are as they were stored.
 */
export type FieldReader = (field: string, value: unknown, isCell: boolean, isExport: boolean) => ValueResult;

/**
 * Creates the reader of the values of a file.
 *
 * @throws {ServiceError} `invalid_request` if the value map has an unknown field.
 */
export function createFieldReader({ resource, dateOrder, organization, valueMap = {} }: FieldOptions): FieldReader {
  requireFields(resource, Object.keys(valueMap), '--mapping');
  const normalize = (text: string) => text.trim().toLowerCase();
  const maps = new Map(
    Object.entries(valueMap).map(([field, values]) => [
      field,
      new Map(Object.entries(values).map(([text, value]) => [normalize(text), value])),
    ]),
  );
  const keepsText = fieldsWithAnyText(resource, organization);
  return (field, value, isCell, isExport) => {
    const kind = resource.fields[field];
    if (kind === undefined) return { value: undefined };
    const texts = typeof value === 'string' ? textsOf(normalize(value), kind) : [];
    const mapped = texts.map((text) => maps.get(field)?.get(text)).find((meant) => meant !== undefined);
    if (mapped?.trim() === '') return { value: undefined, isNull: kind === 'date' };
    // Spreadsheet programs open CSV files of exports, too, but do not write HTML entities.
    const isAsStored = mapped !== undefined || (isExport && !isCell);
    const problem = isAsStored ? undefined : encodingProblem(value, isExport);
    if (problem !== undefined) return { problem };
    if (field === 'external_id' && typeof value === 'string' && SHORTENED_ID.test(value))
      return { problem: `${quote(value)} was shortened by a spreadsheet program; export the file again` };
    const read = mapped ?? (isCell && kind === 'list' ? mapItems(value as string, maps.get(field)) : value);
    if (!isCell) return parseValue(kind, read, dateOrder);
    if (isNullText(read as string, keepsText.has(field))) return { value: undefined, isNull: true };
    return parseCell(kind, read as string, dateOrder);
  };
}

/** The keys under which a value map can list a text. */
function textsOf(text: string, kind: FieldKind): string[] {
  if (kind !== 'date') return [text];
  return [text, ...(YEAR.exec(text) ?? []), ...(isIncompleteDate(text) ? ['incomplete'] : [])];
}

/** Maps each item of a list cell; those that mean that there is no value are left out. JSON is returned unchanged. */
function mapItems(cell: string, map: ReadonlyMap<string, string> | undefined): string {
  if (cell.trim().startsWith('[') || isNullText(cell)) return cell;
  const replace = (item: string) => map?.get(item.trim().toLowerCase()) ?? (isNullText(item) ? '' : item);
  const mapped = cell.replace(/[^,;|\r\n]+/g, replace);
  return /[^,;|\s]/.test(mapped) ? mapped : '';
}

/** The required fields in which every word can be a value: `Null` is a family name, but not an email address. */
function fieldsWithAnyText(resource: ImportResource, organization: MemberRules): Set<string> {
  const required = (resource.parse({}, organization).missing ?? []).map(({ field }) => field);
  const canBeAnyText = (field: string) => !resource.parse({ [field]: 'NULL' }, organization).errors;
  return new Set(required.filter((field) => field !== 'external_id' && canBeAnyText(field)));
}

/**
 * A parsed value, or why it is invalid; `undefined` for a field that the row does not set. `listCell` is the text of a
 * cell that was divided into a list of texts; `isNull` is true for a text such as `N/A`, which is read as empty.
 */
export type ValueResult =
  | { readonly value: unknown; readonly listCell?: string; readonly isNull?: boolean }
  | { readonly problem: string };

/** A cell such as `="00123"`, as programs write text that a spreadsheet program would read as a number. */
const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/;

/** The text of a cell such as `="00123"`; another cell as it is. */
export function unwrapText(cell: string): string {
  return TEXT_FORMULA.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;
}

/** Writes a text so that {@link unwrapText} returns it. */
export function wrapText(text: string): string {
  return TEXT_FORMULA.test(text) ? `="${text.replaceAll('"', '""')}"` : text;
}

/**
 * Parses a JSON value in a common notation. A value that is not recognized is returned unchanged, so that the schema of
 * the record reports the expected format.
 */
export function parseValue(kind: FieldKind, value: unknown, order: DateOrder | undefined): ValueResult {
  return typeof value === 'string' ? parseText(kind, value, order) : parseJson(kind, value, order);
}

/** Parses a CSV cell like {@link parseValue}; empty cells are ignored. */
export function parseCell(kind: FieldKind, cell: string, order: DateOrder | undefined): ValueResult {
  if (cell.trim() === '') return { value: undefined };
  if (kind === 'list' || kind === 'dates') return parseList(kind, cell, order);
  if (kind !== 'json') return parseText(kind, cell, order);
  try {
    return parseCellJson(kind, JSON.parse(cell), order);
  } catch {
    return { problem: 'must be JSON' };
  }
}

function parseCellJson(kind: FieldKind, value: unknown, order: DateOrder | undefined): ValueResult {
  return isTooDeep(value) ? { problem: TOO_DEEP } : parseJson(kind, value, order);
}

/** The texts by which other programs mean that there is no value, in lower case. `\N` is that of PostgreSQL and MySQL. */
const NULL_TEXTS = ['(null)', '\\n', '#n/a', '-', '--', '\u2013', '\u2014'];
/** Those that can also be a value, such as a name. */
const NULL_WORDS = ['null', 'n/a', 'n.a.'];

/** Whether a CSV cell means that there is no value, such as `#N/A`; `NULL` and `N/A` only if it cannot be a word. */
function isNullText(cell: string, canBeWord = false): boolean {
  const text = cell.trim().toLowerCase();
  return NULL_TEXTS.includes(text) || (!canBeWord && NULL_WORDS.includes(text));
}

function parseText(kind: FieldKind, text: string, order: DateOrder | undefined): ValueResult {
  const trimmed = text.trim();
  if (kind === 'integer' && /^-?\d{1,15}$/.test(trimmed)) return { value: Number(trimmed) };
  if (kind === 'boolean') return { value: booleanOf(foldName(trimmed)) ?? text };
  if (kind === 'enum') return { value: enumValueOf(foldName(trimmed)) ?? text };
  if ((kind === 'date' || kind === 'timestamp') && isZeroDate(trimmed)) return { value: undefined, isNull: true };
  if (kind === 'date') return parseDateValue(trimmed, order);
  if (kind === 'timestamp') return parseTimestamp(trimmed, order);
  return { value: text };
}

function parseJson(kind: FieldKind, value: unknown, order: DateOrder | undefined): ValueResult {
  // Other systems export ids and postal codes as numbers.
  if (kind === 'text' && Number.isSafeInteger(value)) return { value: String(value) };
  if (kind === 'dates' && Array.isArray(value)) return parseDays(value, order);
  return { value };
}

/** Parses a cell with a JSON array, or with items between separators. */
function parseList(kind: FieldKind, cell: string, order: DateOrder | undefined): ValueResult {
  if (cell.trim().startsWith('[')) {
    try {
      return parseCellJson(kind, JSON.parse(cell), order);
    } catch {
      // The cell is not JSON, but a list whose first item starts with a bracket.
    }
  }
  const parts = cell.split(LIST_SEPARATOR).map((part) => part.trim());
  const items = parts.filter((part) => part !== '');
  return kind === 'list' ? { value: items, listCell: cell } : parseJson(kind, items, order);
}

function parseDateValue(text: string, order: DateOrder | undefined): ValueResult {
  const result = parseDate(text, order);
  return 'problem' in result ? result : { value: result.date };
}

const ISO_TIMESTAMP = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i;
/** With an offset as in ISO 8601, or in the notations of PostgreSQL (`+00`) and Git (` +0000`). */
const DATE_AND_TIME = /^(.*\S)[ T](\d{1,2}):(\d\d)(?::(\d\d(?:\.\d+)?))?(?: ?(?:Z|([+-]\d\d)(?::?(\d\d))?))?$/i;

const EXPECTED_TIMESTAMP = 'use a format such as 2026-03-14T10:30:00Z, with hours from 00 to 23';

/** Parses a timestamp. Without a time zone, it is in UTC; without a time, it is midnight. */
function parseTimestamp(text: string, order: DateOrder | undefined): ValueResult {
  const match = DATE_AND_TIME.exec(text);
  if (!match && ISO_TIMESTAMP.test(text)) return { value: text };
  const [, day = text, hours = '00', minutes = '00', seconds = '00', zoneHours = '+00', zoneMinutes = '00'] =
    match ?? [];
  const result = parseDate(day, order);
  if ('problem' in result) {
    const hasUnknownTime = !match && /\d:\d/.test(text);
    return hasUnknownTime ? { problem: `${quote(text)} is not a date and time; ${EXPECTED_TIMESTAMP}` } : result;
  }
  const time = `${hours.padStart(2, '0')}:${minutes}:${seconds}`;
  return { value: `${result.date}T${time}${zoneHours}:${zoneMinutes}` };
}

/** The dates of an event: strings, or objects with a `date`. */
function parseDays(days: readonly unknown[], order: DateOrder | undefined): ValueResult {
  const parsed: unknown[] = [];
  for (const day of days) {
    const text = typeof day === 'object' && day !== null && 'date' in day ? day.date : day;
    if (typeof text !== 'string') {
      parsed.push(day);
      continue;
    }
    const result = parseDate(text, order);
    if ('problem' in result) return result;
    parsed.push(typeof day === 'string' ? { date: result.date } : { ...(day as object), date: result.date });
  }
  return { value: parsed };
}
