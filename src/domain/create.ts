import { z } from 'zod';
import { join, raw, type Sql, sql } from '../store/sql.ts';
import { noteWrite } from './audit.ts';
import { type Entity, nounOf } from './entity.ts';
import { type Field, inputOf } from './field.ts';
import { selectionOf } from './fields.ts';
import { newId } from './ids.ts';
import { defineWrite, type Operation } from './operation.ts';
import type { Scope } from './scopes.ts';
import { searchTextOf } from './search.ts';

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
  return [...written.filter(([, { required }]) => required), ...written.filter(([, { required }]) => !required)];
}

/** The schema of the input that creates or updates records of an entity. */
export function inputSchema<Node>(entity: Entity<Node>, operation: 'create' | 'update'): EntityInput<Node> {
  const shape = writtenFields(entity, operation).map(([name, field]) => {
    const schema = inputOf(field);
    const input = operation === 'update' && field.required ? schema.optional() : schema;
    return [name, input.describe(field.inputDescription ?? field.description)];
  });
  return z.strictObject(Object.fromEntries(shape)) as unknown as EntityInput<Node>;
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
  const { source, table, alias, prefix, fields } = entity;
  const columns = writtenFields(entity, 'create');
  const searched = Object.entries<Field>(fields).flatMap(([field, { searchable }]) => (searchable ? field : []));
  const names = raw([...columns.map(([column]) => column), ...(searched.length > 0 ? ['search_text'] : [])].join(', '));
  const valuesOf = (input: Readonly<Record<string, unknown>>): Sql[] => {
    const values = columns.map(([column, field]) => input[column] ?? field.default ?? null);
    const searchText = searched.map((field) => input[field] as string | null);
    return [...values, ...(searched.length > 0 ? [searchTextOf(...searchText)] : [])].map((value) => sql`${value}`);
  };
  return defineWrite({
    name,
    scope,
    input: inputSchema(entity, 'create').meta({ id: `New${entity.name}`, description: `A new ${nounOf(entity)}.` }),
    run: async (context, input) => {
      const row = raw(alias);
      const [created] = await context.db.write<Node>(sql`
        WITH ${row} AS (
          INSERT INTO ${raw(table)} (organization_id, id, ${names})
          VALUES (${context.caller.organization.id}, ${newId(prefix)}, ${join(valuesOf(input))})
          RETURNING *
        ), noted AS (${noteWrite(context, name, sql`${row}.id`, row)})
        SELECT ${selectionOf(source.columns, undefined)} FROM ${row}`);
      return created as Node;
    },
  });
}
