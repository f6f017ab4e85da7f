import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The first line of a migration whose statements run outside of a transaction, so that they do not block writes. */
const MARK = '-- outside a transaction\n';

const CREATE_INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?"?(\w+)"? /i;

/** How often it is checked whether another session still builds an index. */
const BUILD_CHECK_MS = 200;

/** SQLSTATE of what PostgreSQL does not support, such as building an index of a partitioned table concurrently. */
const NOT_SUPPORTED = '0A000';

/** Whether the statements of a migration run outside of a transaction. */
export function runsOutsideTransaction(sql: string): boolean {
  return sql.startsWith(MARK);
}

/** The same migration for a transaction, as in a new or an embedded database. */
export function withoutConcurrently(sql: string): string {
  return sql.replaceAll(/\bCONCURRENTLY\b/gi, '');
}

/**
 * Runs the statements of a migration one after another, each in a transaction of its own. A later call resumes after a
 * failure: it skips indexes that are complete, and builds again those that are not. Other statements must be repeatable.
 */
export async function runOutsideTransaction(pool: pg.Pool, sql: string): Promise<void> {
  const withoutComments = sql.replaceAll(/^\s*--.*$/gm, '');
  for (const part of withoutComments.split(/;[ \t]*(?:\n|$)/)) {
    const statement = part.trim();
    const index = CREATE_INDEX.exec(statement)?.[1];
    if (index !== undefined) await buildIndex(pool, index, statement);
    else if (statement !== '') await pool.query(statement);
  }
}

async function buildIndex(pool: pg.Pool, name: string, statement: string): Promise<void> {
  if ((await dropIfIncomplete(pool, name)) === 'complete') return;
  try {
    await pool.query(statement);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NOT_SUPPORTED) {
      await pool.query(withoutConcurrently(statement));
      return;
    }
    // Writes would still maintain it, and check it if it is unique.
    await dropIfIncomplete(pool, name).catch(() => {});
    throw error;
  }
}

/** Drops an index that a failed or killed session left. Waits while a session of a killed process still builds it. */
async function dropIfIncomplete(pool: pg.Pool, name: string): Promise<'complete' | 'missing'> {
  const escaped = pg.escapeIdentifier(name);
  for (;;) {
    const { rows } = await pool.query<{ isValid: boolean; isBuilding: boolean }>(
      `SELECT indisvalid AS "isValid",
         EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid) AS "isBuilding"
       FROM pg_index i WHERE indexrelid = to_regclass($1)`,
      [escaped],
    );
    if (!rows[0]) return 'missing';
    if (rows[0].isValid) return 'complete';
    if (!rows[0].isBuilding) break;
    await sleep(BUILD_CHECK_MS);
  }
  await pool.query(`DROP INDEX CONCURRENTLY IF EXISTS ${escaped}`);
  return 'missing';
}
