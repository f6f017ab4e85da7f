import { randomUUID } from 'node:crypto';
import type { Scope } from '../domain/core/scopes.ts';
import type { Database } from '../store/database.ts';
import { type Sql, sql } from '../store/sql.ts';

/** Notes when and how much keys are used, without a write on every request. */
export interface KeyUsage {
  /** @param first whether the key has no use on record: then it is written at once. */
  note(keyId: string, first: boolean): void;
  /** Notes units that a key was charged. A process that is killed loses those of the last seconds. */
  charge(keyId: string, units: number): void;
  /** Notes the scopes that one request used; lost with the process as units are. */
  countScopes(keyId: string, scopes: Iterable<Scope>): void;
  /** Writes what is noted; the last call waits for all writes under way. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** What a key was charged, and how many of its requests used each scope. */
interface Use {
  units: number;
  readonly requests: Map<Scope, number>;
}

/** What one statement writes. */
interface Batch {
  readonly id: string;
  readonly uses: ReadonlyMap<string, Use>;
}

const FLUSH_INTERVAL_MS = 5_000;

/** Gathers the keys in use and writes their times and counts together, by the database's clock and date. */
export function createKeyUsage(db: Database, onError: (error: unknown) => void): KeyUsage {
  /** Every key in use, with the counts that are not sent yet. */
  let noted = new Map<string, Use>();
  /**
   * What was sent, and may have been written although an error came back. It is sent again as it was: the database
   * knows it by its id, and adds it once.
   */
  let unconfirmed: Batch | undefined;
  /** Keys whose first use is about to be written. */
  const firsts = new Set<string>();
  let writing: Promise<void> = Promise.resolve();

  const useOf = (keyId: string): Use => {
    const use = noted.get(keyId) ?? { units: 0, requests: new Map<Scope, number>() };
    noted.set(keyId, use);
    return use;
  };

  const write = async (batch: Batch): Promise<void> => {
    unconfirmed = batch;
    await db.write(writeBatch(batch));
    unconfirmed = undefined;
    for (const id of batch.uses.keys()) firsts.delete(id);
  };

  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      try {
        if (unconfirmed) await write(unconfirmed);
        if (noted.size === 0) return;
        const uses = noted;
        noted = new Map();
        await write({ id: randomUUID(), uses });
      } catch (error) {
        onError(error);
      }
    });
    return writing;
  };

  const timer = setInterval(flush, FLUSH_INTERVAL_MS);
  timer.unref();
  return {
    note(keyId, first) {
      useOf(keyId);
      if (!first || firsts.has(keyId)) return;
      firsts.add(keyId);
      void flush();
    },
    charge(keyId, units) {
      useOf(keyId).units += units;
    },
    countScopes(keyId, scopes) {
      for (const scope of scopes) {
        const { requests } = useOf(keyId);
        requests.set(scope, (requests.get(scope) ?? 0) + 1);
      }
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/**
 * Locks the keys in the order of their ids, so that instances that write at once wait for one another in turn.
 *
 * Nothing is written for a batch that was written before. Batches are remembered for a day: longer than any is
 * sent again after an outage that ends.
 */
function writeBatch({ id, uses }: Batch): Sql {
  const keys = [...uses];
  const scopes = keys.flatMap(([key, { requests }]) => [...requests].map(([scope, count]) => ({ key, scope, count })));
  return sql`
    WITH batch AS (
      INSERT INTO api_key_usage_batch (id) VALUES (${id}) ON CONFLICT (id) DO NOTHING RETURNING id
    ), used AS (
      SELECT k.id, u.units FROM api_key k
      JOIN unnest(${keys.map(([key]) => key)}::text[], ${keys.map(([, { units }]) => units)}::bigint[]) AS u (id, units)
        ON u.id = k.id
      WHERE EXISTS (SELECT FROM batch)
      ORDER BY k.id FOR NO KEY UPDATE OF k
    ), used_scope AS (
      SELECT used.id, s.scope, s.requests FROM used
      JOIN unnest(
        ${scopes.map(({ key }) => key)}::text[], ${scopes.map(({ scope }) => scope)}::text[],
        ${scopes.map(({ count }) => count)}::bigint[]
      ) AS s (id, scope, requests) ON s.id = used.id
    ), charged AS (
      INSERT INTO api_key_usage (api_key_id, day, units)
      SELECT id, (now() AT TIME ZONE 'UTC')::date, units FROM used
      WHERE units > 0 OR id IN (SELECT id FROM used_scope)
      ON CONFLICT (api_key_id, day) DO UPDATE SET units = api_key_usage.units + excluded.units
    ), counted AS (
      INSERT INTO api_key_scope_usage (api_key_id, day, scope, requests)
      SELECT id, (now() AT TIME ZONE 'UTC')::date, scope, requests FROM used_scope
      ON CONFLICT (api_key_id, day, scope)
      DO UPDATE SET requests = api_key_scope_usage.requests + excluded.requests
    ), forgotten AS (
      DELETE FROM api_key_usage_batch WHERE id IN (
        SELECT id FROM api_key_usage_batch WHERE written_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED
      )
    )
    UPDATE api_key k SET first_used_at = coalesce(first_used_at, now()), last_used_at = now()
    FROM used WHERE k.id = used.id`;
}
