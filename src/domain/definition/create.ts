import { z } from 'zod';
import { join, raw, type Sql, sql } from '../../store/sql.ts';
import { auditWrite } from '../core/audit.ts';
import { newId } from '../core/ids.ts';
import { defineWrite, type Operation } from '../core/operation.ts';
import type { Scope } from '../core/scopes.ts';
import { selectionOf } from '../lists/projection.ts';
import { type Entity, nameInSentence, searchTextFor } from './entity.ts';
import { type Field, inputSchemaOf } from './field.ts';

/** The schema of an input with fields of an entity; what it accepts is in the definition of each field. */
export type EntityInput<Node> = z.ZodObject<
  { [Name in keyof Node & string]: z.ZodOptional<z.ZodType<Node[Name]>> },
  z.core.$strict
>;

/**
 * The fields that an operation accepts: those that a new record needs first, then the others, as in the definition.
 * No field is required for an update.
 */
export function writtenFields<Node>({ fields }: Entity<Node>, operation: 'create' | 'update'): [string, Field][] {
  const written = Object.entries<Field>(fields).filter(([, { write }]) => write?.includes(operation));
  const rank = ({ required, isLastInput }: Field) => (required ? 0 : isLastInput ? 2 : 1);
  return written.sort(([, one], [, other]) => rank(one) - rank(other));
}

/** The schema of the input that creates or updates records of an entity. */
export function inputSchema<Node>(entity: Entity<Node>, operation: 'create' | 'update'): EntityInput<Node> {
  const shape = writtenFields(entity, operation).map(([name, field]) => {
    const schema = inputSchemaOf(field).describe(field.inputDescription ?? field.description);
    return [name, operation === 'update' && field.required ? schema.optional() : schema];
  });
  return z.strictObject(Object.fromEntries(shape)) as unknown as EntityInput<Node>;
}

/** The columns that a creation fills beside the ids, for one SQL statement. */
interface InsertedColumns {
  readonly names: Sql;
  valuesOf(input: Readonly<Record<string, unknown>>): Sql;
}

/**
 * Prepares the columns that a creation fills.
 *
 * @param searchColumns computes the columns that searches look in.
 */
export function defineColumns<Node>(
  entity: Entity<Node>,
  searchColumns: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>,
): InsertedColumns {
  const columns = writtenFields(entity, 'create');
  return {
    names: raw([...columns.map(([name]) => name), ...Object.keys(searchColumns({}))].join(', ')),
    valuesOf: (input) => {
      const values = columns.map(([name, field]) => columnValue(field, input[name] ?? field.default ?? null));
      return join([...values, ...Object.values(searchColumns(input)).map((value) => sql`${value}`)]);
    },
  };
}

function columnValue({ type }: Field, value: unknown): Sql {
  if (type === 'date') return sql`${value}::date`;
  return ['object', 'objects', 'json'].includes(type) ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`;
}

/** What the creation of records of an entity has beside the entity's definition. */
interface Creation {
  /** The name of the operation, in audit entries too. */
  readonly name: string;
  readonly scope: Scope;
}

/** Makes the operation that creates a record. One statement. */
export function defineCreate<Node>(
  entity: Entity<Node>,
  { name, scope }: Creation,
): Operation<EntityInput<Node>, Node> {
  const { source, table, alias, prefix } = entity;
  const isSearched = entity.searched.length > 0;
  const columns = defineColumns(entity, (input) => (isSearched ? { search_text: searchTextFor(entity, input) } : {}));
  const row = raw(alias);
  return defineWrite({
    name,
    scope,
    input: inputSchema(entity, 'create').meta({
      id: `New${entity.name}`,
      description: `A new ${nameInSentence(entity)}.`,
    }),
    run: async (context, input) => {
      const [created] = await context.db.write<Node>(sql`
        WITH ${row} AS (
          INSERT INTO ${raw(table)} (organization_id, id, ${columns.names})
          VALUES (${context.caller.organization.id}, ${newId(prefix)}, ${columns.valuesOf(input)})
          RETURNING *
        ), noted AS (${auditWrite(context, name, sql`${row}.id`, row)})
        SELECT ${selectionOf(source.columns, undefined)} FROM ${row}`);
      return created as Node;
    },
  });
}
