import type { ImportResource } from '../records/batch.ts';
import { lostCharacters } from './lost-characters.ts';
import { requireFields } from './mapping.ts';
import type { ReadOptions } from './read-row.ts';
import { isNullText, parseCell, parseValue, type ValueResult } from './values.ts';

/** A value, or why it is invalid; `isEmptied` for a cell such as `N/A` that is read as empty. */
type FieldResult = ValueResult & { readonly isEmptied?: boolean };

/** Reads the value of a field from a CSV cell or a property of NDJSON. */
export type FieldReader = (field: string, value: unknown, isCell: boolean) => FieldResult;

/**
 * Creates the reader of the values of a file.
 *
 * @throws {ServiceError} `invalid_request` if the value map has an unknown field.
 */
export function createFieldReader(options: ReadOptions): FieldReader {
  const { resource, valueMap = {}, dateOrder } = options;
  requireFields(resource, Object.keys(valueMap), '--mapping');
  const normalize = (text: string) => text.trim().toLowerCase();
  const maps = new Map(
    Object.entries(valueMap).map(([field, values]) => [
      field,
      new Map(Object.entries(values).map(([text, value]) => [normalize(text), value])),
    ]),
  );
  const keepsText = fieldsWithAnyText(resource, options.organization);
  return (field, value, isCell) => {
    const kind = resource.fields[field];
    if (kind === undefined) return { value: undefined };
    const mapped = typeof value === 'string' ? maps.get(field)?.get(normalize(value)) : undefined;
    if (mapped?.trim() === '') return { value: undefined };
    const problem = mapped === undefined ? lostCharacters(value) : undefined;
    if (problem !== undefined) return { problem };
    const read = mapped ?? value;
    if (!isCell) return parseValue(kind, read, dateOrder);
    if (!keepsText.has(field) && isNullText(read as string)) return { value: undefined, isEmptied: true };
    return parseCell(kind, read as string, dateOrder);
  };
}

/** The required fields in which every text can be a value: `Null` is a family name, but not an email address. */
function fieldsWithAnyText(resource: ImportResource, organization: ReadOptions['organization']): Set<string> {
  const required = (resource.parse({}, organization).missing ?? []).map(({ field }) => field);
  const canBeAnyText = (field: string) => !resource.parse({ [field]: 'NULL' }, organization).errors;
  return new Set(required.filter((field) => field !== 'external_id' && canBeAnyText(field)));
}
