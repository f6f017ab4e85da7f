import { z } from 'zod';
import { violatedConstraint } from '../../store/errors.ts';
import { join, raw, type Sql, sql } from '../../store/sql.ts';
import { auditWrite } from '../core/audit.ts';
import { invalidRequest } from '../core/errors.ts';
import { defineWrite, type Operation } from '../core/operation.ts';
import { setUnknownFieldMessages } from '../core/parse-input.ts';
import type { Scope } from '../core/scopes.ts';
import { takeNumbers } from '../core/writes.ts';
import { selectionOf } from '../records/records.ts';
import { newId } from '../values/ids.ts';
import { type Entity, nameInSentence, searchTextColumn } from './entity.ts';
import { type Field, inputSchemaOf, shownFields, unknownReference } from './field.ts';

/** The schema of an input with fields of an entity, derived from the definitions of the fields. */
export type EntityInput<Node> = z.ZodObject<
  { [Name in keyof Node & string]: z.ZodOptional<z.ZodType<Node[Name]>> },
  z.core.$strict
>;

/**
 * Returns the fields that an operation accepts: first those that are required to create a record, then the others, in the
 * order of the definition except {@link Entity.lastInputs}.
 */
export function writableFields<Node>(
  { fields, lastInputs = [] }: Entity<Node>,
  operation: 'create' | 'update',
): [string, Field][] {
  const fieldsOfOperation = Object.entries<Field>(fields).filter(([, { inputOf }]) => inputOf?.includes(operation));
  const rank = ([name, { required }]: [string, Field]) => (required ? -2 : lastInputs.indexOf(name));
  return fieldsOfOperation.sort((one, other) => rank(one) - rank(other));
}

/** Returns the messages for fields that records have, but that an operation does not accept. */
export function readOnlyMessages<Node>(entity: Entity<Node>, operation: 'create' | 'update'): Record<string, string> {
  const writable = new Set(writableFields(entity, operation).map(([name]) => name));
  const readOnly = Object.keys(shownFields(entity.fields)).filter((name) => !writable.has(name));
  return Object.fromEntries(readOnly.map((name) => [name, 'is read-only; leave it out']));
}

/** Returns the schema of the input that creates or updates a record. No field is required for updates. */
export function inputSchema<Node>(entity: Entity<Node>, operation: 'create' | 'update'): EntityInput<Node> {
  const shape = writableFields(entity, operation).map(([name, field]) => {
    const schema = inputSchemaOf(field).describe(field.inputDescription ?? field.description);
    return [name, operation === 'update' && field.required ? schema.optional() : schema];
  });
  return z.strictObject(Object.fromEntries(shape)) as unknown as EntityInput<Node>;
}

/** The columns of an INSERT statement, except the ids. */
interface InsertedColumns {
  readonly names: Sql;
  valuesOf(input: Readonly<Record<string, unknown>>): Sql;
}

/**
 * Prepares the columns of an INSERT statement, except the ids.
 *
 * @param searchColumns computes the columns that searches use.
 */
export function insertColumns<Node>(
  entity: Entity<Node>,
  searchColumns: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>,
): InsertedColumns {
  const columns = writableFields(entity, 'create');
  return {
    names: raw([...columns.map(([name]) => name), ...Object.keys(searchColumns({}))].join(', ')),
    valuesOf: (input) => {
      const values = columns.map(([name, field]) => columnValue(field, input[name] ?? field.default ?? null));
      return join([...values, ...Object.values(searchColumns(input)).map((value) => sql`${value}`)]);
    },
  };
}

/** Returns the SQL of a value for the column of a field. */
export function columnValue({ type }: Field, value: unknown): Sql {
  if (type === 'date') return sql`${value}::date`;
  return ['object', 'objects', 'json'].includes(type) ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`;
}

/** Returns the error for a reference to a record that does not exist; undefined if this did not cause the error. */
export function referenceError<Node>(entity: Entity<Node>, error: unknown, input: RecordValues): Error | undefined {
  const constraint = violatedConstraint(error);
  if (constraint === undefined) return undefined;
  const references = Object.entries<Field>(entity.fields).filter(([, field]) => field.reference);
  // The name of the foreign key, as Prisma names it.
  const [field, definition] =
    references.find(([name]) => constraint === `${entity.table}_organization_id_${name}_fkey`) ?? [];
  const reference = definition?.reference;
  if (field === undefined || !reference) return undefined;
  return invalidRequest({ field, message: unknownReference(reference, String(input[field])) });
}

/** The options of a create operation. */
interface CreateOptions {
  /** The name of the operation, also in audit entries. */
  readonly name: string;
  readonly scope: Scope;
  /** What to send instead of fields of other APIs, see {@link setUnknownFieldMessages}. */
  readonly unknownFields?: Readonly<Record<string, string>>;
  /** Returns the error to report for an error of the database that the input caused. */
  readonly errorOf?: (error: unknown, input: RecordValues) => Error | undefined;
}

type RecordValues = Readonly<Record<string, unknown>>;

/** Defines an operation that creates a record in one statement. */
export function defineCreate<Node>(
  entity: Entity<Node>,
  { name, scope, unknownFields, errorOf }: CreateOptions,
): Operation<EntityInput<Node>, Node> {
  const { source, table, alias, prefix } = entity;
  const columns = insertColumns(entity, (input) => searchTextColumn(entity, input));
  const row = raw(alias);
  const input = inputSchema(entity, 'create').meta({
    id: `New${entity.name}`,
    description: `A new ${nameInSentence(entity)}.`,
  });
  setUnknownFieldMessages(input, { ...readOnlyMessages(entity, 'create'), ...unknownFields });
  return defineWrite({
    name,
    scope,
    input,
    run: async (context, input) => {
      const organizationId = context.caller.organization.id;
      const statement = sql`
        WITH numbers AS (${takeNumbers(organizationId, 1)}), ${row} AS (
          INSERT INTO ${raw(table)} (organization_id, id, position, ${columns.names})
          SELECT ${organizationId}, ${newId(prefix)}, numbers.previous_number + 1, ${columns.valuesOf(input)} FROM numbers
          RETURNING *
        ), audited AS (${auditWrite(context, name, sql`${row}.id`, row)})
        SELECT ${selectionOf(source.columns, undefined)} FROM ${row}`;
      const [created] = await context.db.write<Node>(statement).catch((error: unknown) => {
        throw errorOf?.(error, input) ?? referenceError(entity, error, input) ?? error;
      });
      return created as Node;
    },
  });
}
