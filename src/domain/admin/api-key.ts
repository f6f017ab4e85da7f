import { z } from 'zod';
import { isoTimestamp, type Sql, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { auditOperator } from '../core/audit.ts';
import { invalidRequest, notFound, quote, ServiceError } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/operation.ts';
import { ALL_SCOPES, type Scope } from '../core/scopes.ts';
import { requiredText } from '../core/text.ts';
import { DEFAULT_MAX_ACTIVE_KEYS, KeyLimitReachedError, lockActiveKeys } from './api-key-limit.ts';
import { hashOfKey, newKey, prefixOfKey } from './api-key-secret.ts';

/** A key as operators see it; the key itself is nowhere. Times are ISO 8601, by the database's clock. */
export interface ApiKey {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly state: 'active' | 'revoked' | 'expired';
  readonly created_at: string;
  readonly expires_at: string | null;
  /** Points per minute; null for a key with the default limit. */
  readonly rate_limit: number | null;
  readonly last_used_at: string | null;
  /** How the key begins; null for a key from before this was kept. */
  readonly prefix: string | null;
  /** The key that replaces this one, where it was rotated. */
  readonly replaced_by: string | null;
}

/** One thing that happened to a key, and who did it where somebody did. */
export interface ApiKeyEvent {
  readonly event: 'created' | 'first_used' | 'last_used' | 'rotated' | 'expired' | 'revoked';
  readonly at: string;
  readonly by: string | null;
  /** Of `rotated`: the key that replaces this one; of `created`: the one that this one replaces. */
  readonly key_id?: string;
}

/** After how many days a key can expire (specification, "Authentication"). */
export const EXPIRY_DAYS = [30, 90, 365] as const;

/** The highest rate limit of a key, in points per minute. */
const MAX_RATE_LIMIT = 100_000;

const RATE_LIMIT_ERROR = `must be an integer from 1 to ${MAX_RATE_LIMIT}`;

/** The input of {@link createApiKey}. */
const newApiKey = z.strictObject({
  organization_id: z.string(),
  name: requiredText(),
  scopes: z.array(z.enum(ALL_SCOPES)).min(1, { error: 'must name at least one scope' }),
  expires_in_days: z
    .union(
      EXPIRY_DAYS.map((days) => z.literal(days)),
      { error: `must be ${EXPIRY_DAYS.join(', ')} or never` },
    )
    .nullable(),
  rate_limit: z
    .int({ error: RATE_LIMIT_ERROR })
    .min(1, { error: RATE_LIMIT_ERROR })
    .max(MAX_RATE_LIMIT, { error: RATE_LIMIT_ERROR })
    .nullish(),
});

/** What operators see of a row `k` of `api_key`. */
export const apiKeyColumns = sql`
  k.id, k.organization_id, k.name, k.scopes,
  CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired' ELSE 'active' END AS state,
  ${isoTimestamp('k.created_at')} AS created_at, ${isoTimestamp('k.expires_at')} AS expires_at, k.rate_limit,
  ${isoTimestamp('k.last_used_at')} AS last_used_at, k.prefix,
  (SELECT successor.id FROM api_key successor WHERE successor.replaces_id = k.id) AS replaced_by`;

/**
 * Part of the statement that changes a key, whose changed row is `k`.
 *
 * @param related the id of another key that it is about, as SQL.
 */
export function noteKey(by: string, operation: string, related?: Sql): Sql {
  return auditOperator(by, operation, sql`k.organization_id`, sql`k.id`, sql`k`, related);
}

type Records = Pick<Store, 'db' | 'prisma'>;

/** What else can be said of a key that is made. */
export interface NewKeyOptions {
  /** The key itself; a new one unless told. */
  readonly key?: string;
  /** Its id; who names it before the key is made can ask twice and gets one key. */
  readonly id?: string;
  /** How many active keys the organization may have. */
  readonly maxActive?: number;
}

/**
 * Makes a key. The answer is the only place where it ever stands.
 *
 * @param by who does it, for the key's history.
 * @throws {ServiceError} `invalid_request`; `not_found` for the organization. {@link KeyAlreadyCreatedError}, {@link KeyLimitReachedError}.
 */
export async function createApiKey(
  { db }: Pick<Records, 'db'>,
  input: unknown,
  by: string,
  { key = newKey(), id = newId('key'), maxActive = DEFAULT_MAX_ACTIVE_KEYS }: NewKeyOptions = {},
): Promise<ApiKey & { key: string }> {
  const { organization_id, name, scopes, expires_in_days, rate_limit } = parseInput(newApiKey, input);
  return db.transaction(async (transaction) => {
    const active = await lockActiveKeys(transaction, organization_id);
    const [before] = await transaction.rows(sql`SELECT id FROM api_key WHERE id = ${id}`);
    if (before) throw new KeyAlreadyCreatedError();
    if (active >= maxActive) throw new KeyLimitReachedError(maxActive);
    const [record] = await transaction.rows<ApiKey>(sql`
      WITH k AS (
        INSERT INTO api_key (id, organization_id, name, hash, prefix, scopes, expires_at, rate_limit, created_by)
        VALUES (${id}, ${organization_id}, ${name}, ${hashOfKey(key)}, ${prefixOfKey(key)},
          ${[...new Set(scopes)]}::text[], now() + ${expires_in_days}::int * interval '1 day',
          ${rate_limit ?? null}::int, ${by})
        ON CONFLICT (id) DO NOTHING RETURNING *
      ), noted AS (${noteKey(by, 'createApiKey')})
      SELECT ${apiKeyColumns} FROM k`);
    if (!record) throw new KeyAlreadyCreatedError();
    return { ...record, key };
  });
}

/** A key with this id was made before: it was asked for twice. */
export class KeyAlreadyCreatedError extends ServiceError {
  constructor() {
    super('invalid_request', 'This API key was made before; it is shown once, and cannot be shown again');
  }
}

/** One key of an organization. @throws {ServiceError} `not_found`; a key of another organization is unknown. */
export async function getApiKey(
  { db }: Pick<Records, 'db'>,
  { organization_id, id }: Pick<ApiKey, 'organization_id' | 'id'>,
): Promise<ApiKey> {
  const [key] = isId('key', id)
    ? await db.rows<ApiKey>(sql`
        SELECT ${apiKeyColumns} FROM api_key k WHERE k.organization_id = ${organization_id} AND k.id = ${id}`)
    : [];
  if (!key) throw notFound('API key');
  return key;
}

/** The keys of an organization, oldest first. @throws {ServiceError} `not_found` for the organization. */
export async function listApiKeys({ db, prisma }: Records, organizationId: string): Promise<ApiKey[]> {
  if (!(await prisma.organization.findUnique({ where: { id: organizationId } }))) throw notFound('Organization');
  return db.rows<ApiKey>(sql`
    SELECT ${apiKeyColumns} FROM api_key k WHERE k.organization_id = ${organizationId} ORDER BY k.created_at, k.id`);
}

/**
 * Revokes a key, at once and for good; its history stays. Revoking again changes nothing.
 *
 * @throws {ServiceError} `not_found`.
 */
export async function revokeApiKey({ db }: Pick<Records, 'db'>, id: string, by: string): Promise<ApiKey> {
  const [key] = await db.write<ApiKey>(sql`
    WITH k AS (
      UPDATE api_key SET revoked_at = coalesce(revoked_at, now()),
        revoked_by = CASE WHEN revoked_at IS NULL THEN ${by} ELSE revoked_by END
      WHERE id = ${id} RETURNING *
    ), noted AS (${noteKey(by, 'revokeApiKey')})
    SELECT ${apiKeyColumns} FROM k`);
  if (!key) throw notFound('API key');
  return key;
}

/** What happened to a key, in order, by the database's clock. @throws {ServiceError} `not_found`. */
export async function apiKeyHistory({ db }: Pick<Records, 'db'>, id: string): Promise<ApiKeyEvent[]> {
  const events = await db.rows<ApiKeyEvent & { key_id: string | null }>(sql`
    SELECT happened.event, ${isoTimestamp('happened.at')} AS at, happened.by, happened.key_id
    FROM api_key k LEFT JOIN api_key successor ON successor.replaces_id = k.id, LATERAL (VALUES
      (1, 'created', k.created_at, k.created_by, k.replaces_id),
      (2, 'first_used', k.first_used_at, NULL, NULL),
      (3, 'last_used', k.last_used_at, NULL, NULL),
      (4, 'rotated', successor.created_at, successor.created_by, successor.id),
      (5, 'expired', CASE WHEN k.expires_at <= now() THEN k.expires_at END, NULL, NULL),
      (6, 'revoked', k.revoked_at, k.revoked_by, NULL)
    ) AS happened (ordinal, event, at, by, key_id)
    WHERE k.id = ${id} AND happened.at IS NOT NULL
    ORDER BY happened.at, happened.ordinal`);
  if (events.length === 0) throw notFound('API key');
  return events.map(({ key_id, ...event }) => (key_id === null ? event : { ...event, key_id }));
}

/** Scopes as an operator writes them: `all`, or names with commas. @throws {ServiceError} `invalid_request`. */
export function parseScopes(written: string): Scope[] {
  const names = written
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.includes('all')) return [...ALL_SCOPES];
  const unknown = names.filter((name) => !(ALL_SCOPES as string[]).includes(name));
  if (unknown.length > 0) {
    throw invalidRequest({
      field: 'scopes',
      message: `unknown: ${unknown.slice(0, ALL_SCOPES.length).map(quote).join(', ')}; use "all" or some of ${ALL_SCOPES.join(', ')}`,
    });
  }
  return names as Scope[];
}
