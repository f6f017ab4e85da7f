import { z } from 'zod';
import { databaseTime } from '../../store/database-time.ts';
import type { Store } from '../../store/store.ts';
import { notFound } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { wholeNumber } from '../values/numbers.ts';
import { DAY_MS } from '../values/time-zone.ts';
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
  const [first] = await lastDays(prisma, days);
  const key = await prisma.apiKey.findUnique({
    where: { organizationId, id },
    select: { lastUsedAt: true, usage: { where: { day: { gte: first } }, orderBy: { day: 'desc' } } },
  });
  if (!key) throw notFound('API key');
  const used = key.usage.map(({ day, points }) => ({ day: isoDay(day), points: Number(points) }));
  const total = used.reduce((sum, { points }) => sum + points, 0);
  return { key_id: id, days: used, total, last_used_at: key.lastUsedAt?.toISOString() ?? null };
}

/** The usage of a key on each of the last days. */
export interface DailyUsage {
  readonly key_id: string;
  /** Oldest first, including today and days without use. */
  readonly days: readonly { readonly day: string; readonly points: number }[];
}

/** Returns the usage of each of the keys on the last `days` days, including today. */
export async function dailyUsageOfKeys(
  { prisma }: Records,
  keyIds: readonly string[],
  days: number,
): Promise<DailyUsage[]> {
  const lastDates = await lastDays(prisma, days);
  const where = { apiKeyId: { in: [...keyIds] }, day: { gte: lastDates[0] } };
  const usage = await prisma.apiKeyUsage.findMany({ where });
  const used = new Map(usage.map(({ apiKeyId, day, points }) => [`${apiKeyId} ${isoDay(day)}`, Number(points)]));
  return keyIds.map((id) => ({
    key_id: id,
    days: lastDates.map(isoDay).map((day) => ({ day, points: used.get(`${id} ${day}`) ?? 0 })),
  }));
}

/** The last days (UTC), oldest first, including today; at their start. */
async function lastDays(prisma: Store['prisma'], days: number): Promise<[Date, ...Date[]]> {
  const today = Math.floor((await databaseTime(prisma)).getTime() / DAY_MS);
  return Array.from({ length: days }, (_, index) => new Date((today - days + 1 + index) * DAY_MS)) as [Date];
}

function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}
