import { z } from 'zod';
import { newId } from '../../domain/core/ids.ts';
import { requiredText } from '../../domain/core/text.ts';
import { type Entity, searchTextFor } from '../../domain/definition/entity.ts';
import {
  type Field,
  type FieldsByName,
  inputSchemaOf,
  mapFields,
  type ValueType,
} from '../../domain/definition/field.ts';
import { searchTextOf } from '../../domain/lists/search.ts';
import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { FieldKind, ParsedRow, RowValues } from './batch.ts';
import { byName, exportedId, type Identity, ownIdsWith } from './external-id.ts';
import { parserOf } from './input.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { ColumnType, StoredColumns } from './write.ts';

/** How files have the values of a type, and the type of their column. */
const TYPES: Readonly<Record<ValueType, readonly [kind: FieldKind, column: ColumnType]>> = {
  id: ['text', 'text'],
  text: ['text', 'text'],
  email: ['text', 'text'],
  date: ['date', 'date'],
  timestamp: ['timestamp', 'timestamptz'],
  boolean: ['boolean', 'boolean'],
  count: ['integer', 'int'],
  integerId: ['integer', 'int'],
  enum: ['enum', 'text'],
  texts: ['list', 'text[]'],
  ids: ['list', 'text[]'],
  object: ['json', 'jsonb'],
  objects: ['json', 'jsonb'],
  json: ['json', 'jsonb'],
};

/** The parts of an export's statement that do not follow from the definition. */
interface ExportSql {
  /** The SQL of fields that are not columns. */
  readonly columns?: Readonly<Record<string, Sql>>;
  /** The tables that these need beside the entity's. */
  readonly joins?: Sql;
  /** The order, if it is not that of the entity's list. */
  readonly order?: Sql;
}

/** What the import and export of an entity have of their own. */
interface KindOptions extends Partial<Omit<ResourceDefinition, 'name' | 'record' | 'fields' | 'times'>> {
  /** What the export has of its own. */
  readonly exports?: (organizationId: string) => ExportSql;
  /** The schemas of fields that have other values in files than in the APIs. */
  readonly inputs?: Readonly<Record<string, z.ZodType>>;
  /** Whether rows without an external id name a record by its key; true if there is a key. */
  readonly isNamedByKey?: boolean;
  /** Checks values beyond the schema of each field. */
  readonly checkValues?: (row: ParsedRow, values: RowValues, country: string) => ParsedRow;
}

/** The import and export of an entity, from its definition. */
export function kindOf<Node>(entity: Entity<Node>, options: KindOptions = {}): ResourceDefinition {
  const { exports, inputs, isNamedByKey, checkValues, ...own } = options;
  const fields = importedFields(entity);
  const identity = own.identity ?? identityOf(entity);
  const externalId = requiredText();
  const schema = z.strictObject({
    external_id: (isNamedByKey ?? identity.key) ? externalId.optional() : externalId,
    ...mapFields(fields, inputSchemaOf),
    ...inputs,
  });
  const stored = storedFields(fields);
  const times = Object.keys(fields).filter((name) => fields[name]?.isRecordTime);
  return {
    name: entity.plural,
    record: entity.name,
    fields: { external_id: 'text', ...mapFields(fields, fileKind) },
    parse: parserFor(fields, parserOf(schema), checkValues),
    ...(entity.hasUniqueName && keyedByName),
    ...(entity.searched.length > 0 && {
      derived: { search_text: 'text' },
      derive: (values) => ({ search_text: searchTextFor(entity, values) }),
    }),
    defaults: Object.fromEntries(
      stored.flatMap(([name, field]) => ('default' in field ? [[name, field.default]] : [])),
    ),
    newIds: (_, count) => {
      const ids = Array.from({ length: count }, () => newId(entity.prefix));
      return entity.isUnordered ? ids.sort() : ids;
    },
    exported: (organizationId) => exportOf(entity, organizationId, exports?.(organizationId) ?? {}),
    ...own,
    identity,
    times,
    columns: { ...columnsOf(entity), ...own.columns },
  };
}

/** How files have the values of a field; a list of dated objects can be a list of dates. */
function fileKind({ type, object }: Field): FieldKind {
  return object?.fields.date ? 'dates' : TYPES[type][0];
}

/** What an entity's records are found by. */
export function identityOf<Node>({ plural, table, prefix, hasUniqueName }: Entity<Node>): Identity {
  return { name: plural, table, ownId: ownIdsWith(prefix), ...(hasUniqueName && { key: byName(table) }) };
}

/** The fields of files beside the external id: those that are not read-only, then those of files alone, then the times. */
function importedFields<Node>({ fields, importFields, importOrder = [] }: Entity<Node>): FieldsByName {
  const all = Object.entries<FieldsByName[string]>({ ...fields, ...importFields }).filter(
    ([, { readOnly, hidden }]) => !readOnly && !hidden,
  );
  const isTime = ([, field]: (typeof all)[number]) => field.isRecordTime === true;
  const sorted = [...all.filter((one) => !isTime(one)), ...all.filter(isTime)];
  const rank = ([name]: (typeof all)[number]) => importOrder.indexOf(name);
  return Object.fromEntries(importOrder.length === 0 ? sorted : sorted.sort((one, other) => rank(one) - rank(other)));
}

/** The fields that are columns of their own. */
function storedFields(fields: FieldsByName) {
  return Object.entries(fields).filter(([, { isRecordTime, isReference }]) => !isRecordTime && !isReference);
}

/** The columns that imports fill, the times aside. */
export function columnsOf<Node>(entity: Entity<Node>): StoredColumns {
  return Object.fromEntries(storedFields(importedFields(entity)).map(([name, { type }]) => [name, TYPES[type][1]]));
}

const keyedByName: Pick<ResourceDefinition, 'keyOf' | 'keyField'> = {
  keyOf: ({ name }) => (typeof name === 'string' ? searchTextOf(name) : undefined),
  keyField: 'name',
};

/** Reads null as the default value, where the schema of a field with a default accepts it. */
function parserFor(
  fields: FieldsByName,
  parse: (values: RowValues) => ParsedRow,
  check: KindOptions['checkValues'] = (row) => row,
): ResourceDefinition['parse'] {
  const withDefault = Object.entries(fields).filter(([, { input, default: value }]) => input && value !== undefined);
  return (values, country) => {
    const row = check(parse(values), values, country);
    const defaults = withDefault
      .filter(([name]) => row.said[name] === null)
      .map(([name, field]) => [name, field.default]);
    return defaults.length === 0 ? row : { ...row, said: { ...row.said, ...Object.fromEntries(defaults) } };
  };
}

function exportOf<Node>(entity: Entity<Node>, organizationId: string, own: ExportSql): Sql {
  const { plural, table, alias, isUnordered } = entity;
  const id = raw(`${alias}.id`);
  const columns = Object.entries(importedFields(entity)).map(([name, { type }]) => {
    const column = `${alias}.${name}`;
    return sql`${own.columns?.[name] ?? raw(type === 'texts' ? `coalesce(${column}, '{}')` : column)} AS ${raw(name)}`;
  });
  const order = isUnordered ? sql`${id} COLLATE "C"` : raw(`${alias}.position`);
  return sql`
    SELECT ${own.columns?.external_id ?? exportedId(plural, organizationId, id)} AS external_id, ${join(columns)}
    FROM ${raw(`${table} ${alias}`)} ${own.joins ?? empty} WHERE ${raw(alias)}.organization_id = ${organizationId}
    ORDER BY ${own.order ?? order}`;
}
