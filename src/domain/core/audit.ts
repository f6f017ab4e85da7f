import type { Prisma } from '../../store/generated/client.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { resemblesId } from '../values/ids.ts';
import type { Context } from './context.ts';

/**
 * Returns the SQL that records a write in the audit log. Run it in the same statement or transaction as the write, so that
 * both are committed or neither.
 *
 * @param operation the operation's name, the same in both APIs.
 * @param record the id of the record, as SQL.
 * @param from the FROM item that `record` refers to; if it has no rows, nothing is recorded.
 */
export function auditWrite(context: Context, operation: string, record: Sql, from?: Sql): Sql {
  return insertEntry(context, operation, record, sql`'ok'`, from);
}

/**
 * Records in the audit log that a write was rejected.
 *
 * @param code the error code.
 * @param record the id of the record as sent, and the prefix of its ids; undefined if the input has no id.
 */
export async function auditRejection(
  context: Context,
  operation: string,
  code: string,
  record: { readonly prefix: string; readonly id: string } | undefined,
): Promise<void> {
  // Callers can send any text, even an API key, and entries are kept permanently.
  const id = record && resemblesId(record.prefix, record.id) ? record.id : null;
  await context.db.write(insertEntry(context, operation, sql`${id}::text`, sql`${code}`));
}

/** The prefix of actors on the developer pages: `developer:operator`, `developer:adm_…`. */
export const DEVELOPER_ACTOR = 'developer:';

/** An action of an operator or administrator. */
interface Action {
  /** Who did it, prefixed with the channel: `cli:…` or `developer:…`. */
  readonly by: string;
  readonly operation: string;
  readonly organizationId: string;
  /** The id of the record. Default: the organization. */
  readonly recordId?: string;
  /** The key that replaces a rotated one. */
  readonly relatedId?: string;
}

/** Records an action of an operator or administrator in the audit log. Call it in the transaction of the action. */
export async function auditAction(
  tx: Prisma.TransactionClient,
  { by, operation, organizationId, recordId = organizationId, relatedId }: Action,
): Promise<void> {
  const channel = by.startsWith(DEVELOPER_ACTOR) ? 'developer' : 'cli';
  await tx.auditEntry.create({
    data: { organizationId, actor: by, channel, operation, recordId, relatedId: relatedId ?? null, result: 'ok' },
  });
}

/** The organization id of entries without an organization: sign-ins as the operator, or with an unknown address. */
export const NO_ORGANIZATION = '';

/** The request of a sign-in. */
export interface SignInRequest {
  readonly clientAddress: string;
  readonly requestId: string;
}

/** A sign-in to the developer pages with a correct or incorrect password. */
interface SignInEntry extends SignInRequest {
  readonly isOperator: boolean;
  /** Empty for the operator's account, and for unknown accounts, whose names are not stored. */
  readonly administrators: readonly { readonly id: string; readonly organization_id: string }[];
  readonly accepted: boolean;
}

/** Records a sign-in, accepted or rejected. Call it in the transaction that creates the session. */
export async function auditSignIn(
  tx: Prisma.TransactionClient,
  { isOperator, administrators, accepted, clientAddress, requestId }: SignInEntry,
): Promise<void> {
  const entry = {
    channel: 'developer',
    operation: 'signIn',
    result: accepted ? 'ok' : 'invalid_credentials',
    requestId,
    clientAddress,
  };
  const withoutOrganization = { id: isOperator ? 'operator' : null, organization_id: NO_ORGANIZATION };
  await tx.auditEntry.createMany({
    data: (administrators.length > 0 ? administrators : [withoutOrganization]).map(({ id, organization_id }) => ({
      ...entry,
      organizationId: organization_id,
      actor: accepted ? `${DEVELOPER_ACTOR}${id}` : null,
      recordId: id,
    })),
  });
}

/**
 * Records a change that an account of the developer pages made to itself. Call it in the transaction of the change.
 *
 * @param ids of the account's administrators; undefined: the operator.
 */
export async function auditAccount(
  tx: Prisma.TransactionClient,
  operation: string,
  ids: readonly string[] | undefined,
): Promise<void> {
  const accounts = ids
    ? await tx.administrator.findMany({ where: { id: { in: [...ids] } }, select: { id: true, organizationId: true } })
    : [{ id: 'operator', organizationId: NO_ORGANIZATION }];
  await tx.auditEntry.createMany({
    data: accounts.map(({ id, organizationId }) => {
      const actor = DEVELOPER_ACTOR + id;
      return { organizationId, actor, channel: 'developer', operation, recordId: id, result: 'ok' };
    }),
  });
}

function insertEntry({ caller, apiRequest }: Context, operation: string, record: Sql, result: Sql, from?: Sql): Sql {
  return sql`
    INSERT INTO audit_entry (organization_id, api_key_id, channel, operation, record_id, result, request_id)
    SELECT ${caller.organization.id}, ${caller.keyId}, ${apiRequest.api}, ${operation}, ${record}, ${result},
      ${apiRequest.requestId}
    ${from ? sql`FROM ${from}` : sql``}`;
}
