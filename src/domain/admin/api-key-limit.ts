import type { Database } from '../../store/database.ts';
import { sql } from '../../store/sql.ts';
import { notFound, ServiceError } from '../core/errors.ts';

/** How many keys an organization may have in force, unless a setting says otherwise. */
export const DEFAULT_MAX_ACTIVE_KEYS = 50;

/** A key that would be one more than an organization may have in force. */
export class KeyLimitReachedError extends ServiceError {
  /** @param counted which keys are counted, where it is not only what the name says. */
  constructor(max: number, counted = '') {
    super(
      'invalid_request',
      `An organization has at most ${max} active ${max === 1 ? 'key' : 'keys'}${counted}; revoke one first`,
    );
  }
}

/**
 * How many keys of an organization are neither revoked nor expired. Until the transaction ends nobody else can make one:
 * creations and rotations of one organization come one after another.
 *
 * @throws {ServiceError} `not_found` for the organization.
 */
export async function lockActiveKeys(transaction: Database, organizationId: string): Promise<number> {
  // Weaker than FOR UPDATE: records that refer to the organization can be written meanwhile.
  const [organization] = await transaction.rows(sql`
    SELECT id FROM organization WHERE id = ${organizationId} FOR NO KEY UPDATE`);
  if (!organization) throw notFound('Organization');
  // A statement of its own, because it must see what was committed while the lock was waited for.
  const [keys] = await transaction.rows<{ active: number }>(sql`
    SELECT count(*)::int AS active FROM api_key
    WHERE organization_id = ${organizationId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`);
  return keys?.active ?? 0;
}
