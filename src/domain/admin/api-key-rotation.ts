import { z } from 'zod';
import { isoTimestamp, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { invalidRequest, notFound, ServiceError } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { ALL_SCOPES } from '../core/scopes.ts';
import { newId } from '../values/ids.ts';
import { wholeNumber } from '../values/numbers.ts';
import { type ApiKey, apiKeyColumns, auditKeyChange, type NewKeyOptions } from './api-key.ts';
import { DEFAULT_MAX_ACTIVE_KEYS, KeyLimitReachedError, lockAndCountActiveKeys } from './api-key-limit.ts';
import { hashKey, keyPrefix, newKey } from './api-key-secret.ts';

/** The result of a rotation: the new key with its secret, and the old key with its new expiry. */
export interface Rotation extends ApiKey {
  readonly key: string;
  readonly replaces: Pick<ApiKey, 'id' | 'state' | 'expires_at'>;
}

/** A year. For a longer overlap, create a second key instead. */
const MAX_OVERLAP_HOURS = 8_760;

const rotation = z.strictObject({
  scopes: z.array(z.enum(ALL_SCOPES)).min(1, { error: 'select at least one scope' }).nullish(),
  overlap_hours: wholeNumber(0, MAX_OVERLAP_HOURS, ' of hours'),
});

/**
 * Creates a key that replaces an old one. It has the name, description, rate limit and expiry of the old key, all or
 * some of its scopes. The old key expires after the overlap, but never later than before; without an overlap, it is
 * revoked immediately.
 *
 * Locks the row of the old key first, so that the second of two concurrent rotations fails.
 *
 * An organization with the maximum number of active keys can still rotate them: during overlaps, it can have up to
 * twice as many.
 *
 * @param input.scopes the scopes of the new key. Default: those of the old key.
 * @param by the actor, for the histories and the audit log.
 * @throws {ServiceError} {@link KeyLimitReachedError}; `not_found`; `key_revoked`, `key_expired`; `invalid_request` for
 *   the overlap, for scopes that the old key does not have, or when it was rotated before.
 */
export async function rotateApiKey(
  { db }: Pick<Store, 'db'>,
  id: string,
  input: unknown,
  by: string,
  { maxActive = DEFAULT_MAX_ACTIVE_KEYS }: Pick<NewKeyOptions, 'maxActive'> = {},
): Promise<Rotation> {
  const { overlap_hours, scopes } = parseInput(rotation, input);
  const key = newKey();
  return db.transaction(async (transaction) => {
    const [old] = await transaction.rows<ApiKey>(sql`
      SELECT ${apiKeyColumns} FROM api_key k WHERE k.id = ${id} FOR UPDATE`);
    if (!old) throw notFound('API key');
    if (old.state !== 'active') {
      throw new ServiceError(`key_${old.state}`, `This API key is ${old.state}; create another one`);
    }
    const added = scopes?.filter((scope) => !old.scopes.includes(scope)) ?? [];
    if (added.length > 0) {
      const message = `the old key does not have ${added.join(', ')}; a rotation cannot add scopes`;
      throw invalidRequest({ field: 'scopes', message });
    }
    const [successor] = await transaction.rows<{ id: string }>(sql`SELECT id FROM api_key WHERE replaces_id = ${id}`);
    if (successor) {
      throw new ServiceError(
        'invalid_request',
        `This API key was already rotated; rotate ${successor.id}, which replaced it`,
      );
    }
    const active = await lockAndCountActiveKeys(transaction, old.organization_id);
    const maxWithOverlap = 2 * maxActive;
    if (overlap_hours > 0 && active >= maxWithOverlap) {
      throw new KeyLimitReachedError(maxWithOverlap, ', including replaced keys that still work');
    }
    const [created] = await transaction.rows<ApiKey>(sql`
      WITH k AS (
        INSERT INTO api_key (id, organization_id, name, description, hash, prefix, scopes, expires_at, rate_limit,
          created_by, replaces_id)
        SELECT ${newId('key')}, organization_id, name, description, ${hashKey(key)}, ${keyPrefix(key)},
          coalesce(${scopes ? [...new Set(scopes)] : null}::text[], scopes), expires_at, rate_limit, ${by}, id
        FROM api_key WHERE id = ${id}
        RETURNING *
      )
      SELECT ${apiKeyColumns} FROM k`);
    const [replaces] = await transaction.rows<Rotation['replaces']>(sql`
      WITH k AS (
        UPDATE api_key SET
          expires_at = CASE WHEN ${overlap_hours}::int = 0 THEN expires_at
            ELSE least(expires_at, now() + ${overlap_hours}::int * interval '1 hour') END,
          revoked_at = CASE WHEN ${overlap_hours}::int = 0 THEN now() END,
          revoked_by = CASE WHEN ${overlap_hours}::int = 0 THEN ${by} END
        WHERE id = ${id} RETURNING *
      ), audited AS (${auditKeyChange(by, 'rotateApiKey', sql`${created?.id}::text`)})
      SELECT k.id, CASE WHEN k.revoked_at IS NULL THEN 'active' ELSE 'revoked' END AS state,
        ${isoTimestamp('k.expires_at')} AS expires_at
      FROM k`);
    return { ...(created as ApiKey), key, replaces: replaces as Rotation['replaces'] };
  });
}
