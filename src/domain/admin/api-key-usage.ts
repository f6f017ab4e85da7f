import { z } from 'zod';
import { isoDate, isoTimestamp, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { notFound } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { wholeNumber } from '../values/numbers.ts';

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
export async function getApiKeyUsage({ db }: Pick<Store, 'db'>, id: string, input: unknown): Promise<ApiKeyUsage> {
  const { days } = parseInput(period, input);
  const rows = await db.rows<{ last_used_at: string | null; day: string | null; points: number }>(sql`
    SELECT ${isoTimestamp('k.last_used_at')} AS last_used_at, ${isoDate('u.day')} AS day, u.units::float8 AS points
    FROM api_key k LEFT JOIN api_key_usage u
      ON u.api_key_id = k.id AND u.day > (now() AT TIME ZONE 'UTC')::date - ${days}::int
    WHERE k.id = ${id} ORDER BY u.day DESC`);
  const [first] = rows;
  if (!first) throw notFound('API key');
  const used = rows.flatMap(({ day, points }) => (day === null ? [] : [{ day, points }]));
  const total = used.reduce((sum, { points }) => sum + points, 0);
  return { key_id: id, days: used, total, last_used_at: first.last_used_at };
}

/** The usage of a key on each of the last days. */
export interface DailyUsage {
  readonly key_id: string;
  /** Oldest first, including today and days without use. */
  readonly days: readonly { readonly day: string; readonly points: number }[];
}

/** Returns the usage of each key of an organization on the last `days` days, including today. */
export async function dailyUsageOfKeys(
  { db }: Pick<Store, 'db'>,
  organizationId: string,
  days: number,
): Promise<DailyUsage[]> {
  return db.rows<DailyUsage>(sql`
    SELECT k.id AS key_id,
      json_agg(json_build_object('day', ${isoDate('d.day')}, 'points', coalesce(u.units, 0)) ORDER BY d.day) AS days
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date - n AS day FROM generate_series(0, ${days}::int - 1) AS n) d
    CROSS JOIN api_key k LEFT JOIN api_key_usage u ON u.api_key_id = k.id AND u.day = d.day
    WHERE k.organization_id = ${organizationId} GROUP BY k.id`);
}
