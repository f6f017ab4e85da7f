import type { Database } from '../../store/database.ts';
import { sql } from '../../store/sql.ts';
import { purgeInBatches } from '../core/purge.ts';

/**
 * Deletes the points and requests of days (UTC) that are older than a number of days. When a key was used first and last,
 * and which operations it has used, is kept.
 */
export async function purgeKeyUsage(db: Database, days: number): Promise<void> {
  const firstDay = sql`((now() AT TIME ZONE 'UTC')::date - ${days}::int)`;
  await purgeInBatches(
    db,
    (limit) => sql`
      WITH old AS MATERIALIZED (
        SELECT api_key_id, day, scope FROM api_key_scope_usage
        WHERE day < ${firstDay} ORDER BY day LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      DELETE FROM api_key_scope_usage u USING old
      WHERE u.api_key_id = old.api_key_id AND u.day = old.day AND u.scope = old.scope
      RETURNING 1`,
  );
  await purgeInBatches(
    db,
    (limit) => sql`
      WITH old AS MATERIALIZED (
        SELECT api_key_id, day FROM api_key_usage u
        WHERE day < ${firstDay} AND NOT EXISTS (
          SELECT FROM api_key_scope_usage s WHERE s.api_key_id = u.api_key_id AND s.day = u.day
        )
        ORDER BY day LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      DELETE FROM api_key_usage u USING old WHERE u.api_key_id = old.api_key_id AND u.day = old.day
      RETURNING 1`,
  );
}

/** How many days the usage by hour is kept. */
const HOURLY_DAYS = 2;

/** Deletes the usage by hour that is older than {@link HOURLY_DAYS} days. */
export function purgeHourlyUsage(db: Database): Promise<void> {
  return purgeInBatches(
    db,
    (limit) => sql`
      WITH old AS MATERIALIZED (
        SELECT api_key_id, hour FROM api_key_hourly_usage
        WHERE hour < now() - ${HOURLY_DAYS}::int * interval '1 day' ORDER BY hour LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )
      DELETE FROM api_key_hourly_usage u USING old WHERE u.api_key_id = old.api_key_id AND u.hour = old.hour
      RETURNING 1`,
  );
}
