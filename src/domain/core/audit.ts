import { type Sql, sql } from '../../store/sql.ts';
import type { Context } from './context.ts';
import { resemblesId } from './ids.ts';

/**
 * The statement that notes a write; part of the statement or transaction that writes, so that neither is
 * without the other.
 *
 * @param operation the operation's name, the same in both APIs.
 * @param record the id of the record, as SQL.
 * @param from where `record` comes from; an empty one notes nothing.
 */
export function auditWrite(context: Context, operation: string, record: Sql, from?: Sql): Sql {
  return note(context, operation, record, sql`'ok'`, from);
}

/**
 * Notes that a write was refused, and why.
 *
 * @param record the id of the record that it was about, as it was sent, and the prefix of such ids; undefined where the
 *   input names none.
 */
export async function auditRefusal(
  context: Context,
  operation: string,
  code: string,
  record: { readonly prefix: string; readonly id: string } | undefined,
): Promise<void> {
  await context.db.write(note(context, operation, sql`${recordIdOf(record)}::text`, sql`${code}`));
}

/** Anything can be sent in the place of an id, an API key too, and entries are kept for good. */
function recordIdOf(sent: { readonly prefix: string; readonly id: string } | undefined): string | null {
  return sent && resemblesId(sent.prefix, sent.id) ? sent.id : null;
}

/** What an actor's name begins with who works on the developer page: `developer:operator`, `developer:adm_…`. */
export const DEVELOPER_ACTOR = 'developer:';

/**
 * The statement that notes what an operator or administrator did; part of the statement or transaction that
 * does it.
 *
 * @param actor who did it, the way in first: `cli:…` or `developer:…`.
 * @param organization the id of the organization, as SQL.
 * @param record the id of the record, as SQL.
 * @param from where they come from; an empty one notes nothing.
 * @param related the id of a related record, as SQL: a department's new member, or the key that replaces a rotated one.
 */
export function auditOperator(
  actor: string,
  operation: string,
  organization: Sql,
  record: Sql,
  from: Sql,
  related: Sql = sql`NULL`,
): Sql {
  const channel = actor.startsWith(DEVELOPER_ACTOR) ? 'developer' : 'cli';
  return sql`
    INSERT INTO audit_entry (organization_id, actor, door, operation, record_id, related_id, result)
    SELECT ${organization}, ${actor}, ${channel}, ${operation}, ${record}, ${related}, 'ok' FROM ${from}`;
}

/** The organization of entries that belong to none: sign-ins as the operator, or with an unknown address. */
export const NO_ORGANIZATION = '';

/** A sign-in to the developer pages whose password was checked. */
export interface SignInEntry {
  /** Undefined where the account is the operator's or nobody's. */
  readonly organizationId: string | undefined;
  /** The administrator's id, or `operator`; undefined where nobody has the account: what was sent is not kept. */
  readonly account: string | undefined;
  readonly accepted: boolean;
  readonly clientAddress: string;
  readonly requestId: string;
}

/** The statement that notes a sign-in, accepted or refused; part of the transaction that begins the session. */
export function auditSignIn({ organizationId, account, accepted, clientAddress, requestId }: SignInEntry): Sql {
  return sql`
    INSERT INTO audit_entry (organization_id, actor, door, operation, record_id, result, request_id, client_address)
    VALUES (${organizationId ?? NO_ORGANIZATION}, ${accepted ? `${DEVELOPER_ACTOR}${account}` : null}, 'developer', 'signIn',
      ${account ?? null}, ${accepted ? 'ok' : 'invalid_credentials'}, ${requestId}, ${clientAddress})`;
}

function note({ caller, origin }: Context, operation: string, record: Sql, result: Sql, from?: Sql): Sql {
  return sql`
    INSERT INTO audit_entry (organization_id, api_key_id, door, operation, record_id, result, request_id)
    SELECT ${caller.organization.id}, ${caller.keyId}, ${origin.api}, ${operation}, ${record}, ${result},
      ${origin.requestId}
    ${from ? sql`FROM ${from}` : sql``}`;
}
