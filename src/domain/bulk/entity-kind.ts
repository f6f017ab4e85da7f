import { z } from 'zod';
import { join, raw, type Sql, sql } from '../../store/sql.ts';
import type { Entity } from '../entity.ts';
import { type FieldsByName, inputOf, mapFields, type ValueType } from '../field.ts';
import { newId } from '../ids.ts';
import { searchTextOf } from '../search.ts';
import { requiredText } from '../text.ts';
import type { FieldKind } from './batch.ts';
import { byName, exportedId, type Identity, ownIdsWith } from './external-id.ts';
import { parserOf } from './input.ts';
import type { RecordKind } from './record-kind.ts';
import type { ColumnType } from './write.ts';

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
  objects: ['dates', 'jsonb'],
  json: ['json', 'jsonb'],
};

/** What the import and export of an entity have of their own. */
interface KindOptions extends Partial<Omit<RecordKind, 'name' | 'record' | 'fields' | 'times'>> {
  /** The SQL of exported fields that are not columns. */
  readonly exportedColumns?: (organizationId: string) => Readonly<Record<string, Sql>>;
}

/** The import and export of an entity, from its definition. */
export function kindOf<Node>(entity: Entity<Node>, { exportedColumns, ...own }: KindOptions = {}): RecordKind {
  const fields = importedFields(entity);
  const identity = own.identity ?? identityOf(entity);
  const externalId = requiredText();
  const schema = z.strictObject({
    external_id: identity.key ? externalId.optional() : externalId,
    ...mapFields(fields, inputOf),
  });
  const stored = Object.entries(fields).filter(([, field]) => !field.isRecordTime && !field.isReference);
  const searched = stored.flatMap(([name, { searchable }]) => (searchable ? name : []));
  const times = Object.keys(fields).filter((name) => fields[name]?.isRecordTime);
  return {
    name: entity.plural,
    record: entity.name,
    fields: { external_id: 'text', ...mapFields(fields, ({ type }) => TYPES[type][0]) },
    parse: withDefaults(fields, own.parse ?? parserOf(schema)),
    ...(entity.hasUniqueName && keyedByName),
    ...(searched.length > 0 && {
      derived: { search_text: 'text' },
      derive: (values) => ({ search_text: searchTextOf(...searched.map((name) => values[name] as string | null)) }),
    }),
    defaults: Object.fromEntries(
      stored.flatMap(([name, field]) => ('default' in field ? [[name, field.default]] : [])),
    ),
    newIds: (_, count) => {
      const ids = Array.from({ length: count }, () => newId(entity.prefix));
      return entity.isUnordered ? ids.sort() : ids;
    },
    exported: (organizationId) => exportOf(entity, fields, organizationId, exportedColumns?.(organizationId)),
    ...own,
    identity,
    times,
    columns: { ...Object.fromEntries(stored.map(([name, { type }]) => [name, TYPES[type][1]])), ...own.columns },
  };
}

/** What an entity's records are found by. */
export function identityOf<Node>({ plural, table, prefix, hasUniqueName }: Entity<Node>): Identity {
  return { name: plural, table, ownId: ownIdsWith(prefix), ...(hasUniqueName && { key: byName(table) }) };
}

/** The fields of files beside the external id: those that are not read-only, then those of files alone, then the times. */
function importedFields<Node>({ fields, importFields }: Entity<Node>): FieldsByName {
  const all = Object.entries<FieldsByName[string]>({ ...fields, ...importFields }).filter(
    ([, field]) => !field.readOnly,
  );
  const isTime = ([, field]: (typeof all)[number]) => field.isRecordTime === true;
  return Object.fromEntries([...all.filter((one) => !isTime(one)), ...all.filter(isTime)]);
}

const keyedByName: Pick<RecordKind, 'keyOf' | 'keyField'> = {
  keyOf: ({ name }) => (typeof name === 'string' ? searchTextOf(name) : undefined),
  keyField: 'name',
};

/** Reads null as the default value, where the schema of a field with a default accepts it. */
function withDefaults(fields: FieldsByName, parse: RecordKind['parse']): RecordKind['parse'] {
  const isDefault = ([name, value]: [string, unknown]) => value === null && fields[name]?.default !== undefined;
  return (values, country) => {
    const row = parse(values, country);
    const defaults = Object.entries(row.said).filter(isDefault);
    return {
      ...row,
      said: { ...row.said, ...Object.fromEntries(defaults.map(([name]) => [name, fields[name]?.default])) },
    };
  };
}

function exportOf<Node>(
  { plural, table, alias, isUnordered }: Entity<Node>,
  fields: FieldsByName,
  organizationId: string,
  own: Readonly<Record<string, Sql>> = {},
): Sql {
  const id = raw(`${alias}.id`);
  const columns = Object.entries(fields).map(([name, { type }]) => {
    const column = `${alias}.${name}`;
    return sql`${own[name] ?? raw(type === 'texts' ? `coalesce(${column}, '{}')` : column)} AS ${raw(name)}`;
  });
  return sql`
    SELECT ${own.external_id ?? exportedId(plural, organizationId, id)} AS external_id, ${join(columns)}
    FROM ${raw(`${table} ${alias}`)} WHERE ${raw(alias)}.organization_id = ${organizationId}
    ORDER BY ${isUnordered ? sql`${id} COLLATE "C"` : raw(`${alias}.position`)}`;
}
