import { z } from 'zod';
import { databaseTime } from '../../store/database-time.ts';
import type { Store } from '../../store/store.ts';
import { notFound } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { wholeNumber } from '../values/numbers.ts';
import { DAY_MS, HOUR_MS } from '../values/time-zone.ts';
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
export async function getApiKeyUsage(
  { prisma }: Records,
  { organization_id: organizationId, id }: KeyIds,
  input: unknown,
): Promise<ApiKeyUsage> {
  const { days } = parseInput(period, input);
  const [first] = await lastIntervals(prisma, DAY_MS, days);
  const key = await prisma.apiKey.findUnique({
    where: { organizationId, id },
    select: { lastUsedAt: true, usage: { where: { day: { gte: first } }, orderBy: { day: 'desc' } } },
  });
  if (!key) throw notFound('API key');
  const used = key.usage.map(({ day, points }) => ({ day: isoDay(day), points: Number(points) }));
  const total = used.reduce((sum, { points }) => sum + points, 0);
  return { key_id: id, days: used, total, last_used_at: key.lastUsedAt?.toISOString() ?? null };
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

/** Returns the usage of keys in each of the last hours or days, oldest first, including the present one, by key id. */
export async function recentUsage(
  { prisma }: Records,
  keyIds: readonly string[],
  unit: 'hour' | 'day',
  count: number,
): Promise<ReadonlyMap<string, readonly UsageInterval[]>> {
  const starts = await lastIntervals(prisma, unit === 'hour' ? HOUR_MS : DAY_MS, count);
  const apiKeyId = { in: [...keyIds] };
  const rows =
    unit === 'hour'
      ? await prisma.apiKeyHourlyUsage.findMany({ where: { apiKeyId, hour: { gte: starts[0] } } })
      : await prisma.apiKeyUsage.findMany({ where: { apiKeyId, day: { gte: starts[0] } } });
  const used = new Map(rows.map((row) => [`${row.apiKeyId} ${Number('hour' in row ? row.hour : row.day)}`, row]));
  const intervalOf = (id: string, start: Date): UsageInterval => {
    const { points = 0, requests = 0, failed = 0 } = used.get(`${id} ${Number(start)}`) ?? {};
    const counts = { points: Number(points), requests: Number(requests), failed: Number(failed) };
    return { start: start.toISOString(), ...counts };
  };
  return new Map(keyIds.map((id) => [id, starts.map((start) => intervalOf(id, start))]));
}

/** The starts of the last intervals of a length, oldest first, including the present one. */
async function lastIntervals(prisma: Store['prisma'], length: number, count: number): Promise<[Date, ...Date[]]> {
  const last = Math.floor((await databaseTime(prisma)).getTime() / length);
  return Array.from({ length: count }, (_, index) => new Date((last - count + 1 + index) * length)) as [Date];
}

function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}
