import { randomUUID } from 'node:crypto';
import type { ScopeUse } from '../domain/core/context.ts';
import type { Scope } from '../domain/core/scopes.ts';
import type { Database } from '../store/database.ts';
import { raw, type Sql, sql } from '../store/sql.ts';
import { type BatchWriter, batchesOf, createBatchWriter, type OnWriteError } from './batch-writer.ts';

/** Records when and how much keys are used, without a write per request. */
export interface KeyUsage extends BatchWriter {
  /** Records that a key was used now, which costs no points. */
  recordUse(keyId: string): void;
  /** Adds points that were charged to a key. If the process is killed, those of the last few seconds are lost. */
  charge(keyId: string, points: number): void;
  /**
   * Counts a request, its operations and the scopes that they needed. If the process is killed, counts of the last few
   * seconds are lost.
   *
   * @param hasFailed whether it was refused or failed.
   */
  countRequest(keyId: string, uses: ReadonlySet<ScopeUse>, hasFailed: boolean): void;
}

/** The usage of a key since the last write. */
interface Usage {
  /** The points that were charged to it. */
  points: number;
  /** When it was last used: `performance.now()`. */
  usedAt: number;
  /** The number of its requests, and of those that were refused or failed. */
  requests: number;
  failed: number;
  /** The number of its requests by scope, and by scope and operation. */
  readonly scopes: Map<Scope, number>;
  readonly operations: Map<ScopeUse, number>;
}

/** The usage that one statement writes. */
interface Batch {
  readonly id: string;
  /** The ids of keys with their usage. */
  readonly keys: readonly (readonly [string, Usage])[];
}

/**
 * Collects the usage of keys and writes it every few seconds. Stores the time at which a key was used, not the time of the
 * write, according to the clock of the database.
 */
