import { z } from 'zod';
import { isoTimestamp, join, raw, type Sql, sql } from '../../store/sql.ts';
import { auditWrite } from '../core/audit.ts';
import type { Context } from '../core/context.ts';
import { type FieldError, notFound, recordError } from '../core/errors.ts';
import { defineWrite, type Operation } from '../core/operation.ts';
import { setUnknownFieldMessages, unvalidatedField } from '../core/parse-input.ts';
import type { Scope } from '../core/scopes.ts';
import { lockCounter, writeInTransaction } from '../core/writes.ts';
import { readOne, tableOf, tenantCondition } from '../records/records.ts';
import { idProblem, isId } from '../values/ids.ts';
import { timestamp } from '../values/text.ts';
import { capitalize } from '../values/words.ts';
import { columnValue, inputSchema, readOnlyMessages, referenceError, writableFields } from './create.ts';
import { type Entity, nameInSentence, searchTextColumn } from './entity.ts';

/** A record to write. */
export interface RecordVersion {
  readonly id: string;
  /** If set, the write fails unless it equals the record's `updated_at`. */
  readonly expected_updated_at?: string | null | undefined;
}

/** The input of an update. */
interface UpdateInput<Changes> extends RecordVersion {
  /** Only the fields that were sent; null clears an optional one. */
  readonly changes: Changes;
}

/** An update in progress. The record is locked, and the database of `context` is the transaction. */
interface RunningUpdate<Changes> {
  readonly context: Context;
  readonly id: string;
  /** The searched fields before the update. */
  readonly current: Readonly<Record<string, unknown>>;
  readonly changes: Changes;
}

/** The options of an update operation. */
interface UpdateOptions<Schema extends z.ZodObject> {
  /** The name of the operation, also in audit entries. */
  readonly name: string;
  readonly scope: Scope;
  /** The fields that can be sent, see {@link changesSchema}. */
  readonly changes: Schema;
  /** Returns errors of changes that depend on the context, see `defineOperation`. */
  readonly contextErrors?: (context: Context, changes: unknown) => readonly FieldError[];
  /** Converts validated changes for storage, or throws. Default: they are stored unchanged. */
  readonly toStore?: (context: Context, input: UpdateInput<z.output<Schema>>) => z.output<Schema>;
  /** Computes the columns that searches use from the searched fields. Default: `search_text`. */
  readonly searchColumns?: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
  /** Calls `updateRow`, before or after other writes of the same transaction. Default: only calls it. */
  readonly write?: (update: RunningUpdate<z.output<Schema>>, updateRow: () => Promise<void>) => Promise<void>;
  /** Whether an error is caused by a concurrent write, so that the update is retried. */
  readonly isRace?: (error: unknown) => boolean;
  /** Returns the error to report for an error of the database that the changes caused. */
  readonly errorOf?: (error: unknown, changes: z.output<Schema>) => Error | undefined;
}

/**
 * Returns the schema of the changes that an update accepts: the fields of the entity with `inputOf: ['update']`, and others.
 *
 * @param unknownFields what to send instead of other fields, see {@link setUnknownFieldMessages}.
 */
export function changesSchema<Node, Others extends z.ZodRawShape = Record<never, never>>(
  entity: Entity<Node>,
  others: Others = {} as Others,
  unknownFields: Readonly<Record<string, string>> = {},
) {
  const schema = inputSchema(entity, 'update')
    .extend(others)
    .meta({
      id: `${entity.name}Changes`,
      description: `The fields of a ${nameInSentence(entity)} to update; null clears an optional field.`,
    });
  setUnknownFieldMessages(schema, { ...readOnlyMessages(entity, 'update'), ...unknownFields });
  return schema;
}

/**
 * Defines an operation that updates a record with a string id in one transaction. Only the sent fields change; `{}` changes
 * nothing.
 *
 * Its errors are `not_found`, `precondition_failed`, `invalid_request`, and those of the options.
 */
