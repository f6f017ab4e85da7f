import { type Sql, sql } from '../store/sql.ts';
import type { Context } from './context.ts';

/**
 * The statement that notes a write; part of the statement or transaction that writes, so that neither is
 * without the other.
 *
 * @param operation the operation's name, the same at both doors.
 * @param record the id of the record, as SQL.
 * @param from where `record` comes from; an empty one notes nothing.
 */
export function noteWrite(context: Context, operation: string, record: Sql, from?: Sql): Sql {
  return note(context, operation, record, sql`'ok'`, from);
}

/** Notes that a write was refused, and why. */
export async function noteRefusal(context: Context, operation: string, code: string): Promise<void> {
  await context.db.rows(note(context, operation, sql`NULL`, sql`${code}`));
}

function note({ caller, origin }: Context, operation: string, record: Sql, result: Sql, from?: Sql): Sql {
  return sql`
    INSERT INTO audit_entry (organization_id, api_key_id, door, operation, record_id, result, request_id)
    SELECT ${caller.organization.id}, ${caller.keyId}, ${origin.door}, ${operation}, ${record}, ${result},
      ${origin.requestId}
    ${from ? sql`FROM ${from}` : sql``}`;
}
