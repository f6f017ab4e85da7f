import { z } from 'zod';
import type { Database } from '../../store/database.ts';
import { isoTimestamp, raw, type Sql, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { notFound } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { purgeOldRows } from '../core/writes.ts';
import { wholeNumber } from '../values/numbers.ts';
import type { KeyIds } from './api-key.ts';

type Records = Pick<Store, 'prisma'>;

/** The points that a key was charged on the last days (UTC, by the database's clock). */
export interface ApiKeyUsage {
  readonly key_id: string;
  /** Newest first; days without use are left out. */
  readonly days: readonly { readonly day: string; readonly points: number }[];
  /** The points of these days. */
  readonly total: number;
  readonly last_used_at: string | null;
}

const MAX_DAYS = 3_660;

const period = z.strictObject({ days: wholeNumber(1, MAX_DAYS) });

/** Returns the usage of a key on the last days, including today. @throws {ServiceError} `not_found`, `invalid_request`. */
export async function getApiKeyUsage({ prisma }: Records, ids: KeyIds, input: unknown): Promise<ApiKeyUsage> {
  const { days } = parseInput(period, input);
  const [usage] = await prisma.$queryRaw<ApiKeyUsage[]>(sql`
    SELECT k.id AS key_id, ${isoTimestamp('k.last_used_at')} AS last_used_at,
      coalesce(json_agg(json_build_object('day', u.day, 'points', u.points) ORDER BY u.day DESC)
        FILTER (WHERE u.day IS NOT NULL), '[]') AS days,
      coalesce(sum(u.points), 0)::float8 AS total
    FROM api_key k
    LEFT JOIN api_key_usage u ON u.api_key_id = k.id AND u.day > (now() AT TIME ZONE 'UTC')::date - ${days}::int
    WHERE k.organization_id = ${ids.organization_id} AND k.id = ${ids.id}
    GROUP BY k.id`);
  if (!usage) throw notFound('API key');
  return usage;
}

/** The usage of a key in one hour, or on one day (UTC). */
export interface UsageInterval {
  /** Its start: ISO 8601. */
  readonly start: string;
  readonly points: number;
  readonly requests: number;
  /** Those of the requests that were refused or failed. */
  readonly failed: number;
}

/**
 * An expression in SQL: the usage of `api_key k` in each of the last hours or days (UTC), oldest first, including the
 * present one, as a JSON array of {@link UsageInterval}.
 */
export function usageOfKey(unit: 'hour' | 'day', count: number): Sql {
  const [table, start, step] =
    unit === 'hour'
      ? [sql`api_key_hourly_usage`, sql`i.start`, sql`interval '1 hour'`]
      : [sql`api_key_usage`, sql`(i.start AT TIME ZONE 'UTC')::date`, sql`interval '1 day'`];
  return sql`(
    SELECT coalesce(json_agg(json_build_object('start', ${isoTimestamp('i.start')}, 'points', coalesce(u.points, 0),
      'requests', coalesce(u.requests, 0), 'failed', coalesce(u.failed, 0)) ORDER BY i.start), '[]')
    FROM (SELECT date_trunc(${unit}, now(), 'UTC') - n * ${step} AS start FROM generate_series(0, ${count - 1}::int) n) i
    LEFT JOIN ${table} u ON u.api_key_id = k.id AND u.${raw(unit)} = ${start})`;
}

/** Returns the usage of a key in each of the last hours or days (UTC), oldest first; empty for an unknown key. */
export async function recentUsage(
  { prisma }: Records,
  { organization_id, id }: KeyIds,
  unit: 'hour' | 'day',
  count: number,
): Promise<readonly UsageInterval[]> {
  const [key] = await prisma.$queryRaw<{ usage: UsageInterval[] }[]>(sql`
    SELECT ${usageOfKey(unit, count)} AS usage FROM api_key k
    WHERE k.organization_id = ${organization_id} AND k.id = ${id}`);
  return key?.usage ?? [];
}

/**
 * Deletes the points and requests of days (UTC) that are older than a number of days. When a key was used first and last,
 * and which operations it has used, is kept.
 */
export async function purgeKeyUsage(db: Database, days: number): Promise<void> {
  const firstDay = sql`((now() AT TIME ZONE 'UTC')::date - ${days}::int)`;
  await purgeOldRows(db, {
    table: 'api_key_scope_usage',
    key: ['api_key_id', 'day', 'scope'],
    condition: sql`day < ${firstDay}`,
    oldestBy: 'day',
  });
  await purgeOldRows(db, {
    table: 'api_key_usage',
    key: ['api_key_id', 'day'],
    condition: sql`day < ${firstDay} AND NOT EXISTS (
      SELECT FROM api_key_scope_usage s WHERE s.api_key_id = t.api_key_id AND s.day = t.day
    )`,
    oldestBy: 'day',
  });
}

/** How many days the usage by hour is kept. */
const HOURLY_DAYS = 2;

/** Deletes the usage by hour that is older than {@link HOURLY_DAYS} days. */
export function purgeHourlyUsage(db: Database): Promise<void> {
  return purgeOldRows(db, {
    table: 'api_key_hourly_usage',
    key: ['api_key_id', 'hour'],
    condition: sql`hour < now() - ${HOURLY_DAYS}::int * interval '1 day'`,
    oldestBy: 'hour',
  });
}