export function defineUpdate<Node, Schema extends z.ZodObject>(
  entity: Entity<Node>,
  options: UpdateOptions<Schema>,
): Operation<z.ZodType<UpdateInput<z.output<Schema>>>, Node> {
  const { name, scope, contextErrors, toStore = (_context, { changes }) => changes, isRace, errorOf } = options;
  const noun = nameInSentence(entity);
  const update = rowUpdate(entity, options);
  return defineWrite({
    name,
    scope,
    input: z.strictObject({
      id: z.string(),
      changes: options.changes,
      expected_updated_at: timestamp
        .nullish()
        .describe(
          `The \`updatedAt\` of the ${noun} as it was read. The update is refused if the ${noun} was updated since.`,
        ),
    }) as unknown as z.ZodType<UpdateInput<z.output<Schema>>>,
    ...(contextErrors && {
      contextErrors: (context, input) => contextErrors(context, unvalidatedField(input, 'changes')),
    }),
    record: { prefix: entity.prefix, idOf: ({ id }) => id },
    run: (context, input) => {
      const changes = toStore(context, input);
      const write = (inTransaction: Context) => update(inTransaction, { ...input, changes });
      return writeInTransaction(context, write, isRace && { isRace }).catch((error: unknown) => {
        throw errorOf?.(error, input.changes) ?? referenceError(entity, error, input.changes) ?? error;
      });
    },
  });
}

/** Returns the function that updates a record and reads it; the database of its context is a transaction. */
function rowUpdate<Node, Schema extends z.ZodObject>(
  entity: Entity<Node>,
  {
    name,
    searchColumns = (values) => searchTextColumn(entity, values),
    write = (_update, updateRow) => updateRow(),
  }: UpdateOptions<Schema>,
) {
  const { source, table, alias, searchedFields } = entity;
  const fields = writableFields(entity, 'update');
  const lockedColumns = raw([...searchedFields, `${isoTimestamp('updated_at').text} AS updated_at`].join(', '));

  const assignments = (
    changes: Readonly<Record<string, unknown>>,
    current: Readonly<Record<string, unknown>>,
  ): Sql[] => {
    const sent = fields.filter(([field]) => changes[field] !== undefined);
    if (sent.length === 0) return [];
    return [
      ...sent.map(([field, type]) => sql`${raw(field)} = ${columnValue(type, changes[field] ?? type.default ?? null)}`),
      ...Object.entries(searchColumns({ ...current, ...changes })).map(
        ([column, value]) => sql`${raw(column)} = ${value}`,
      ),
      sql`updated_at = greatest(now(), updated_at)`,
    ];
  };

  return async (context: Context, input: UpdateInput<z.output<Schema>>): Promise<Node> => {
    const { id, changes } = input;
    const current = await lockRecord(context, entity, input, lockedColumns);
    await write({ context, id, current, changes }, async () => {
      const columns = assignments(changes, current);
      if (columns.length === 0) return;
      await context.db.rows(
        sql`UPDATE ${raw(table)} SET ${join(columns)} WHERE organization_id = ${context.caller.organization.id} AND id = ${id}`,
      );
    });
    await context.db.rows(auditWrite(context, name, sql`${id}`));
    const updated = await readOne(context, source, sql`${raw(alias)}.id = ${id}`, undefined);
    return updated?.parse() as Node;
  };
}

/**
 * Locks a record with a string id, after the counter of its organization, until the transaction of the context ends: changes of
 * the record wait for each other. Checks that the record has the state that the caller expects.
 *
 * @param columns those to return; with `updated_at`, if the input can have `expected_updated_at`.
 * @throws {ServiceError} `not_found`, `precondition_failed`.
 */
export async function lockRecord<Node>(
  context: Context,
  entity: Entity<Node>,
  { id, expected_updated_at: expected }: RecordVersion,
  columns: Sql,
): Promise<Readonly<Record<string, unknown>>> {
  await context.db.rows(lockCounter(context.caller.organization.id));
  const { source, prefix } = entity;
  const noun = nameInSentence(entity);
  const [row] = isId(prefix, id)
    ? await context.db.rows<Record<string, unknown>>(sql`
        SELECT ${columns} FROM ${tableOf(source)}
        WHERE ${tenantCondition(context, source, [sql`${raw(source.alias)}.id = ${id}`])} FOR UPDATE`)
    : [];
  if (!row) throw notFound(capitalize(noun), idProblem(prefix, noun, id, entity.plural));
  if (expected != null && expected !== row.updated_at) throw recordError('precondition_failed');
  await context.checkPrecondition?.(context);
  return row;
}
