import { isoDate, isoTimestamp, raw, type Sql, sql } from '../../store/sql.ts';
import type { Scope } from '../core/scopes.ts';
import type { EmbeddedList } from '../records/bounded-rows.ts';
import type { Columns, RecordSource } from '../records/records.ts';
import { searchTextOf } from '../values/search-text.ts';
import { inSentence } from '../values/words.ts';
import { type Field, type FieldsByName, mapFields, type ObjectDefinition, type ValuesOf } from './field.ts';

/** The definition of an entity: a type of record. Both APIs, import and export are derived from it. */
interface Definition<Fields> {
  /** The name in both API schemas and in audit entries: `PrayerRequest`. */
  readonly name: string;
  /** The name of its list, `prayer_requests`: in REST paths, GraphQL fields and file names. */
  readonly plural: string;
  readonly description: string;
  /** The scope that is required to read it. */
  readonly scope: Scope;
  readonly table: string;
  /** The short name by which statements refer to the table: `m`. */
  readonly alias: string;
  /** The prefix of its ids. */
  readonly prefix: string;
  /** In display order. */
  readonly fields: Fields;
  /** Fields that only files of imports and exports have. They always have the identifier in the source system. */
  readonly fileFields?: FieldsByName;
  /** The order of fields in files. By default: {@link fields}, {@link fileFields}, then the record times. */
  readonly fileOrder?: readonly string[];
  /**
   * The fields that come last in inputs, in this order. The order of input fields is part of the published API descriptions
   * and must not change.
   */
  readonly lastInputs?: readonly string[];
  /** Imports also match records by name, ignoring letter case. */
  readonly hasUniqueName?: true;
  /** The joins for columns of other tables. */
  readonly joins?: Sql;
  /** A long list in each record, which limits how many records a statement reads. */
  readonly embedded?: EmbeddedList;
  /** The condition that a row must meet to be a record in the APIs. */
  readonly condition?: Sql;
}

/** An entity: its definition, and what is derived from it at startup. */
export interface Entity<Node = unknown> extends Omit<Definition<FieldsByName>, 'fields'> {
  readonly fields: { readonly [Name in keyof Node & string]: Field<Node[Name]> } & FieldsByName;
  readonly source: RecordSource<Node>;
  /** The names of the fields that are searched. */
  readonly searchedFields: readonly string[];
}

/** The TypeScript type of the records of an entity. */
export type RecordOf<Type> = Type extends Entity<infer Node> ? Node : never;

/** Defines an entity. */
export function defineEntity<Fields extends FieldsByName>(definition: Definition<Fields>): Entity<ValuesOf<Fields>> {
  const { name: entityName, plural, table, alias, fields, joins, embedded, condition } = definition;
  const misnamed = Object.keys(fields).find((name) => fields[name]?.reference && !name.endsWith('_id'));
  if (misnamed) throw new TypeError(`The reference ${misnamed} of ${entityName} must have a name that ends with _id`);
  const columns = mapFields(fields, (field, name) => columnOf(field, `${alias}.${name}`)) as Columns<ValuesOf<Fields>>;
  const longFields = longFieldsOf(fields, columns);
  const source = { name: plural, columns, table, alias, joins, embedded, longFields, condition };
  const searchedFields = Object.entries(fields).flatMap(([name, { searchable }]) => (searchable ? name : []));
  return { ...definition, source, searchedFields } as unknown as Entity<ValuesOf<Fields>>;
}

/** Returns the normalized text of a record that searches match, from its searched fields. */
export function searchTextFor(
  { searchedFields }: Pick<Entity, 'searchedFields'>,
  values: Readonly<Record<string, unknown>>,
): string {
  return searchTextOf(...searchedFields.map((name) => values[name] as string | null | undefined));
}

/** Returns the column with {@link searchTextFor}, which only tables of searched records have. */
export function searchTextColumn(
  entity: Pick<Entity, 'searchedFields'>,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return entity.searchedFields.length > 0 ? { search_text: searchTextFor(entity, values) } : {};
}

/** Returns the name of an entity for use in sentences: `prayer request`. */
export function nameInSentence({ name }: { readonly name: string }): string {
  return inSentence(name);
}

/** Returns the plural of an entity for use in sentences: `prayer requests`. */
export function pluralInSentence({ plural }: { readonly plural: string }): string {
  return plural.replaceAll('_', ' ');
}

/** Converts snake_case to PascalCase: `form_responses` to `FormResponses`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The SQL that reads a field from its column. */
function columnOf({ type, sql: customSql, object }: Field, column: string): Sql {
  if (customSql) return customSql;
  if (type === 'date') return isoDate(column);
  if (type === 'timestamp') return isoTimestamp(column);
  if (type === 'texts') return raw(`coalesce(${column}, '{}')`);
  if (type === 'objects') return objectsAsJson(object as ObjectDefinition, column);
  return raw(column);
}

/** The SQL of the size of each field whose values can be long. */
function longFieldsOf(fields: FieldsByName, columns: Readonly<Record<string, Sql>>): Readonly<Record<string, Sql>> {
  const long = Object.entries(fields).filter(([, { isLong }]) => isLong);
  return Object.fromEntries(
    long.map(([name, field]) => [
      name,
      field.sizeSql ?? sql`coalesce(octet_length(to_json(${columns[name]})::text), 0)`,
    ]),
  );
}

/** The SQL that reads the objects of a JSON array, with only the defined fields. */
function objectsAsJson({ fields }: ObjectDefinition, column: string): Sql {
  const pairs = Object.keys(fields).map((name) => `'${name}', item->'${name}'`);
  return raw(
    `(SELECT coalesce(json_agg(json_build_object(${pairs.join(', ')})), '[]') FROM jsonb_array_elements(${column}) item)`,
  );
}
