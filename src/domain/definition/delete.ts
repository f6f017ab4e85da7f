import { z } from 'zod';
import { isRowConflict } from '../../store/errors.ts';
import { isoTimestamp, raw, sql } from '../../store/sql.ts';
import { auditWrite } from '../core/audit.ts';
import type { Context } from '../core/context.ts';
import { invalidRequest } from '../core/errors.ts';
import { defineWrite, type Operation } from '../core/operation.ts';
import type { Scope } from '../core/scopes.ts';
import { writeInTransaction } from '../core/writes.ts';
import { readOne } from '../records/records.ts';
import { timestamp } from '../values/text.ts';
import { type Entity, nameInSentence } from './entity.ts';
import { lockRecord, type RecordVersion } from './update.ts';

/** The options of a delete operation. */
interface DeleteOptions {
  /** The name of the operation, also in audit entries. */
  readonly name: string;
  readonly scope: Scope;
  /** Deletes rows of other tables that refer to the record, in the same transaction. */
  readonly deleteRelated?: (context: Context, id: string) => Promise<void>;
  /** Returns the error to report for an error of the database. Default: the error for a record that others refer to. */
  readonly errorOf?: (error: unknown) => Error | undefined;
}

/**
 * Defines an operation that deletes a record with a string id and the external ids by which imports find it, and returns
 * the record as it was.
 *
 * Its errors are `not_found`, `precondition_failed`, and `invalid_request` if other records refer to it.
 */
export function defineDelete<Node>(
  entity: Entity<Node>,
  { name, scope, deleteRelated, errorOf = (error) => referredToError(entity, error) }: DeleteOptions,
): Operation<z.ZodType<RecordVersion>, Node> {
  const { source, table, alias, plural, prefix } = entity;
  const hasTimes = 'updated_at' in entity.fields;
  const lockedColumns = hasTimes ? sql`${isoTimestamp('updated_at')} AS updated_at` : raw('id');

  const remove = async (context: Context, input: RecordVersion): Promise<Node> => {
    const { id } = input;
    const organizationId = context.caller.organization.id;
    await lockRecord(context, entity, input, lockedColumns);
    const deleted = await readOne(context, source, sql`${raw(alias)}.id = ${id}`, undefined);
    await deleteRelated?.(context, id);
    await context.db.rows(sql`DELETE FROM ${raw(table)} WHERE organization_id = ${organizationId} AND id = ${id}`);
    await context.db.rows(sql`
      DELETE FROM external_id
      WHERE organization_id = ${organizationId} AND resource = ${plural} AND record_id = ${id}`);
    await context.db.rows(auditWrite(context, name, sql`${id}`));
    return deleted?.parse() as Node;
  };

  return defineWrite({
    name,
    scope,
    input: z.strictObject({
      id: z.string(),
      expected_updated_at: timestamp.nullish(),
    }) as unknown as z.ZodType<RecordVersion>,
    record: { prefix, idOf: ({ id }) => id },
    run: (context, input) =>
      writeInTransaction(context, (inTransaction) => remove(inTransaction, input)).catch((error: unknown) => {
        throw errorOf(error) ?? error;
      }),
  });
}

function referredToError<Node>(entity: Entity<Node>, error: unknown): Error | undefined {
  if (!isRowConflict(error)) return undefined;
  const message = `cannot be deleted: other records refer to this ${nameInSentence(entity)}; change or delete them first`;
  return invalidRequest({ field: 'id', message });
}
