import { z } from 'zod';
import { empty, isoTimestamp, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { NO_ORGANIZATION } from '../core/audit.ts';
import type { Context } from '../core/context.ts';
import { notFound } from '../core/errors.ts';
import { parseInput } from '../core/operation.ts';
import { encodeCursor } from '../lists/cursor.ts';

/** One write that was asked for and allowed, or one sign-in; carried out or refused. */
export interface AuditEntry {
  /** Counted over all organizations: for operators only; see {@link auditEntryId}. */
  readonly id: number;
  readonly at: string;
  readonly channel: 'rest' | 'graphql' | 'cli' | 'developer';
  readonly operation: string;
  readonly record_id: string | null;
  /** The other record that it is about: the member who joined the department, the key that replaces the rotated one. */
  readonly related_id: string | null;
  /** `ok`, or the code of the refusal. */
  readonly result: string;
  /** The key that asked; null where an operator did it. */
  readonly key_id: string | null;
  /** The operator or administrator; null where a key asked. */
  readonly actor: string | null;
  readonly request_id: string | null;
  /** Of a sign-in: where it came from. */
  readonly client_address: string | null;
}

/**
 * The public id of an entry: the numbers count the entries of all organizations, so they are encrypted. It is the same
 * each time, and nothing takes it as input.
 */
export function auditEntryId({ cursorSecret, caller }: Pick<Context, 'cursorSecret' | 'caller'>, id: bigint): string {
  const list = { organizationId: caller.organization.id, list: 'audit_entry_id', search: undefined };
  return `aud_${encodeCursor(cursorSecret, list, id)}`;
}

const MAX_ENTRIES = 1_000;

const integer = (from: number, to: number) =>
  z.custom<number>((value) => Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to, {
    error: `must be a whole number from ${from} to ${to}`,
  });

const auditQuery = z.strictObject({
  organization_id: z.string().nullable(),
  record_id: z.string().optional(),
  key_id: z.string().optional(),
  /** Only entries of these operations. */
  operations: z.array(z.string()).optional(),
  limit: integer(1, MAX_ENTRIES),
  before: integer(1, Number.MAX_SAFE_INTEGER).optional(),
});

/**
 * The audit of an organization, newest first, before an entry where one is named. With null in the place of the
 * organization's id: the sign-ins that belong to none.
 *
 * @throws {ServiceError} `invalid_request`; `not_found` for the organization.
 */
export async function listAudit({ db, prisma }: Pick<Store, 'db' | 'prisma'>, input: unknown): Promise<AuditEntry[]> {
  const { organization_id, record_id, key_id, operations, limit, before } = parseInput(auditQuery, input);
  if (organization_id !== null && !(await prisma.organization.findUnique({ where: { id: organization_id } }))) {
    throw notFound('Organization');
  }
  return db.rows<AuditEntry>(sql`
    SELECT id::float8 AS id, ${isoTimestamp('at')} AS at, door AS channel, operation, record_id, related_id, result, api_key_id AS key_id,
      actor, request_id, client_address
    FROM audit_entry a
    WHERE organization_id = ${organization_id ?? NO_ORGANIZATION}
      ${record_id === undefined ? empty : sql`AND (record_id = ${record_id} OR related_id = ${record_id})`}
      ${key_id === undefined ? empty : sql`AND api_key_id = ${key_id}`}
      ${operations === undefined ? empty : sql`AND operation = ANY (${operations}::text[])`}
      ${before === undefined ? empty : sql`AND id < ${before}::bigint`}
    ORDER BY a.id DESC LIMIT ${limit}`);
}
