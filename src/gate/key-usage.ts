import type { Database } from '../store/database.ts';
import { type Sql, sql } from '../store/sql.ts';

/** Notes when and how much keys are used, without a write on every request. */
export interface KeyUsage {
  /** @param first whether the key has no use on record: then it is written at once. */
  note(keyId: string, first: boolean): void;
  /** Notes units that a key was charged. A process that is killed loses those of the last seconds. */
  charge(keyId: string, units: number): void;
  /** Writes what is noted; the last call waits for all writes under way. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 5_000;

/** Gathers the keys in use and writes their times and units together, by the database's clock and date. */
export function createKeyUsage(db: Database, onError: (error: unknown) => void): KeyUsage {
  /** Every key in use, with the units that are not written yet. */
  const noted = new Map<string, number>();
  /** Keys whose first use is about to be written. */
  const firsts = new Set<string>();
  let writing: Promise<void> = Promise.resolve();

  const add = (keyId: string, units: number) => noted.set(keyId, (noted.get(keyId) ?? 0) + units);

  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      if (noted.size === 0) return;
      const uses = [...noted];
      noted.clear();
      try {
        await db.rows(writeUses(uses));
        for (const [id] of uses) firsts.delete(id);
      } catch (error) {
        // Written again if only the answer was lost: rather a unit too many in a summary than one too few.
        for (const [id, units] of uses) add(id, units);
        onError(error);
      }
    });
    return writing;
  };

  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();
  return {
    note(keyId, first) {
      add(keyId, 0);
      if (!first || firsts.has(keyId)) return;
      firsts.add(keyId);
      void flush();
    },
    charge(keyId, units) {
      add(keyId, units);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Locks the keys in the order of their ids, so that instances that write at once wait for one another in turn. */
function writeUses(uses: readonly (readonly [id: string, units: number])[]): Sql {
  return sql`
    WITH used AS (
      SELECT k.id, u.units FROM api_key k
      JOIN unnest(${uses.map(([id]) => id)}::text[], ${uses.map(([, units]) => units)}::bigint[]) AS u (id, units)
        ON u.id = k.id
      ORDER BY k.id FOR NO KEY UPDATE OF k
    ), charged AS (
      INSERT INTO api_key_usage (api_key_id, day, units)
      SELECT id, (now() AT TIME ZONE 'UTC')::date, units FROM used WHERE units > 0
      ON CONFLICT (api_key_id, day) DO UPDATE SET units = api_key_usage.units + excluded.units
    )
    UPDATE api_key k SET first_used_at = coalesce(first_used_at, now()), last_used_at = now()
    FROM used WHERE k.id = used.id`;
}
