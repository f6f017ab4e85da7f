import { isoDate, isoTimestamp, raw, type Sql } from '../../store/sql.ts';
import type { Scope } from '../core/scopes.ts';
import type { EmbeddedList } from '../lists/bounded-rows.ts';
import type { Columns } from '../lists/projection.ts';
import type { RecordSource } from '../lists/records.ts';
import { searchTextOf } from '../lists/search.ts';
import { type Field, type FieldsByName, mapFields, type ObjectDefinition, type ValuesOf } from './field.ts';

/** The definition of an entity: a type of record. Everything that both APIs, import and export say of it is derived. */
interface Definition<Fields> {
  /** The name in both API schemas and in audit entries: `PrayerRequest`. */
  readonly name: string;
  /** The name of its list: `prayer_requests`; in paths of REST, in fields of GraphQL and in file names. */
  readonly plural: string;
  readonly description: string;
  /** The scope that reads it. */
  readonly scope: Scope;
  readonly table: string;
  /** The name of the table in SQL. */
  readonly alias: string;
  /** The prefix of its ids. */
  readonly prefix: string;
  /** In the order in which they are shown. */
  readonly fields: Fields;
  /** Fields that only import and export have, beside the id in the source system; they follow the others. */
  readonly importFields?: FieldsByName;
  /** The order of fields in files. By default: {@link fields}, {@link importFields}, then the record times. */
  readonly importOrder?: readonly string[];
  /** Imports find a record by its name too, in any letter case. */
  readonly hasUniqueName?: true;
  /** Tables that columns are read from beside its own. */
  readonly joins?: Sql;
  /** A list that each record shows, and that bounds how many records a statement reads. */
  readonly embedded?: EmbeddedList;
  /** What all records fulfil that the APIs show. */
  readonly condition?: Sql;
}

/** An entity, and what is derived from its definition at start-up. */
export interface Entity<Node = unknown> extends Omit<Definition<FieldsByName>, 'fields'> {
  readonly fields: { readonly [Name in keyof Node & string]: Field<Node[Name]> } & FieldsByName;
  readonly source: RecordSource<Node>;
  /** The names of the fields that searches look in. */
  readonly searched: readonly string[];
}

/** The TypeScript type of the records of an entity. */
export type RecordOf<Type> = Type extends Entity<infer Node> ? Node : never;

/** Defines an entity. */
export function defineEntity<Fields extends FieldsByName>(definition: Definition<Fields>): Entity<ValuesOf<Fields>> {
  const { plural, table, alias, fields, joins, embedded, condition } = definition;
  const columns = mapFields(fields, (field, name) => columnOf(field, `${alias}.${name}`)) as Columns<ValuesOf<Fields>>;
  const optional = { ...(joins && { joins }), ...(embedded && { embedded }), ...(condition && { condition }) };
  const source = { name: plural, columns, table, alias, ...optional };
  const searched = Object.entries(fields).flatMap(([name, { searchable }]) => (searchable ? name : []));
  return { ...definition, source, searched } as unknown as Entity<ValuesOf<Fields>>;
}

/** The search text of a record. */
export function searchTextFor<Node>({ searched }: Entity<Node>, values: Readonly<Record<string, unknown>>): string {
  return searchTextOf(...searched.map((name) => values[name] as string | null | undefined));
}

/** What one record is called in sentences: `prayer request`. */
export function nameInSentence({ name }: { readonly name: string }): string {
  return name.replace(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** The SQL that reads a field from its column. */
function columnOf({ type, sql: own, object }: Field, column: string): Sql {
  if (own) return own;
  if (type === 'date') return isoDate(column);
  if (type === 'timestamp') return isoTimestamp(column);
  if (type === 'texts') return raw(`coalesce(${column}, '{}')`);
  if (type === 'objects') return objectsAsJson(object as ObjectDefinition, column);
  return raw(column);
}

/** Reads the objects of a JSON array, with their defined fields only. */
function objectsAsJson({ fields }: ObjectDefinition, column: string): Sql {
  const pairs = Object.keys(fields).map((name) => `'${name}', item->'${name}'`);
  return raw(
    `(SELECT coalesce(json_agg(json_build_object(${pairs.join(', ')})), '[]') FROM jsonb_array_elements(${column}) item)`,
  );
}
