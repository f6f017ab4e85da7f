import type { Database } from './database.ts';
import { sql } from './sql.ts';

/** Tracks whether the store accepts writes. */
export interface WriteCheck {
  /** Watches the SQLSTATEs of failed statements. */
  observe(sqlState: string): void;
  /** Reports that writes may fail. */
  reportFailure(): void;
  /** False after a failed write, until a test write succeeds. Never rejects. */
  canWrite(db: Database): Promise<boolean>;
}

/** SQLSTATE of a full disk, I/O errors, and read-only or inaccessible storage. */
const STORAGE_FAILURES = /^(53100|58030|25006|42501)$/;

/** The minimum interval between test writes, so that frequent health checks do not cause more of them. */
const RETRY_INTERVAL_MS = 1_000;

/**
 * Creates a check that writes nothing unless a write has failed. Then it tries a test write at most once per second,
 * until one succeeds.
 */
export function createWriteCheck(): WriteCheck {
  let failed = false;
  let failures = 0;
  let pending: Promise<boolean> | undefined;
  let nextAt = 0;
  const tryToWrite = async (db: Database) => {
    const before = failures;
    try {
      await writeAndSpill(db);
      // Unless another write failed meanwhile.
      failed = failures !== before;
    } catch {
      nextAt = performance.now() + RETRY_INTERVAL_MS;
    }
    pending = undefined;
    return !failed;
  };
  const reportFailure = () => {
    failed = true;
    failures++;
  };
  return {
    reportFailure,
    observe(sqlState) {
      if (STORAGE_FAILURES.test(sqlState)) reportFailure();
    },
    async canWrite(db) {
      if (!failed) return true;
      if (pending) return pending;
      if (performance.now() < nextAt) return false;
      pending = tryToWrite(db);
      return pending;
    },
  };
}

/**
 * Runs a test write that changes nothing. On a full disk, its update may find space in an existing page, so the
 * statement also has a sort that exceeds its memory and needs a megabyte of disk.
 */
function writeAndSpill(db: Database): Promise<unknown> {
  return db.transaction(async (transaction) => {
    await transaction.rows(sql`SET LOCAL work_mem = '64kB'`);
    await transaction.rows(sql`
      SELECT count(*) FROM (SELECT repeat(n::text, 40) FROM generate_series(1, 5000) AS n ORDER BY 1) AS sorted`);
    await transaction.rows(sql`UPDATE cursor_secret SET secret = secret`);
  });
}
