import DataLoader from 'dataloader';
import { hashOfKey, isWellFormedKey } from '../domain/api-key-secret.ts';
import type { Caller } from '../domain/context.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Scope } from '../domain/scopes.ts';
import type { Database } from '../store/database.ts';
import { isoTimestamp, sql } from '../store/sql.ts';

/** A key on file as one look at the database found it. */
interface KeyRecord {
  readonly hash: string;
  readonly id: string;
  readonly name: string;
  readonly scopes: Scope[];
  readonly expires_at: string | null;
  readonly revoked: boolean;
  readonly expired: boolean;
  readonly used_before: boolean;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly country: string;
}

/**
 * Finds the caller behind a key, as the database has it now.
 *
 * @throws {ServiceError} `invalid_api_key`, `key_revoked`, `key_expired`.
 */
export type KeyLookup = (key: string) => Promise<Caller & { readonly usedBefore: boolean }>;

/**
 * A lookup that asks the database on every request, so that a revocation holds from the next one on.
 *
 * Requests that come in the same turn of the event loop share one statement, which starts after all of
 * them; nothing is kept for later ones. Expiry is judged by the database's clock.
 */
export function createKeyLookup(db: Database): KeyLookup {
  const records = new DataLoader<string, KeyRecord | undefined>((hashes) => readKeys(db, hashes), {
    cache: false,
    batchScheduleFn: (dispatch) => setImmediate(dispatch),
  });
  return async (key) => {
    if (!isWellFormedKey(key)) throw invalidKey();
    const record = await records.load(hashOfKey(key).toString('hex'));
    if (!record) throw invalidKey();
    if (record.revoked) throw new ServiceError('key_revoked', 'This API key was revoked');
    if (record.expired) throw new ServiceError('key_expired', 'This API key has expired');
    return {
      keyId: record.id,
      keyName: record.name,
      scopes: new Set(record.scopes),
      expiresAt: record.expires_at,
      usedBefore: record.used_before,
      organization: { id: record.organization_id, name: record.organization_name, country: record.country },
    };
  };
}

async function readKeys(db: Database, hashes: readonly string[]): Promise<(KeyRecord | undefined)[]> {
  const rows = await db.rows<KeyRecord>(sql`
    SELECT encode(k.hash, 'hex') AS hash, k.id, k.name, k.scopes, ${isoTimestamp('k.expires_at')} AS expires_at,
      k.revoked_at IS NOT NULL AS revoked, coalesce(k.expires_at <= now(), false) AS expired,
      k.first_used_at IS NOT NULL AS used_before,
      o.id AS organization_id, o.name AS organization_name, o.country
    FROM api_key k JOIN organization o ON o.id = k.organization_id
    WHERE k.hash = ANY (SELECT decode(hash, 'hex') FROM unnest(${[...new Set(hashes)]}::text[]) AS hash)`);
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  return hashes.map((hash) => byHash.get(hash));
}

function invalidKey(): ServiceError {
  return new ServiceError('invalid_api_key', 'This API key is not known');
}
