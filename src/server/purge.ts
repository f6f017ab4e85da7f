import { purgeFailedRequests } from '../domain/admin/failed-request.ts';
import { purgeIdempotencyRecords } from '../domain/core/idempotency.ts';
import type { Database } from '../store/database.ts';
import { dropAbandonedDryRuns } from '../store/dry-run-schemas.ts';

const INTERVAL_MS = 3_600_000;

/**
 * Deletes expired idempotency records, failed requests and the tables of killed dry runs every hour. It also runs at startup, because some platforms
 * stop instances within an hour.
 */
export function startPurging(db: Database, onError: (error: unknown) => void): void {
  const purge = () =>
    Promise.all([
      purgeIdempotencyRecords(db),
      purgeFailedRequests(db),
      dropAbandonedDryRuns((statement) => db.write(statement)),
    ]).catch(onError);
  void purge();
  setInterval(purge, INTERVAL_MS).unref();
}
