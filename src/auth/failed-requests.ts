import { randomInt } from 'node:crypto';
import { MAX_FAILED_REQUESTS } from '../domain/admin/failed-request.ts';
import type { Failure } from '../http/request/request-failure.ts';
import type { Database } from '../store/database.ts';
import { type Sql, sql } from '../store/sql.ts';
import { type BatchWriter, batchesOf, createBatchWriter, type OnWriteError } from './batch-writer.ts';

/** A request with a known key that was refused or failed. */
export interface RefusedRequest extends Failure {
  readonly api: string;
  readonly status: number;
  readonly requestId: string;
  /** In points. */
  readonly cost: number;
}

/** Stores the latest failed requests of each key, without a write per request. */
export interface FailedRequests extends BatchWriter {
  /** Adds a request. If the process is killed, requests of the last few seconds are lost. */
  record(keyId: string, request: RefusedRequest): void;
}

/** A request with its id, which is greater for later requests of the same millisecond. */
interface Entry extends RefusedRequest {
  readonly keyId: string;
  readonly id: number;
  /** The time of `performance.now()`, in milliseconds. */
  readonly recordedAt: number;
}

/** The requests of a key, oldest first. */
interface RequestsOfKey {
  /** Those that exceeded the rate limit. They are removed before others. */
  readonly rateLimited: Entry[];
  readonly others: Entry[];
}

/** The maximum number of requests in memory, of all keys together. */
const MAX_COLLECTED = 5_000;

/** Ids begin at a random number below this one, so that those of instances differ. */
const MAX_FIRST_ID = 2 ** 47;

/**
 * Collects failed requests, and writes them every few seconds. For each key, only the latest requests are kept in
 * memory, as many as the database keeps.
 */
export function createFailedRequests(db: Database, onError: OnWriteError): FailedRequests {
  /** Requests that were not sent to the database yet, by key id. */
  let collected = new Map<string, RequestsOfKey>();
  let count = 0;
  let lastId = randomInt(MAX_FIRST_ID);

  const take = (): Entry[][] => {
    const batches = batchesOf(
      [...collected.values()].flatMap(({ others, rateLimited }) => [...others, ...rateLimited]),
      () => 1,
    );
    collected = new Map();
    count = 0;
    return batches;
  };
  /** Removes the oldest request of a key that exceeded the rate limit; if there is none, its oldest request. */
  const removeOldest = ({ others, rateLimited }: RequestsOfKey): void => {
    const removed = (rateLimited.length > 0 ? rateLimited : others).shift();
    if (removed && others.length + rateLimited.length === 0) collected.delete(removed.keyId);
    count--;
  };
  /**
   * The key with the most requests that exceeded the rate limit; if there are no such requests, the key with the most
   * others. So neither a flood of them nor a few keys with many requests displace the requests of other keys.
   */
  const keyWithMost = (ofKey: RequestsOfKey): RequestsOfKey => {
    const all = [ofKey, ...collected.values()];
    const most = (kind: keyof RequestsOfKey) => all.reduce((a, b) => (b[kind].length > a[kind].length ? b : a));
    const flooded = most('rateLimited');
    return flooded.rateLimited.length > 0 ? flooded : most('others');
  };

  // The ids of the requests prevent a batch from being stored twice.
  const write = async (batch: readonly Entry[]) => void (await db.write(writeBatch(batch)));
  const writer = createBatchWriter({ take, write }, onError);
  return {
    record(keyId, request) {
      const ofKey = collected.get(keyId) ?? { rateLimited: [], others: [] };
      const entry = { keyId, id: ++lastId, recordedAt: performance.now(), ...request };
      (request.code === 'rate_limited' ? ofKey.rateLimited : ofKey.others).push(entry);
      collected.set(keyId, ofKey);
      count++;
      if (ofKey.others.length + ofKey.rateLimited.length > MAX_FAILED_REQUESTS) removeOldest(ofKey);
      else if (count > MAX_COLLECTED) removeOldest(keyWithMost(ofKey));
    },
    ...writer,
  };
}

/**
 * Returns the statement that stores requests, with times by the database's clock. It locks the keys in the order of
 * their ids, so that instances that write at the same time cannot deadlock. Because of the lock, the trigger that
 * deletes older requests of a key also sees those of other instances.
 */
function writeBatch(batch: readonly Entry[]): Sql {
  const now = performance.now();
  return sql`
    WITH failed AS (
      SELECT * FROM unnest(
        ${batch.map(({ keyId }) => keyId)}::text[], ${batch.map(({ id }) => id)}::bigint[],
        ${batch.map(({ recordedAt }) => now - recordedAt)}::float8[], ${batch.map(({ api }) => api)}::text[],
        ${batch.map(({ operation }) => operation ?? null)}::text[], ${batch.map(({ status }) => status)}::int[],
        ${batch.map(({ code }) => code)}::text[], ${batch.map(({ field }) => field ?? null)}::text[],
        ${batch.map(({ requestId }) => requestId)}::text[], ${batch.map(({ cost }) => cost)}::int[]
      ) AS f (key_id, id, age_ms, api, operation, status, code, field, request_id, cost)
    ), key AS MATERIALIZED (
      SELECT id FROM api_key WHERE id IN (SELECT key_id FROM failed) ORDER BY id FOR NO KEY UPDATE
    )
    INSERT INTO api_key_failed_request (api_key_id, id, at, api, operation, status, code, field, request_id, cost)
    SELECT key.id, f.id, now() - f.age_ms * interval '1 millisecond', f.api, f.operation, f.status, f.code, f.field,
      f.request_id, f.cost
    FROM failed f JOIN key ON key.id = f.key_id
    ON CONFLICT (api_key_id, id) DO NOTHING`;
}
