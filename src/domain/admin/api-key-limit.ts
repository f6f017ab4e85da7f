import type { Database } from '../../store/database.ts';
import { sql } from '../../store/sql.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import { quantity } from '../values/words.ts';

/** The default of the maximum number of active keys per organization (`MAX_ACTIVE_KEYS`). */
export const DEFAULT_MAX_ACTIVE_KEYS = 50;

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
export async function lockAndCountActiveKeys(transaction: Database, organizationId: string): Promise<number> {
  // Weaker than FOR UPDATE, so that records that refer to the organization can still be inserted.
  const [organization] = await transaction.rows(sql`
    SELECT id FROM organization WHERE id = ${organizationId} FOR NO KEY UPDATE`);
  if (!organization) throw notFound('Organization');
  // A separate statement, because it must see what was committed during the wait for the lock.
  return countActiveKeys(transaction, organizationId);
}

/** Returns the number of an organization's keys that are neither revoked nor expired. */
export async function countActiveKeys(db: Database, organizationId: string): Promise<number> {
  const [keys] = await db.rows<{ active: number }>(sql`
    SELECT count(*)::int AS active FROM api_key
    WHERE organization_id = ${organizationId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`);
  return keys?.active ?? 0;
}
