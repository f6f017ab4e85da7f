import { z } from 'zod';
import { type Entity, searchTextFor } from '../../domain/definition/entity.ts';
import {
  type Field,
  type FieldsByName,
  inputSchemaOf,
  mapFields,
  type ValueType,
} from '../../domain/definition/field.ts';
import type { MemberRules } from '../../domain/members/member-fields.ts';
import { isId, newId } from '../../domain/values/ids.ts';
import { searchTextOf } from '../../domain/values/search-text.ts';
import { blankAsNull, requiredText } from '../../domain/values/text.ts';
import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import type { FieldKind, ImportResource, ParsedRow, RowValues } from './batch.ts';
import { byName, externalIdSql, type Matcher } from './external-id.ts';
import { createImportResource } from './import-resource.ts';
import { idTypeOf } from './integer-ids.ts';
import { createParser, externalId } from './parser.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { ColumnType } from './write.ts';

/** The file format and column type of each value type. */
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

/** The parts of an export statement that cannot be derived from the entity. */
interface ExportSql {
  /** The SQL of fields that are not columns. */
  readonly columns?: Readonly<Record<string, Sql>>;
  readonly joins?: Sql;
  /** The order, if it differs from that of the entity's list. */
  readonly order?: Sql;
}

/** Overrides of the definition that is derived from the entity, and additions to it. */
interface DefinitionOptions
  extends Partial<Omit<ResourceDefinition, 'name' | 'record' | 'fields' | 'columns' | 'timestamps'>> {
  /** Returns the parts of the export statement that cannot be derived. */
  readonly exports?: (organizationId: string) => ExportSql;
  /** Schemas of fields whose values differ between files and the APIs. */
  readonly inputs?: Readonly<Record<string, z.ZodType>>;
  /** Default: true if records have a key, by which rows can match them. */
  readonly isExternalIdOptional?: boolean;
  /** Validates what schemas cannot express. */
  readonly checkValues?: (row: ParsedRow, organization: MemberRules) => ParsedRow;
}

/** Creates the import and export of an entity from its definition. */
export function importResourceFor<Node>(entity: Entity<Node>, options: DefinitionOptions = {}): ImportResource {
  const { exports, inputs, isExternalIdOptional, checkValues, ...overrides } = options;
  const fields = importedFields(entity);
  const matcher = overrides.matcher ?? matcherFor(entity);
  const schema = z.strictObject({
    external_id: (isExternalIdOptional ?? matcher.key) ? externalId.optional() : externalId,
    ...mapFields(fields, fileSchema),
    ...inputs,
  });
  // The values of the others are stored in columns with other names, or in other tables.
  const stored = Object.entries(fields).filter(
    ([name, { isRecordTime, sql: isComputed }]) => !isRecordTime && !isComputed && !overrides.references?.[name],
  );
  const references = { ...referencesOf(fields), ...overrides.references };
  return createImportResource({
    name: entity.plural,
    record: entity.name,
    fields: { external_id: 'text', ...mapFields(fields, fileKind) },
    parse: parserFor(fields, createParser(schema), checkValues),
    ...(entity.hasUniqueName && KEYED_BY_NAME),
    ...(entity.searched.length > 0 && {
      derived: { search_text: 'text' },
      derive: (values) => ({ search_text: searchTextFor(entity, values) }),
    }),
    defaults: Object.fromEntries(
      stored.flatMap(([name, field]) => ('default' in field ? [[name, field.default]] : [])),
    ),
    newIds: (_, count) => Array.from({ length: count }, () => newId(entity.prefix)),
    exportSql: (organizationId) => exportStatement(entity, organizationId, exports?.(organizationId) ?? {}),
    ...overrides,
    references,
    matcher,
    timestamps: Object.keys(fields).filter((name) => fields[name]?.isRecordTime),
    columns: Object.fromEntries([
      ...stored.map(([name, { type }]) => [name, TYPES[type][1]]),
      ...Object.values(references).flatMap(({ column, matcher: { table } }) =>
        column ? [[column, idTypeOf(table)]] : [],
      ),
    ]),
  });
}

