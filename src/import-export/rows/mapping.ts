import { type FieldError, invalidRequest, quote } from '../../domain/core/errors.ts';
import { MAX_COLUMN_NAME_CHARACTERS, MAX_COLUMNS } from '../../domain/core/limits.ts';
import type { ImportResource, ResourceName } from '../records/batch.ts';

/** Maps the columns of a file to fields. */
export interface Mapping {
  /** The field of a column; undefined for ignored columns. */
  fieldOf(column: string): string | undefined;
}

/** The column that rejects files add; imports ignore it. */
export const PROBLEM_COLUMN = 'problem';

/** Common synonyms of field names, normalized by {@link normalizeColumnName}. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  external_id: ['id', 'externalid', 'recordid', 'uniqueid', 'reference'],
  first_name: ['givenname', 'forename', 'first'],
  last_name: ['surname', 'familyname', 'last'],
  email_address: ['email', 'mail', 'emailaddress'],
  phone_number: ['phone', 'telephone', 'tel', 'mobile', 'mobilephone', 'mobilenumber', 'cell', 'cellphone'],
  gender: ['sex'],
  marital_status: ['maritalstate'],
  date_of_birth: ['birthday', 'birthdate', 'dob', 'born'],
  address: ['street', 'streetaddress', 'address1', 'addressline1'],
  city: ['town'],
  state: ['province', 'region', 'county'],
  zip_code: ['zip', 'postalcode', 'postcode'],
  designation: ['role', 'position'],
  is_guest: ['guest', 'visitor'],
  tags: ['tag', 'labels', 'groups'],
  color: ['colour'],
  head: ['headofdepartment', 'leader'],
  department: ['departmentid', 'departmentname'],
  member: ['memberid', 'memberemail'],
  form: ['formid'],
  sender: ['from', 'requestedby'],
  submitted_at: ['timestamp', 'submitted'],
  event_type: ['type'],
  dates: ['days', 'date', 'eventdate'],
  created_at: ['created', 'createdon'],
  updated_at: ['updated', 'modified', 'lastmodified'],
};

/**
 * Creates the mapping of a file's columns. Columns match by field name or a common synonym, unless overridden.
 *
 * @param overrides fields by column; an empty string ignores the column.
 * @throws {ServiceError} `invalid_request` for an unknown field.
 */
export function createMapping(resource: ImportResource, overrides: ReadonlyMap<string, string>): Mapping {
  const fields = Object.keys(resource.fields);
  const unknown = [...overrides.values()].find((field) => field !== '' && !fields.includes(field));
  if (unknown !== undefined) {
    const message = `${resource.name} have no field ${quote(unknown)}; the fields are ${fields.join(', ')}`;
    throw invalidRequest({ field: '--map', message });
  }
  const byOverride = new Map([...overrides].map(([column, field]) => [normalizeColumnName(column), field]));
  const overridden = new Set(overrides.values());
  const byName = new Map(columnNames(resource.name, fields).filter(([, field]) => !overridden.has(field)));
  const cache = new Map<string, string | undefined>();
  const lookUp = (column: string) => {
    const name = normalizeColumnName(column);
    return column === PROBLEM_COLUMN ? undefined : (byOverride.get(name) ?? byName.get(name)) || undefined;
  };
  return {
    fieldOf(column) {
      if (cache.has(column)) return cache.get(column);
      const field = lookUp(column);
      // Limited, because each line of NDJSON can have different columns.
      if (cache.size < MAX_COLUMNS) cache.set(column, field);
      return field;
    },
  };
}

/** Fields by normalized column name. Field names come last, so that they take precedence over synonyms. */
function columnNames(resource: ResourceName, fields: readonly string[]): [string, string][] {
  const synonyms = fields.flatMap((field) => (SYNONYMS[field] ?? []).map((name): [string, string] => [name, field]));
  const ids: [string, string][] = fields.includes('external_id')
    ? [[`${normalizeColumnName(resource).replace(/s$/, '')}id`, 'external_id']]
    : [];
  return [...synonyms, ...ids, ...fields.map((field): [string, string] => [normalizeColumnName(field), field])];
}

/** A column name in lower case without accents, spaces and punctuation; a name that is too long is returned unchanged. */
export function normalizeColumnName(name: string): string {
  if (name.length > MAX_COLUMN_NAME_CHARACTERS) return name;
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The field of each column; a problem if two columns match the same field. */
export function mapColumns(
  mapping: Mapping,
  columns: readonly string[],
): { readonly fields: ReadonlyMap<string, string>; readonly problem?: FieldError } {
  const fields = new Map<string, string>();
  const columnOf = new Map<string, string>();
  for (const column of columns) {
    const field = mapping.fieldOf(column);
    if (field === undefined) continue;
    const earlier = columnOf.get(field);
    if (earlier !== undefined)
      return { fields, problem: { field, message: duplicateFieldMessage(earlier, column, field) } };
    fields.set(column, field);
    columnOf.set(field, column);
  }
  return { fields };
}

function duplicateFieldMessage(earlier: string, later: string, field: string): string {
  return `the columns ${quote(earlier)} and ${quote(later)} both match ${field}; ignore one with --map '${later}='`;
}
