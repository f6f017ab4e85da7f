import type { Prisma } from '../../store/generated/client.ts';
import { sql } from '../../store/sql.ts';
import { ServiceError } from '../core/errors.ts';
import { quantity } from '../values/words.ts';
import { lockOrganization } from './organization.ts';

/** The default of the maximum number of active keys per organization (`MAX_ACTIVE_KEYS`). */
export const DEFAULT_MAX_ACTIVE_KEYS = 50;

/** When a key was revoked or expires; the same expression as in the index of keys. */
export const KEY_END = sql`coalesce(least(revoked_at, expires_at), 'infinity'::timestamptz)`;

/** The organization already has the maximum number of active keys. */
export class KeyLimitReachedError extends ServiceError {
  /** @param qualifier added to “active keys” in the message. */
  constructor(max: number, qualifier = '') {
    super(
      'invalid_request',
      `An organization has at most ${quantity(max, 'active key')}${qualifier}; revoke one first`,
    );
  }
}

/**
 * Locks the active keys of an organization, those that are neither revoked nor expired, and returns their number.
 * Concurrent creations and rotations of its keys wait until the transaction ends.
 *
 * @throws {ServiceError} `not_found` for the organization.
 */
export async function lockAndCountActiveKeys(tx: Prisma.TransactionClient, organizationId: string): Promise<number> {
  await lockOrganization(tx, organizationId);
  // A separate statement, because it must see what was committed during the wait for the lock.
  return countActiveKeys(tx, organizationId);
}

/** Returns the number of an organization's keys that are neither revoked nor expired. */
export async function countActiveKeys(prisma: Prisma.TransactionClient, organizationId: string): Promise<number> {
  const [counted] = await prisma.$queryRaw<{ keys: number }[]>(sql`
    SELECT count(*)::int AS keys FROM api_key WHERE organization_id = ${organizationId} AND ${KEY_END} > now()`);
  return counted?.keys ?? 0;
}
