import { type FieldError, invalidRequest, quoted } from '../../domain/core/errors.ts';
import { MAX_COLUMN_NAME_CHARACTERS, MAX_COLUMNS } from '../../domain/core/limits.ts';
import type { ImportResource, ResourceName } from '../records/batch.ts';

/** Which field each column of a file is. */
export interface Mapping {
  /** The field that a column is; undefined where it is none. */
  fieldOf(column: string): string | undefined;
  /** Whether a column is one that rejects files add: it says nothing of a record. */
  isOfRejects(column: string): boolean;
}

/** Columns that rejects files add; they say nothing of a record. */
export const REJECT_COLUMNS = ['_file', '_line', '_field', '_code', '_message', '_rejected'];

/** What people call fields, in the form of {@link plain}. The name of the field itself is known without. */
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
  dates: ['days'],
  created_at: ['created', 'createdon'],
  updated_at: ['updated', 'modified', 'lastmodified'],
};

/**
 * Makes the mapping of a file's columns: what was said of them first, else what their names say.
 *
 * @param said the field of each column; an empty one leaves the column out.
 * @throws {ServiceError} `invalid_request` where there is no such field.
 */
export function createMapping(resource: ImportResource, said: ReadonlyMap<string, string>): Mapping {
  const fields = Object.keys(resource.fields);
  const unknown = [...said.values()].find((field) => field !== '' && !fields.includes(field));
  if (unknown !== undefined) {
    const message = `${resource.name} have no field ${quoted(unknown)}; use some of ${fields.join(', ')}`;
    throw invalidRequest({ field: '--map', message });
  }
  const byGivenValue = new Map([...said].map(([column, field]) => [plain(column), field]));
  const taken = new Set(said.values());
  const byName = new Map(namesOf(resource.name, fields).filter(([, field]) => !taken.has(field)));
  const known = new Map<string, string | undefined>();
  const find = (column: string) => {
    const name = plain(column);
    return REJECT_COLUMNS.includes(column) ? undefined : (byGivenValue.get(name) ?? byName.get(name)) || undefined;
  };
  return {
    isOfRejects: (column) => REJECT_COLUMNS.includes(column),
    fieldOf(column) {
      if (known.has(column)) return known.get(column);
      const field = find(column);
      // Each line of NDJSON can have other names; those that nearly all lines have come first.
      if (known.size < MAX_COLUMNS) known.set(column, field);
      return field;
    },
  };
}

/** Synonyms first: a name of a field wins over them. */
function namesOf(resource: ResourceName, fields: readonly string[]): [string, string][] {
  const synonyms = fields.flatMap((field) => (SYNONYMS[field] ?? []).map((name): [string, string] => [name, field]));
  const ids: [string, string][] = fields.includes('external_id')
    ? [[`${plain(resource).replace(/s$/, '')}id`, 'external_id']]
    : [];
  return [...synonyms, ...ids, ...fields.map((field): [string, string] => [plain(field), field])];
}

/** A column's name without letter case, accents and what stands between words; what is too long for a name, as it is. */
export function plain(name: string): string {
  if (name.length > MAX_COLUMN_NAME_CHARACTERS) return name;
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The field of each column, and those that two of them claim. */
export function mapColumns(
  mapping: Mapping,
  columns: readonly string[],
): { readonly fields: ReadonlyMap<string, string>; readonly problem?: FieldError } {
  const fields = new Map<string, string>();
  const columnOf = new Map<string, string>();
  for (const column of columns) {
    const field = mapping.fieldOf(column);
    if (field === undefined) continue;
    const other = columnOf.get(field);
    if (other !== undefined) return { fields, problem: { field, message: claimedTwice(other, column, field) } };
    fields.set(column, field);
    columnOf.set(field, column);
  }
  return { fields };
}

function claimedTwice(one: string, other: string, field: string): string {
  const [first, second] = [one, other].map(quoted);
  return `the columns ${first} and ${second} both seem to be ${field}; leave one out: --map '${other}='`;
}
