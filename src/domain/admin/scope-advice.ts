import { isoTimestamp, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import { ALL_SCOPES, type Scope } from '../core/scopes.ts';
import { DAY_MS } from '../values/time-zone.ts';
import type { KeyIds } from './api-key.ts';

/** A scope counts as unused after this number of days without use. */
export const UNUSED_DAYS = 90;

/** How often an operation needed a scope. */
interface OperationUse {
  /** The name of the operation; empty for requests that an older version counted by scope only. */
  readonly operation: string;
  readonly requests: number;
  readonly last_used_at: string;
}

/** A scope of a key, and the operations that needed it, the latest first. */
export interface ScopeAdvice {
  readonly scope: Scope;
  readonly last_used_at: string | null;
  readonly operations: readonly OperationUse[];
}

/** The used and unused scopes of a key. Times are ISO 8601, by the database's clock. */
export interface KeyAdvice {
  readonly key_id: string;
  readonly counted_since: string;
  /** In the order of all scopes. */
  readonly scopes: readonly ScopeAdvice[];
  /** The scopes without use for {@link UNUSED_DAYS} days; null while use has been counted for fewer days. */
  readonly unused_scopes: readonly Scope[] | null;
}

/** When the scopes of a key were last used, and since when their use has been counted. */
interface CountedUse {
  readonly scopes: readonly string[];
  readonly countedSince: Date;
  readonly uses: readonly { readonly scope: string; readonly lastUsedAt: Date }[];
}

/** A key and the uses of its scopes, as they are read. */
interface KeyUse extends Omit<CountedUse, 'uses'> {
  readonly now: Date;
  /** The latest first. */
  readonly uses: readonly (OperationUse & { readonly scope: string })[];
}

/** Returns the scopes that no request needed for {@link UNUSED_DAYS} days; null while use has been counted for fewer days. */
export function unusedScopes({ scopes, countedSince, uses }: CountedUse, now: Date): Scope[] | null {
  const limit = new Date(now.getTime() - UNUSED_DAYS * DAY_MS);
  if (countedSince > limit) return null;
  const used = new Set(uses.filter(({ lastUsedAt }) => lastUsedAt > limit).map(({ scope }) => scope));
  return ALL_SCOPES.filter((scope) => scopes.includes(scope) && !used.has(scope));
}

/** Returns the used and unused scopes of a key, with the operations that needed them. @throws {ServiceError} `not_found`. */
export async function getKeyAdvice(
  { prisma }: Pick<Store, 'prisma'>,
  { organization_id: organizationId, id }: KeyIds,
): Promise<KeyAdvice> {
  const [key] = await prisma.$queryRaw<KeyUse[]>(sql`
    SELECT k.scopes, k.scopes_counted_since AS "countedSince", now() AS now, coalesce((
      SELECT json_agg(json_build_object('scope', u.scope, 'operation', u.operation, 'requests', u.requests,
        'last_used_at', ${isoTimestamp('u.last_used_at')}) ORDER BY u.last_used_at DESC, u.operation)
      FROM api_key_operation_usage u WHERE u.api_key_id = k.id), '[]') AS uses
    FROM api_key k WHERE k.organization_id = ${organizationId} AND k.id = ${id}`);
  if (!key) throw notFound('API key');
  const { scopes, countedSince, now, uses } = key;
  const lastUses = uses.map(({ scope, last_used_at }) => ({ scope, lastUsedAt: new Date(last_used_at) }));
  return {
    key_id: id,
    counted_since: countedSince.toISOString(),
    scopes: ALL_SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => {
      const operations = uses
        .filter((use) => use.scope === scope)
        .map(({ operation, requests, last_used_at }) => ({ operation, requests, last_used_at }));
      return { scope, last_used_at: operations[0]?.last_used_at ?? null, operations };
    }),
    unused_scopes: unusedScopes({ scopes, countedSince, uses: lastUses }, now),
  };
}

/**
 * The scopes that a narrower key needs: those of the key that are not unused.
 *
 * @throws {ServiceError} `invalid_request` if use has been counted for too few days, or if no scope or every scope is unused.
 */
export function narrowerScopes({ counted_since, scopes, unused_scopes }: KeyAdvice): Scope[] {
  const fail = (message: string) => new ServiceError('invalid_request', message);
  if (unused_scopes === null) {
    throw fail(
      `Unused scopes are not known yet: scope usage has been counted only since ${counted_since}, for less than ` +
        `${UNUSED_DAYS} days; set the scopes of the new key with --scopes instead`,
    );
  }
  if (unused_scopes.length === 0) throw fail(`All scopes of the key were used in the last ${UNUSED_DAYS} days`);
  if (unused_scopes.length === scopes.length) {
    throw fail(
      `No scope of the key was used in the last ${UNUSED_DAYS} days; revoke the key, or set the scopes of the new one with --scopes`,
    );
  }
  return scopes.map(({ scope }) => scope).filter((scope) => !unused_scopes.includes(scope));
}
