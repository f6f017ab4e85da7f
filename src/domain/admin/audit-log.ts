import { z } from 'zod';
import type { Database } from '../../store/database.ts';
import { Prisma } from '../../store/generated/client.ts';
import { sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { NO_ORGANIZATION } from '../core/audit.ts';
import type { Context } from '../core/context.ts';
import { parseInput } from '../core/parse-input.ts';
import { purgeInBatches } from '../core/writes.ts';
import { encodeCursor } from '../cursors/cursor.ts';
import { wholeNumber } from '../values/numbers.ts';
import { readOrganization } from './organization.ts';

/** A write that passed the scope check and validation, or a sign-in; accepted or rejected. */
export interface AuditEntry {
  /** Counts the entries of all organizations, so only operators may see it; the APIs return {@link auditEntryId}. */
  readonly id: number;
  readonly at: string;
  readonly channel: 'rest' | 'graphql' | 'cli' | 'developer';
  readonly operation: string;
  readonly record_id: string | null;
  /** A second record: the new member of a department, or the key that replaces a rotated one. */
  readonly related_id: string | null;
  /** `ok`, or the error code. */
  readonly result: string;
  /** The API key of the request; null for operators and administrators. */
  readonly key_id: string | null;
  /** The operator or administrator; null for API keys. */
  readonly actor: string | null;
  readonly request_id: string | null;
  /** The client address of a sign-in. */
  readonly client_address: string | null;
}

/**
 * Returns the public id of an entry. This is the encrypted number of the entry, because numbers disclose how many
 * entries all organizations have. An entry always has the same id; no operation accepts it as input.
 */
export function auditEntryId({ appSecret, caller }: Pick<Context, 'appSecret' | 'caller'>, id: bigint): string {
  const list = { organizationId: caller.organization.id, list: 'audit_entry_id', search: undefined };
  return `aud_${encodeCursor(appSecret, list, id)}`;
}

const MAX_ENTRIES = 1_000;

const auditQuery = z.strictObject({
  organization_id: z.string().nullable(),
  record_id: z.string().optional(),
  key_id: z.string().optional(),
  /** Only entries of these operations. */
  operations: z.array(z.string()).optional(),
  limit: wholeNumber(1, MAX_ENTRIES),
  before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
});

/**
 * Lists the audit entries of an organization, newest first.
 *
 * @param input.organization_id null for sign-ins without an organization.
 * @param input.before only entries older than the one with this id.
 * @throws {ServiceError} `invalid_request`; `not_found` for the organization.
 */
export async function listAudit({ prisma }: Pick<Store, 'prisma'>, input: unknown): Promise<AuditEntry[]> {
  const { organization_id, record_id, key_id, operations, limit, before } = parseInput(auditQuery, input);
  if (organization_id !== null && !(await isDeleted(prisma, organization_id))) {
    await readOrganization({ prisma }, organization_id);
  }
  const entries = await prisma.auditEntry.findMany({
    where: {
      organizationId: organization_id ?? NO_ORGANIZATION,
      OR: record_id === undefined ? Prisma.skip : [{ recordId: record_id }, { relatedId: record_id }],
      apiKeyId: key_id ?? Prisma.skip,
      operation: operations ? { in: operations } : Prisma.skip,
      id: before === undefined ? Prisma.skip : { lt: before },
    },
    orderBy: { id: 'desc' },
    take: limit,
  });
  return entries.map((entry) => ({
    id: Number(entry.id),
    at: entry.at.toISOString(),
    channel: entry.channel as AuditEntry['channel'],
    operation: entry.operation,
    record_id: entry.recordId,
    related_id: entry.relatedId,
    result: entry.result,
    key_id: entry.apiKeyId,
    actor: entry.actor,
    request_id: entry.requestId,
    client_address: entry.clientAddress,
  }));
}

/** Whether an organization was deleted; its entries are kept. */
async function isDeleted(prisma: Store['prisma'], id: string): Promise<boolean> {
  const where = { organizationId: id, operation: 'deleteOrganization', recordId: id };
  return (await prisma.auditEntry.findFirst({ where })) !== null;
}

/**
 * Deletes the entries that are older than a number of days, except the changes to API keys. A function of the database does
 * it, because the role of the service may not delete entries.
 */
export function purgeAudit(db: Database, days: number): Promise<void> {
  return purgeInBatches(db, (limit) => sql`SELECT FROM purge_audit_entries(${days}::int, ${limit})`);
}
