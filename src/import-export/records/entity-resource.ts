import { z } from 'zod';
import { type FieldError, ServiceError } from '../../domain/core/errors.ts';
import { parseInput } from '../../domain/core/parse-input.ts';
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
import { blankAsNull, normalizeText, requiredText } from '../../domain/values/text.ts';
import { empty, join, raw, type Sql, sql } from '../../store/sql.ts';
import { type ColumnType, idTypeOf } from './batch.ts';
import { byName, externalIdSql, type Matcher } from './references.ts';
import type { ImportResource, ResourceDefinition } from './resource.ts';
import type { FieldKind, ParsedRow, Values } from './row.ts';
import { storeRows } from './store-rows.ts';
import { undoRecords } from './undo-records.ts';

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
  readonly exports?: (organizationId: string) => ExportSql;
  /** Schemas of fields whose values differ between files and the APIs. */
  readonly inputs?: Readonly<Record<string, z.ZodType>>;
  /** Default: true if records have a key, by which rows can match them. */
  readonly isExternalIdOptional?: boolean;
  /** Validates what schemas cannot express. */
  readonly checkValues?: (row: ParsedRow, organization: MemberRules) => ParsedRow;
}

/** The schema of a record's identifier in the source system, of which no character is dropped. */
export const externalId = requiredText(undefined, normalizeText);

/** Creates the import and export of an entity from its definition. */
export function importResourceFor<Node>(entity: Entity<Node>, options: DefinitionOptions = {}): ImportResource {
  const { exports, inputs, isExternalIdOptional, checkValues = (row) => row, ...overrides } = options;
  const { plural, table, prefix, hasUniqueName, searchedFields } = entity;
  const fields = importedFields(entity);
  // The values of the others are stored in columns with other names, or in other tables.
  const stored = Object.entries(fields).filter(
    ([name, { isRecordTime, sql: isComputed }]) => !isRecordTime && !isComputed && !overrides.references?.[name],
  );
  const withDefault = Object.entries(fields).filter(([, field]) => field.default !== undefined);
  const matcher = overrides.matcher ?? matcherFor(entity);
  const references: ResourceDefinition['references'] = { ...referencesOf(fields), ...overrides.references };
  const parse = createParser(
    z.strictObject({
      external_id: (isExternalIdOptional ?? matcher.key) ? externalId.optional() : externalId,
      ...mapFields(fields, fileSchema),
      ...inputs,
    }),
  );
  const definition: ResourceDefinition = {
    name: plural,
    record: entity.name,
    fields: { external_id: 'text', ...mapFields(fields, fileKind) },
    parse(values, organization) {
      const row = checkValues(parse(values), organization);
      const defaults = withDefault.flatMap(([name, field]) =>
        row.input[name] === null ? [[name, field.default]] : [],
      );
      return defaults.length === 0 ? row : { ...row, input: { ...row.input, ...Object.fromEntries(defaults) } };
    },
    ...(hasUniqueName && {
      keyOf: ({ name }) => (typeof name === 'string' ? searchTextOf(name) : undefined),
      keyField: 'name',
    }),
    ...(searchedFields.length > 0 && {
      derived: { search_text: 'text' },
      derive: (values) => ({ search_text: searchTextFor(entity, values) }),
    }),
    defaults: Object.fromEntries(
      stored.flatMap(([name, field]) => ('default' in field ? [[name, field.default]] : [])),
    ),
    newIds: (_, count) => Array.from({ length: count }, () => newId(prefix)),
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
  };
  return {
    ...definition,
    tables: [table, ...(definition.relatedTables ?? []), 'external_id'],
    store: (batch, rows) => storeRows(definition, batch, rows),
    undo: (batch, undone) => undoRecords(definition, batch, undone),
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

/** The schema of a field in files, in which references are external ids, or ids of records. */
function fileSchema(field: Field): z.ZodType {
  if (!field.reference) return inputSchemaOf(field);
  return inputSchemaOf({ ...field, schema: field.nullable ? blankAsNull() : requiredText() });
}

/** The file format of a field. A list of objects with a `date` may be written as a list of dates. */
function fileKind({ type, object }: Field): FieldKind {
  return object?.fields.date ? 'dates' : TYPES[type][0];
}

/** How the references of an entity are resolved, by field. */
function referencesOf(fields: FieldsByName): NonNullable<ResourceDefinition['references']> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([column, { reference }]) =>
      reference ? [[column, { matcher: matcherFor(reference), column }]] : [],
    ),
  );
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

/**
 * Creates a parser from a schema. Each field is parsed by itself, so that all errors of a row are found; a row without
 * the required fields of a new record can still update one.
 */
export function createParser(schema: z.ZodObject): (values: Values) => ParsedRow {
  const fields = Object.entries(schema.shape).map(
    ([name, field]) => [name, z.strictObject({ [name]: field })] as const,
  );
  return (values) => {
    const complete = schema.safeParse(values);
    if (complete.success) return { input: complete.data };
    const input: Record<string, unknown> = {};
    const [errors, missing]: [FieldError[], FieldError[]] = [[], []];
    for (const [field, fieldSchema] of fields) {
      const isSet = values[field] !== undefined;
      const result = parseField(fieldSchema, isSet ? { [field]: values[field] } : {});
      if ('value' in result) Object.assign(input, result.value);
      else (isSet ? errors : missing).push(...result.errors);
    }
    return parsedRow(input, errors, missing);
  };
}

/** A row with those lists that are not empty. */
export function parsedRow(
  input: Values,
  errors: readonly FieldError[],
  missing: readonly FieldError[] = [],
): ParsedRow {
  return { input, ...(errors.length > 0 && { errors }), ...(missing.length > 0 && { missing }) };
}

function parseField(schema: z.ZodObject, value: Values): { value: Values } | { errors: readonly FieldError[] } {
  try {
    return { value: parseInput(schema, value) };
  } catch (error) {
    if (error instanceof ServiceError && error.details) return { errors: error.details };
    throw error;
  }
}
