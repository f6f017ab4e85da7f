import { z } from 'zod';
import { databaseTime } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { auditAction } from '../core/audit.ts';
import { invalidRequest, ServiceError } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { ALL_SCOPES, type Scope } from '../core/scopes.ts';
import { newId } from '../values/ids.ts';
import { wholeNumber } from '../values/numbers.ts';
import { HOUR_MS } from '../values/time-zone.ts';
import { DEFAULT_MAX_ACTIVE_KEYS, KeyLimitReachedError, lockAndCountActiveKeys } from './active-keys.ts';
import { type ApiKey, type KeyIds, type NewKeyOptions, readKeyOf } from './api-key.ts';
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
  { prisma }: Pick<Store, 'prisma'>,
  { organization_id: organizationId, id }: KeyIds,
  input: unknown,
  by: string,
  { maxActive = DEFAULT_MAX_ACTIVE_KEYS }: Pick<NewKeyOptions, 'maxActive'> = {},
): Promise<Rotation> {
  const { overlap_hours, scopes } = parseInput(rotation, input);
  const key = newKey();
  return prisma.$transaction(async (tx) => {
    // SQL, because Prisma Client takes no locks.
    await tx.$queryRaw`SELECT id FROM api_key WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`;
    const old = await readKeyOf(tx, { organization_id: organizationId, id });
    assertCanBeRotated(old, scopes ?? []);
    const active = await lockAndCountActiveKeys(tx, organizationId);
    const maxWithOverlap = 2 * maxActive;
    if (overlap_hours > 0 && active >= maxWithOverlap) {
      throw new KeyLimitReachedError(maxWithOverlap, ', including replaced keys that still work');
    }
    const now = await databaseTime(tx);
    const expiresAt = old.expires_at === null ? null : new Date(old.expires_at);
    const created = await tx.apiKey.create({
      data: {
        id: newId('key'),
        organizationId,
        name: old.name,
        description: old.description,
        hash: hashKey(key),
        prefix: keyPrefix(key),
        scopes: [...new Set(scopes ?? old.scopes)],
        expiresAt,
        rateLimit: old.rate_limit,
        createdBy: by,
        replacesId: id,
      },
    });
    const overlapEnd = new Date(now.getTime() + overlap_hours * HOUR_MS);
    const expiry = { expiresAt: expiresAt && expiresAt < overlapEnd ? expiresAt : overlapEnd };
    await tx.apiKey.update({
      where: { organizationId, id },
      data: overlap_hours === 0 ? { revokedAt: now, revokedBy: by } : expiry,
    });
    await auditAction(tx, { by, operation: 'rotateApiKey', organizationId, recordId: id, relatedId: created.id });
    const { state, expires_at } = await readKeyOf(tx, { organization_id: organizationId, id });
    const replacement = await readKeyOf(tx, { organization_id: organizationId, id: created.id });
    return { ...replacement, key, replaces: { id, state, expires_at } };
  });
}

/** @throws {ServiceError} `key_revoked`, `key_expired`, `invalid_request`. */
function assertCanBeRotated(old: ApiKey, scopes: readonly Scope[]): void {
  if (old.state !== 'active') {
    throw new ServiceError(`key_${old.state}`, `This API key is ${old.state}; create another one`);
  }
  const added = scopes.filter((scope) => !old.scopes.includes(scope));
  if (added.length > 0) {
    const message = `the old key does not have ${added.join(', ')}; a rotation cannot add scopes`;
    throw invalidRequest({ field: 'scopes', message });
  }
  if (old.replaced_by !== null) {
    throw new ServiceError(
      'invalid_request',
      `This API key was already rotated; rotate ${old.replaced_by}, which replaced it`,
    );
  }
}
