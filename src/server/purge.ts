import { purgeHourlyUsage, purgeKeyUsage } from '../domain/admin/api-key-usage.ts';
import { purgeAudit } from '../domain/admin/audit-log.ts';
import { purgeFailedRequests } from '../domain/admin/failed-request.ts';
import { purgeImportRuns } from '../domain/admin/import-run.ts';
import { purgeRemovedRecords } from '../domain/changes/read-changes.ts';
import { purgeIdempotencyRecords } from '../domain/core/idempotency.ts';
import { purgeDeliveries } from '../domain/webhooks/delivery-list.ts';
import type { RetentionDays } from '../settings.ts';
import type { Database } from '../store/database.ts';
import { dropAbandonedDryRuns } from '../store/dry-run-schemas.ts';

const INTERVAL_MS = 3_600_000;

/**
 * Deletes what has expired, at startup and every hour. At startup, because some platforms stop instances within an hour.
 *
 * @param onError called with what could not be deleted.
 */
export function startPurging(db: Database, days: RetentionDays, onError: (error: unknown, what: string) => void): void {
  const run = () => void purgeExpired(db, days, onError);
  run();
  setInterval(run, INTERVAL_MS).unref();
}

/**
 * Deletes expired idempotency records, failed requests, hourly usage of keys, deliveries of webhooks, old values of imports
 * and tables of killed dry runs, and what is older than `days`.
 */
export async function purgeExpired(
  db: Database,
  { audit, keyUsage, removedRecords }: RetentionDays,
  onError: (error: unknown, what: string) => void,
): Promise<void> {
  const purges: readonly (readonly [what: string, purge: () => Promise<void>])[] = [
    ['idempotency records', () => purgeIdempotencyRecords(db)],
    ['failed requests', () => purgeFailedRequests(db)],
    ['usage of keys by hour', () => purgeHourlyUsage(db)],
    ['deliveries of webhooks', () => purgeDeliveries(db)],
    ['old values of imports', () => purgeImportRuns(db)],
    ['tables of dry runs', () => dropAbandonedDryRuns((statement) => db.write(statement))],
    ...(audit ? [['audit entries', () => purgeAudit(db, audit)] as const] : []),
    ...(keyUsage ? [['usage of keys', () => purgeKeyUsage(db, keyUsage)] as const] : []),
    ...(removedRecords ? [['removed records', () => purgeRemovedRecords(db, removedRecords)] as const] : []),
  ];
  // One after another, because the embedded database has one connection, for which requests wait.
  for (const [what, purge] of purges) await purge().catch((error: unknown) => onError(error, what));
}
