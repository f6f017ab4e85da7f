import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { hashOfKey, isWellFormedKey } from '../domain/admin/api-key-secret.ts';
import type { Caller } from '../domain/core/context.ts';
import { ServiceError } from '../domain/core/errors.ts';
import type { Scope } from '../domain/core/scopes.ts';
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
  readonly rate_limit: number | null;
}

/** Whose a key is, and when that is certain. */
interface Identified {
  /** As the database has it now, or had it when this process last saw the key. */
  readonly caller: Caller;
  /**
   * The caller as the database has it now. Until then nothing is written and no answer leaves.
   *
   * @throws {ServiceError} what {@link KeyLookup} throws; `unavailable` when the key may now do other than before.
   */
  readonly confirmed: Promise<Caller>;
}

/**
 * Finds the caller behind a key.
 *
 * @param hasBudget whether the client's address may still fail; asked for keys that are not remembered.
 * @throws {ServiceError} `invalid_api_key`, `key_revoked`, `key_expired`.
 */
export type KeyLookup = (key: string, hasBudget: () => Promise<boolean>) => Promise<Identified>;

export interface KeyLookupOptions {
  /** Where keys that are not remembered are looked up: what waits for records does not hold them up. */
  readonly reserved: Database;
  /** Where remembered keys are confirmed: on the way of the read that was asked for. */
  readonly db: Database;
  /** Told of each use of a valid key. */
  readonly onUse: (keyId: string, isFirst: boolean) => void;
}

/** How many keys are remembered. */
const MAX_REMEMBERED = 10_000;

/** How often keys are looked up for addresses that have used up their budget. */
const DEFERRED_MS = 1_000;

/**
 * A lookup that asks the database on every request, so that a revocation holds from the next one on.
 *
 * What a key stood for is remembered for one purpose: so that what is asked for goes to the database together with
 * the question whether the key still holds, in one round trip. Requests that come in the same turn of the event loop
 * share one statement, which starts after all of them. Expiry is judged by the database's clock.
 *
 * An address without budget may be shared with clients whose keys are valid, so keys that come from it are looked up
 * too, but once a second for all such requests together: more of them cost no more.
 */
export function createKeyLookup({ reserved, db, onUse }: KeyLookupOptions): KeyLookup {
  const remembered = new LRUCache<string, Caller>({ max: MAX_REMEMBERED });
  const newcomers = batched(reserved);
  const deferred = batched(reserved, DEFERRED_MS);
  const known = batched(db);
  const look = async (records: KeyRecords, hash: string): Promise<Caller> => {
    try {
      const record = await records.load(hash);
      const caller = callerOf(record);
      remembered.set(hash, caller);
      onUse(caller.keyId, !record?.used_before);
      return caller;
    } catch (error) {
      remembered.delete(hash);
      throw error;
    }
  };
  const confirm = async (hash: string, before: Caller): Promise<Caller> => {
    const now = await look(known, hash);
    if (!hasSameAuthorization(before, now))
      throw new ServiceError('unavailable', 'This API key was changed just now; try again');
    return now;
  };
  return async (key, hasBudget) => {
    if (!isWellFormedKey(key)) throw invalidKey();
    const hash = hashOfKey(key, 'hex');
    const before = remembered.get(hash);
    if (!before) {
      const caller = await look((await hasBudget()) ? newcomers : deferred, hash);
      return { caller, confirmed: Promise.resolve(caller) };
    }
    const confirmed = confirm(hash, before);
    // Whoever waits for it learns of a failure; until somebody does it is no unhandled one.
    confirmed.catch(() => {});
    return { caller: before, confirmed };
  };
}

type KeyRecords = DataLoader<string, KeyRecord | undefined>;

/** @param delayMs how long keys are collected; undefined: in one turn of the event loop. */
function batched(db: Database, delayMs?: number): KeyRecords {
  return new DataLoader((hashes) => readKeys(db, hashes), {
    cache: false,
    batchScheduleFn: (dispatch) => (delayMs === undefined ? setImmediate(dispatch) : setTimeout(dispatch, delayMs)),
  });
}

function callerOf(record: KeyRecord | undefined): Caller {
  if (!record) throw invalidKey();
  if (record.revoked) throw new ServiceError('key_revoked', 'This API key was revoked');
  if (record.expired) throw new ServiceError('key_expired', 'This API key has expired');
  return {
    keyId: record.id,
    keyName: record.name,
    scopes: new Set(record.scopes),
    expiresAt: record.expires_at,
    rateLimit: record.rate_limit ?? undefined,
    organization: { id: record.organization_id, name: record.organization_name, country: record.country },
  };
}

/** Whether rules decide alike for both; names and the expiry are only shown, and read where they are. */
function hasSameAuthorization(before: Caller, now: Caller): boolean {
  return (
    before.organization.id === now.organization.id &&
    before.organization.country === now.organization.country &&
    before.scopes.size === now.scopes.size &&
    [...before.scopes].every((scope) => now.scopes.has(scope))
  );
}

/** One column: what PostgreSQL says of each column costs the driver more than parsing JSON. */
const READ_KEYS = sql`
  SELECT row_to_json(record)::text AS json FROM (
    SELECT encode(k.hash, 'hex') AS hash, k.id, k.name, k.scopes, ${isoTimestamp('k.expires_at')} AS expires_at,
      k.revoked_at IS NOT NULL AS revoked, coalesce(k.expires_at <= now(), false) AS expired,
      k.first_used_at IS NOT NULL AS used_before,
      o.id AS organization_id, o.name AS organization_name, o.country, k.rate_limit
    FROM api_key k JOIN organization o ON o.id = k.organization_id
    WHERE k.hash = ANY (${[]}::bytea[])
  ) record`.text;

async function readKeys(db: Database, hashes: readonly string[]): Promise<(KeyRecord | undefined)[]> {
  const bytes = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'));
  const rows = await db.rows<{ json: string }>({ text: READ_KEYS, values: [bytes] });
  const records = rows.map(({ json }) => JSON.parse(json) as KeyRecord);
  const byHash = new Map(records.map((record) => [record.hash, record]));
  return hashes.map((hash) => byHash.get(hash));
}

function invalidKey(): ServiceError {
  return new ServiceError('invalid_api_key', 'This API key is not known');
}
