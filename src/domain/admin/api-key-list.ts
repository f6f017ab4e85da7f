import { Prisma } from '../../store/generated/client.ts';
import { isoTimestamp, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { escapeLikePattern } from '../lists/search.ts';
import { KEY_END } from './active-keys.ts';
import { type ApiKey, KEY_COLUMNS } from './api-key.ts';
import { type UsageInterval, usageOfKey } from './api-key-usage.ts';
import { FAILED_REQUEST_DAYS } from './failed-request.ts';

type Records = Pick<Store, 'prisma'>;

/** A key in a list. */
export interface ListedKey extends ApiKey {
  /** When it was revoked or expired, or will expire; null if never. */
  readonly end: string | null;
  /** The number of its requests that were refused or failed in the last {@link FAILED_REQUEST_DAYS} days. */
  readonly failures: number;
  /** Its usage on each of the last days, oldest first. */
  readonly usage: readonly UsageInterval[];
}

/** A part of the keys of an organization. */
export interface KeySelection {
  readonly organizationId: string;
  /** Active keys, the latest created first; otherwise revoked and expired keys, the latest ended first. */
  readonly isActive: boolean;
  /** Text in the name, description or prefix; empty for all keys. */
  readonly q: string;
  /** Only keys after the one with this id. */
  readonly before: string | undefined;
  readonly limit: number;
  /** The number of days of which the usage is read. */
  readonly usageDays: number;
}

/** The keys from `before` on in which a text is searched for. */
export const MAX_SEARCHED_KEYS = 1_000;

/** Lists keys in one statement, at a cost that does not depend on how many keys the organization has ever had. */
export function listKeysOfPage({ prisma }: Records, selection: KeySelection): Promise<ListedKey[]> {
  return prisma.$queryRaw(selectKeys(selection));
}

/** The statement of {@link listKeysOfPage}. */
export function selectKeys({ organizationId, isActive, q, before, limit, usageDays }: KeySelection): Prisma.Sql {
  const position = isActive ? sql`k.created_at` : KEY_END;
  const state = isActive ? sql`${KEY_END} > now()` : sql`${KEY_END} <= now()`;
  const pattern = `%${escapeLikePattern(q)}%`;
  const after = sql`
    AND (${position}, id) < ((SELECT ${position} FROM api_key k WHERE organization_id = ${organizationId} AND id = ${before}), ${before})`;
  return sql`
    SELECT ${KEY_COLUMNS}, ${isoTimestamp('least(revoked_at, expires_at)')} AS end, ${usageOfKey('day', usageDays)} AS usage, (
      SELECT count(*)::int FROM api_key_failed_request f
      WHERE f.api_key_id = k.id AND f.at > now() - ${FAILED_REQUEST_DAYS}::int * interval '1 day') AS failures
    FROM (
      SELECT * FROM api_key k WHERE organization_id = ${organizationId} AND ${state} ${before === undefined ? Prisma.empty : after}
      ORDER BY ${position} DESC, id DESC LIMIT ${q === '' ? limit : MAX_SEARCHED_KEYS}::int
    ) k
    WHERE ${q} = '' OR name ILIKE ${pattern} OR description ILIKE ${pattern} OR prefix ILIKE ${pattern}
    ORDER BY ${position} DESC, id DESC LIMIT ${limit}::int`;
}

/** Returns the names of those keys of an organization that have one of these ids. */
export async function findKeyNames(
  { prisma }: Records,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const where = { organizationId, id: { in: [...new Set(ids)] } };
  const keys = await prisma.apiKey.findMany({
    where,
    select: { id: true, name: true },
  });
  return new Map(keys.map(({ id, name }) => [id, name]));
}
