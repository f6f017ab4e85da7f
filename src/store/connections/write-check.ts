import type pg from 'pg';
import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { connectionOf } from '../statements/driver.ts';

/** Whether the store takes writes, learnt from those that fail. */
export interface WriteCheck {
  /** Learns of failures from the errors that a pool's connections report. */
  observe(pool: pg.Pool): void;
  /** A write failed, or may have, for a reason that others would fail for too. */
  reportFailure(): void;
  /** True unless a write failed, and no write that was tried since succeeded. Never rejects. */
  canWrite(db: Database): Promise<boolean>;
}

/** No room or another error of the disk, a file or server that is read-only. */
const STORAGE_FAILURES = /^(53100|58030|25006|42501)$/;

/** How long a result counts: whoever asks for the health of the service must not decide how much is written. */
const RESULT_MS = 1_000;

/**
 * Nothing is written as long as all is well. After a failed write one is tried at most once a second, by whoever
 * asks next, until it succeeds.
 */
export function createWriteCheck(): WriteCheck {
  let failed = false;
  let running: Promise<boolean> | undefined;
  let nextAt = 0;
  const tryToWrite = async (db: Database) => {
    try {
      await writeAndSpill(db);
      failed = false;
    } catch {
      nextAt = performance.now() + RESULT_MS;
    }
    running = undefined;
    return !failed;
  };
  const reportFailure = () => {
    failed = true;
  };
  return {
    reportFailure,
    observe(pool) {
      pool.on('connect', (client) => {
        connectionOf(client).on('errorMessage', ({ code }) => {
          if (STORAGE_FAILURES.test(code ?? '')) reportFailure();
        });
      });
    },
    async canWrite(db) {
      if (!failed) return true;
      if (running) return running;
      if (performance.now() < nextAt) return false;
      running = tryToWrite(db);
      return running;
    },
  };
}

/**
 * Changes nothing. The update finds what refuses every write; on a full disk it may find room in a page that exists,
 * so a sort that does not fit into its memory needs a megabyte of the disk as well.
 */
function writeAndSpill(db: Database): Promise<unknown> {
  return db.transaction(async (transaction) => {
    await transaction.rows(sql`SET LOCAL work_mem = '64kB'`);
    await transaction.rows(sql`
      SELECT count(*) FROM (SELECT repeat(n::text, 40) FROM generate_series(1, 5000) AS n ORDER BY 1) AS sorted`);
    await transaction.rows(sql`UPDATE cursor_secret SET secret = secret`);
  });
}
