import type { Database } from '../../store/database.ts';
import { type Sql, sql } from '../../store/sql.ts';

/** Small enough for a statement to finish within the statement timeout. */
const BATCH_ROWS = 1_000;

/**
 * Deletes rows in batches, so that no statement exceeds the statement timeout.
 *
 * @param deleteBatch returns a DELETE statement of at most `limit` rows, which returns a row for each.
 */
export async function purgeInBatches(db: Database, deleteBatch: (limit: Sql) => Sql): Promise<void> {
  for (;;) {
    const deleted = await db.write(deleteBatch(sql`${BATCH_ROWS}::int`));
    if (deleted.length < BATCH_ROWS) return;
  }
}
