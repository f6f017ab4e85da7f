import type { Database } from '../store/database.ts';
import { sql } from '../store/sql.ts';

/** Notes when keys are used, for their history, without a write on every request. */
export interface KeyUsage {
  /** @param first whether the key has no use on record: then it is written at once. */
  note(keyId: string, first: boolean): void;
  /** Writes what is noted; the last call waits for all writes under way. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 5_000;

/** Gathers the keys in use and writes their times together, by the database's clock. */
export function createKeyUsage(db: Database, onError: (error: unknown) => void): KeyUsage {
  const noted = new Set<string>();
  const firsts = new Set<string>();
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      if (noted.size === 0) return;
      const ids = [...noted];
      noted.clear();
      try {
        await db.rows(sql`
          UPDATE api_key SET first_used_at = coalesce(first_used_at, now()), last_used_at = now()
          WHERE id = ANY(${ids}::text[])`);
      } catch (error) {
        for (const id of ids) noted.add(id);
        onError(error);
      }
    });
    return writing;
  };

  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();
  return {
    note(keyId, first) {
      noted.add(keyId);
      if (!first || firsts.has(keyId)) return;
      firsts.add(keyId);
      void flush();
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
