import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { hashKey, isWellFormedKey, KEY_FORMAT } from '../domain/admin/api-key-secret.ts';
import type { Caller } from '../domain/core/context.ts';
import { InactiveKeyError, ServiceError } from '../domain/core/errors.ts';
import type { Scope } from '../domain/core/scopes.ts';
import type { Database } from '../store/database.ts';
import { sql, withoutEstimate } from '../store/sql.ts';

/** A key as read from the database. */
interface KeyRecord {
  readonly hash: string;
  readonly id: string;
  readonly scopes: Scope[];
  readonly revoked: boolean;
  readonly expired: boolean;
  readonly organization_id: string;
  readonly country: string;
  readonly time_zone: string;
  readonly rate_limit: number | null;
  readonly minimum_version: string;
  readonly has_webhooks: boolean;
}

/** What the lookup of a key finds. */
interface FoundKey {
  readonly caller: Caller;
  /** The oldest version of the service that works with the schema. */
  readonly minimumVersion: string;
}

/**
 * Finds the caller behind a key.
 *
 * @param hasBudget whether the address of the client has budget left; called for keys that were not valid before.
 * @throws {ServiceError} `invalid_api_key`; {@link InactiveKeyError}.
 */
export type KeyLookup = (key: string, hasBudget: () => Promise<boolean>) => Promise<FoundKey>;

export interface KeyLookupOptions {
  /** Connections that reads of records do not use, so that they do not delay the lookup. */
  readonly reserved: Database;
  /** Called for each use of a valid key. */
  readonly onUse: (keyId: string) => void;
  /** Called when there are webhooks, so that finding the first one needs no statement of its own. */
  readonly onWebhooks?: () => void;
}

/** The maximum number of valid keys to remember. */
const MAX_VALID_KEYS = 10_000;

/** How often other keys are looked up for addresses that have used up their budget. */
const DEFERRED_LOOKUP_MS = 1_000;

/**
 * Creates a lookup that queries the database on every request, so that a revocation takes effect with the next one.
 * Requests of the same turn of the event loop share one statement. Expiry is decided by the database's clock.
 *
 * Unknown keys from an address that has used up its budget are looked up too, because clients with valid keys may share
 * the address, but only once a second for all such addresses together.
 */
export function createKeyLookup({ reserved, onUse, onWebhooks }: KeyLookupOptions): KeyLookup {
  const keys = batched(reserved);
  const deferredKeys = batched(reserved, DEFERRED_LOOKUP_MS);
  /** The hashes of keys that were valid when they were last used. */
  const valid = new LRUCache<string, true>({ max: MAX_VALID_KEYS });
  return async (key, hasBudget) => {
    if (!isWellFormedKey(key)) throw malformedKey();
    const hash = hashKey(key, 'hex');
    const records = valid.has(hash) || (await hasBudget()) ? keys : deferredKeys;
    const record = await records.load(hash);
    if (record?.has_webhooks) onWebhooks?.();
    valid.delete(hash);
    const found = foundKeyOf(record);
    valid.set(hash, true);
    onUse(found.caller.keyId);
    return found;
  };
}

type KeyRecords = DataLoader<string, KeyRecord | undefined>;

/** @param delayMs how long keys are collected. Default: one turn of the event loop. */
function batched(db: Database, delayMs?: number): KeyRecords {
  return new DataLoader((hashes) => readKeys(db, hashes), {
    cache: false,
    batchScheduleFn: (dispatch) => (delayMs === undefined ? setImmediate(dispatch) : setTimeout(dispatch, delayMs)),
  });
}

function foundKeyOf(record: KeyRecord | undefined): FoundKey {
  if (!record) throw invalidKey();
  if (record.revoked) throw new InactiveKeyError('key_revoked', record.id);
  if (record.expired) throw new InactiveKeyError('key_expired', record.id);
  const caller = {
    keyId: record.id,
    scopes: new Set(record.scopes),
    rateLimit: record.rate_limit ?? undefined,
    organization: { id: record.organization_id, country: record.country, timeZone: record.time_zone },
  };
  return { caller, minimumVersion: record.minimum_version };
}

/**
 * Returns one JSON column, because the driver takes longer for the metadata of several columns than for parsing JSON.
 */
const READ_KEYS = sql`
  SELECT row_to_json(record)::text AS json FROM (
    SELECT encode(k.hash, 'hex') AS hash, k.id, k.scopes,
      coalesce(k.revoked_at, o.deletion_started_at) IS NOT NULL AS revoked, coalesce(k.expires_at <= now(), false) AS expired,
      o.id AS organization_id, o.country, o.time_zone, k.rate_limit,
      (SELECT minimum_version FROM schema_requirement), (SELECT EXISTS (SELECT FROM webhook)) AS has_webhooks
    FROM api_key k JOIN organization o ON o.id = k.organization_id
    WHERE k.hash = ANY (${withoutEstimate([], 'bytea[]')})
  ) record`.text;

async function readKeys(db: Database, hashes: readonly string[]): Promise<(KeyRecord | undefined)[]> {
  const bytes = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'));
  const rows = await db.rows<{ json: string }>({ text: READ_KEYS, values: [bytes] });
  const records = rows.map(({ json }) => JSON.parse(json) as KeyRecord);
  const byHash = new Map(records.map((record) => [record.hash, record]));
  return hashes.map((hash) => byHash.get(hash));
}

/** Returns the error for a text that cannot be a key, such as a placeholder or the beginning of a key. */
function malformedKey(): ServiceError {
  return new ServiceError('invalid_api_key', `${invalidKey().message}; copy all of it: a key ${KEY_FORMAT}`);
}

/** Returns the error for a key that does not exist. */
export function invalidKey(): ServiceError {
  return new ServiceError('invalid_api_key', 'This API key is not known');
}
