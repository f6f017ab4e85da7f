import type { Database } from '../../store/database.ts';
import { sql } from '../../store/sql.ts';
import { purgeInBatches } from '../core/purge.ts';

/**
 * Deletes the changes of records that were removed longer ago than a number of days. Cursors before such a change are not
 * valid any more: their clients would keep the record.
 */
export function purgeRemovedRecords(db: Database, days: number): Promise<void> {
  return purgeInBatches(
    db,
    (limit) => sql`
      WITH old AS MATERIALIZED (
        SELECT organization_id, resource, record_id FROM record_change
        WHERE operation = 'removed' AND at < now() - ${days}::int * interval '1 day' ORDER BY at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      ), deleted AS (
        DELETE FROM record_change c USING old
        WHERE c.organization_id = old.organization_id AND c.resource = old.resource AND c.record_id = old.record_id
        RETURNING c.organization_id, c.resource, c.number
      ), purged AS (
        INSERT INTO purged_change AS p (organization_id, resource, number)
        SELECT organization_id, resource, max(number) FROM deleted GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (organization_id, resource) DO UPDATE SET number = greatest(p.number, EXCLUDED.number)
      )
      SELECT 1 FROM deleted`,
  );
}