/** The schema of a field in files, in which references are external ids, or ids of records. */
function fileSchema(field: Field): z.ZodType {
  if (!field.reference) return inputSchemaOf(field);
  return inputSchemaOf({ ...field, schema: field.nullable ? blankAsNull() : requiredText() });
}

/** How the references of an entity are resolved, by field. */
function referencesOf(fields: FieldsByName): NonNullable<ResourceDefinition['references']> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([column, { reference }]) =>
      reference ? [[column, { matcher: matcherFor(reference), column }]] : [],
    ),
  );
}

/** The file format of a field. A list of objects with a `date` may be written as a list of dates. */
function fileKind({ type, object }: Field): FieldKind {
  return object?.fields.date ? 'dates' : TYPES[type][0];
}

/** How references to an entity's records are resolved. */
export function matcherFor({
  plural,
  table,
  prefix,
  hasUniqueName,
}: Pick<Entity, 'plural' | 'table' | 'prefix' | 'hasUniqueName'>): Matcher {
  return {
    resource: plural,
    table,
    idOf: (_organizationId, reference) => (isId(prefix, reference) ? reference : undefined),
    ...(hasUniqueName && { key: byName(table) }),
  };
}

/**
 * The fields of files except external_id: writable fields, then fields that only files have, then timestamps.
 *
 * @throws if the entity has an order that does not list each of them once.
 */
function importedFields<Node>({ plural, fields, fileFields, fileOrder }: Entity<Node>): FieldsByName {
  const entries = Object.entries<FieldsByName[string]>({ ...fields, ...fileFields }).filter(
    ([, { isResponseOnly, isForResolvers }]) => !isResponseOnly && !isForResolvers,
  );
  const isTimestamp = ([, field]: (typeof entries)[number]) => field.isRecordTime === true;
  const sorted = [...entries.filter((entry) => !isTimestamp(entry)), ...entries.filter(isTimestamp)];
  const imported = Object.fromEntries(sorted);
  if (!fileOrder) return imported;
  const names = Object.keys(imported);
  if (fileOrder.length !== names.length || !names.every((name) => fileOrder.includes(name)))
    throw new Error(`fileOrder of ${plural} must list each of these fields once: ${names.join(', ')}`);
  return Object.fromEntries(fileOrder.map((name) => [name, imported[name] as Field]));
}

const KEYED_BY_NAME: Pick<ResourceDefinition, 'keyOf' | 'keyField'> = {
  keyOf: ({ name }) => (typeof name === 'string' ? searchTextOf(name) : undefined),
  keyField: 'name',
};

/** Wraps a parser so that null becomes the default of fields that have one. */
function parserFor(
  fields: FieldsByName,
  parse: (values: RowValues) => ParsedRow,
  check: DefinitionOptions['checkValues'] = (row) => row,
): ResourceDefinition['parse'] {
  const fieldsWithDefault = Object.entries(fields).filter(([, field]) => field.default !== undefined);
  return (values, organization) => {
    const row = check(parse(values), organization);
    const defaults = fieldsWithDefault
      .filter(([name]) => row.input[name] === null)
      .map(([name, field]) => [name, field.default]);
    return defaults.length === 0 ? row : { ...row, input: { ...row.input, ...Object.fromEntries(defaults) } };
  };
}

function exportStatement<Node>(entity: Entity<Node>, organizationId: string, overrides: ExportSql): Sql {
  const { plural, table, alias } = entity;
  const id = raw(`${alias}.id`);
  const columns = Object.entries(importedFields(entity)).map(([name, { type, reference }]) => {
    const column = raw(type === 'texts' ? `coalesce(${alias}.${name}, '{}')` : `${alias}.${name}`);
    const value = reference ? externalIdSql(reference.plural, organizationId, column) : column;
    return sql`${overrides.columns?.[name] ?? value} AS ${raw(name)}`;
  });
  return sql`
    SELECT ${overrides.columns?.external_id ?? externalIdSql(plural, organizationId, id)} AS external_id, ${join(columns)}
    FROM ${raw(`${table} ${alias}`)} ${overrides.joins ?? empty} WHERE ${raw(alias)}.organization_id = ${organizationId}
    ORDER BY ${overrides.order ?? raw(`${alias}.position`)}`;
}