export function createKeyUsage(db: Database, onError: OnWriteError): KeyUsage {
  /** Usage that was not sent to the database yet, by key id. */
  let collected = new Map<string, Usage>();

  const usageOf = (keyId: string): Usage => {
    const existing = collected.get(keyId);
    if (existing) return existing;
    const counts = { points: 0, requests: 0, failed: 0 };
    const usage: Usage = { ...counts, usedAt: performance.now(), scopes: new Map(), operations: new Map() };
    collected.set(keyId, usage);
    return usage;
  };

  const take = (): Batch[] => {
    const batches = batchesOf(collected, ([, { scopes, operations }]) => 1 + scopes.size + operations.size);
    collected = new Map();
    return batches.map((keys) => ({ id: randomUUID(), keys }));
  };
  // The database recognizes the id of a batch and adds it only once.
  const write = async (batch: Batch) => void (await db.write(writeBatch(batch)));
  const writer = createBatchWriter({ take, write }, onError);
  return {
    recordUse(keyId) {
      usageOf(keyId).usedAt = performance.now();
    },
    charge(keyId, points) {
      usageOf(keyId).points += points;
    },
    countRequest(keyId, uses, hasFailed) {
      const usage = usageOf(keyId);
      const { scopes, operations } = usage;
      usage.requests++;
      if (hasFailed) usage.failed++;
      for (const use of uses) increment(operations, use);
      // Several operations of a request may need the same scope.
      for (const scope of new Set(Array.from(uses, ({ scope }) => scope))) increment(scopes, scope);
    },
    ...writer,
  };
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The maximum number of old batches that a statement deletes: after a stop of a day, there can be many. */
const MAX_PURGED_BATCHES = 1_000;

/**
 * Returns the statement that stores a batch. The time of a use is the time of the database minus the age of the use,
 * because the batch may be written much later; it is never after the revocation or expiry of the key. The statement locks
 * the keys in the order of their ids, so that instances that write at the same time cannot deadlock. A batch that is
 * already stored is ignored; the ids of batches are kept for a day.
 */
function writeBatch({ id, keys }: Batch): Sql {
  const now = performance.now();
  const scopes = keys.flatMap(([id, { scopes }]) => [...scopes].map(([scope, count]) => ({ id, scope, count })));
  const operations = keys.flatMap(([id, { operations }]) =>
    [...operations].map(([{ operation, scope }, count]) => ({ id, operation, scope, count })),
  );
  return sql`
    WITH batch AS (
      INSERT INTO api_key_usage_batch (id) VALUES (${id}) ON CONFLICT (id) DO NOTHING RETURNING id
    ), used AS (
      SELECT k.id, u.points, u.requests, u.failed, least(now() - u.age_ms * interval '1 ms', k.revoked_at, k.expires_at) AS used_at
      FROM api_key k
      JOIN unnest(
        ${keys.map(([id]) => id)}::text[], ${keys.map(([, { points }]) => points)}::bigint[],
        ${keys.map(([, { requests }]) => requests)}::bigint[], ${keys.map(([, { failed }]) => failed)}::bigint[],
        ${keys.map(([, { usedAt }]) => now - usedAt)}::float8[]
      ) AS u (id, points, requests, failed, age_ms) ON u.id = k.id
      WHERE EXISTS (SELECT FROM batch)
      ORDER BY k.id FOR NO KEY UPDATE OF k
    ), used_scope AS (
      SELECT used.id, used.used_at, s.scope, s.requests FROM used
      JOIN unnest(
        ${scopes.map(({ id }) => id)}::text[], ${scopes.map(({ scope }) => scope)}::text[],
        ${scopes.map(({ count }) => count)}::bigint[]
      ) AS s (id, scope, requests) ON s.id = used.id
    ), charged AS (
      INSERT INTO api_key_usage (api_key_id, day, points, requests, failed)
      SELECT id, (used_at AT TIME ZONE 'UTC')::date, points, requests, failed FROM used
      WHERE points > 0 OR requests > 0
      ON CONFLICT (api_key_id, day) DO UPDATE SET points = api_key_usage.points + excluded.points,
        requests = api_key_usage.requests + excluded.requests, failed = api_key_usage.failed + excluded.failed
    ), charged_hour AS (
      INSERT INTO api_key_hourly_usage AS h (api_key_id, hour, points, requests, failed)
      SELECT id, date_trunc('hour', used_at, 'UTC'), points, requests, failed FROM used WHERE points > 0 OR requests > 0
      ON CONFLICT (api_key_id, hour) DO UPDATE SET points = h.points + excluded.points,
        requests = h.requests + excluded.requests, failed = h.failed + excluded.failed
    ), counted AS (
      INSERT INTO api_key_scope_usage (api_key_id, day, scope, requests)
      SELECT id, (used_at AT TIME ZONE 'UTC')::date, scope, requests FROM used_scope
      ON CONFLICT (api_key_id, day, scope)
      DO UPDATE SET requests = api_key_scope_usage.requests + excluded.requests
    ), counted_operation AS (
      INSERT INTO api_key_operation_usage (api_key_id, operation, scope, requests, last_used_at)
      SELECT used.id, o.operation, o.scope, o.requests, used.used_at FROM used
      JOIN unnest(
        ${operations.map(({ id }) => id)}::text[], ${operations.map(({ operation }) => operation)}::text[],
        ${operations.map(({ scope }) => scope)}::text[], ${operations.map(({ count }) => count)}::bigint[]
      ) AS o (id, operation, scope, requests) ON o.id = used.id
      ON CONFLICT (api_key_id, operation, scope)
      DO UPDATE SET requests = api_key_operation_usage.requests + excluded.requests,
        last_used_at = greatest(api_key_operation_usage.last_used_at, excluded.last_used_at)
    ), purged AS (
      DELETE FROM api_key_usage_batch WHERE id IN (
        SELECT id FROM api_key_usage_batch WHERE written_at < now() - interval '1 day'
        ORDER BY written_at LIMIT ${raw(String(MAX_PURGED_BATCHES))} FOR UPDATE SKIP LOCKED
      )
    )
    UPDATE api_key k SET first_used_at = coalesce(first_used_at, used_at), last_used_at = greatest(last_used_at, used_at)
    FROM used WHERE k.id = used.id`;
}
