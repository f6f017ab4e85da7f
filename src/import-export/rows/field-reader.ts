import { quote } from '../../domain/core/errors.ts';
import type { MemberRules } from '../../domain/members/member-fields.ts';
import type { FieldKind, ImportResource } from '../records/batch.ts';
import { type DateOrder, isIncompleteDate } from './dates.ts';
import { encodingProblem } from './encoding-problem.ts';
import { requireFields } from './mapping.ts';
import { isNullText, parseCell, parseValue, type ValueResult } from './values.ts';

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
