import { z } from 'zod';
import { isoTimestamp, type Sql, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { auditOperator } from '../core/audit.ts';
import { invalidRequest, notFound, quote, ServiceError } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { ALL_SCOPES, type Scope } from '../core/scopes.ts';
import { isId, newId } from '../values/ids.ts';
import { optionalText, requiredText } from '../values/text.ts';
import { DEFAULT_MAX_ACTIVE_KEYS, KeyLimitReachedError, lockAndCountActiveKeys } from './api-key-limit.ts';
import { hashKey, keyPrefix, newKey } from './api-key-secret.ts';
import { getOrganization } from './organization.ts';

/** An API key without its secret. Times are ISO 8601, by the database's clock. */
export interface ApiKey {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly scopes: readonly Scope[];
  readonly state: 'active' | 'revoked' | 'expired';
  readonly created_at: string;
  readonly expires_at: string | null;
  /** Points per minute; null for a key with the default limit. */
  readonly rate_limit: number | null;
  readonly last_used_at: string | null;
  /** The first characters of the key; null for older keys, for which they were not stored. */
  readonly prefix: string | null;
  /** The id of the key that replaces this one, if it was rotated. */
  readonly replaced_by: string | null;
}

/** An event in the history of a key, and the actor, if any. */
export interface ApiKeyEvent {
  readonly event: 'created' | 'first_used' | 'last_used' | 'rotated' | 'expired' | 'revoked';
  readonly at: string;
  readonly by: string | null;
  /** For `rotated`, the key that replaces this one; for `created`, the key that this one replaces. */
  readonly key_id?: string;
}

/** The lifetimes of keys to choose from, in days (specification, "Authentication"). */
export const EXPIRY_DAYS = [30, 90, 365] as const;

/** The highest rate limit of a key, in points per minute. */
const MAX_RATE_LIMIT = 100_000;

const RATE_LIMIT_ERROR = `must be an integer from 1 to ${MAX_RATE_LIMIT}`;

/** The input of {@link createApiKey}. */
const newApiKey = z.strictObject({
  organization_id: z.string(),
  name: requiredText(),
  description: optionalText(),
  scopes: z.array(z.enum(ALL_SCOPES)).min(1, { error: 'select at least one scope' }),
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

/** The columns of an {@link ApiKey}, from a row `k` of `api_key`. */
export const apiKeyColumns = sql`
  k.id, k.organization_id, k.name, k.description, k.scopes,
  CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired' ELSE 'active' END AS state,
  ${isoTimestamp('k.created_at')} AS created_at, ${isoTimestamp('k.expires_at')} AS expires_at, k.rate_limit,
  ${isoTimestamp('k.last_used_at')} AS last_used_at, k.prefix,
  (SELECT successor.id FROM api_key successor WHERE successor.replaces_id = k.id) AS replaced_by`;

/**
 * Returns the SQL that records a change of a key in the audit log. Use it in the statement that returns the changed row as `k`.
 *
 * @param related the id of another key that is involved, as SQL.
 */
export function auditKeyChange(by: string, operation: string, related?: Sql): Sql {
  const organization = sql`k.organization_id`;
  return auditOperator({ actor: by, operation, organization, record: sql`k.id`, related, from: sql`k` });
}

/** The input of {@link updateApiKey}. */
const apiKeyChanges = z
  .strictObject({ id: z.string(), name: requiredText().optional(), description: optionalText() })
  .refine(({ name, description }) => name !== undefined || description !== undefined, {
    error: 'required, or a description',
    path: ['name'],
  });

/** Options for creating a key. */
export interface NewKeyOptions {
  /** The secret key; by default, a new one is generated. */
  readonly key?: string;
  /** The id of the key. With an id chosen in advance, a repeated request does not create a second key. */
  readonly id?: string;
  /** The maximum number of active keys of the organization. */
  readonly maxActive?: number | undefined;
}

/**
 * Creates a key. Only a hash of it is stored: the secret is returned here and cannot be read later.
 *
 * @param by the actor, for the key's history.
 * @throws {ServiceError} `invalid_request`; `not_found` for the organization. {@link KeyAlreadyCreatedError}, {@link
 *   KeyLimitReachedError}.
 */
export async function createApiKey(
  { db }: Pick<Store, 'db'>,
  input: unknown,
  by: string,
  { key = newKey(), id = newId('key'), maxActive = DEFAULT_MAX_ACTIVE_KEYS }: NewKeyOptions = {},
): Promise<ApiKey & { key: string }> {
  const { organization_id, name, description, scopes, expires_in_days, rate_limit } = parseInput(newApiKey, input);
  return db.transaction(async (transaction) => {
    const active = await lockAndCountActiveKeys(transaction, organization_id);
    const [existing] = await transaction.rows(sql`SELECT id FROM api_key WHERE id = ${id}`);
    if (existing) throw new KeyAlreadyCreatedError();
    if (active >= maxActive) throw new KeyLimitReachedError(maxActive);
    const [record] = await transaction.rows<ApiKey>(sql`
      WITH k AS (
        INSERT INTO api_key (id, organization_id, name, description, hash, prefix, scopes, expires_at, rate_limit,
          created_by)
        VALUES (${id}, ${organization_id}, ${name}, ${description ?? null}, ${hashKey(key)}, ${keyPrefix(key)},
          ${[...new Set(scopes)]}::text[], now() + ${expires_in_days}::int * interval '1 day',
          ${rate_limit ?? null}::int, ${by})
        ON CONFLICT (id) DO NOTHING RETURNING *
      ), audited AS (${auditKeyChange(by, 'createApiKey')})
      SELECT ${apiKeyColumns} FROM k`);
    if (!record) throw new KeyAlreadyCreatedError();
    return { ...record, key };
  });
}

/** A key with this id already exists: the request was repeated. */
export class KeyAlreadyCreatedError extends ServiceError {
  constructor() {
    super('invalid_request', 'This API key was already created; a key is shown only once');
  }
}

/** Returns a key of an organization. @throws {ServiceError} `not_found`, also for keys of other organizations. */
export async function getApiKey(
  { db }: Pick<Store, 'db'>,
  { organization_id, id }: Pick<ApiKey, 'organization_id' | 'id'>,
): Promise<ApiKey> {
  const [key] = isId('key', id)
    ? await db.rows<ApiKey>(sql`
        SELECT ${apiKeyColumns} FROM api_key k WHERE k.organization_id = ${organization_id} AND k.id = ${id}`)
    : [];
  if (!key) throw notFound('API key');
  return key;
}

/** Lists the keys of an organization, oldest first. @throws {ServiceError} `not_found` for the organization. */
export async function listApiKeys({ db }: Pick<Store, 'db'>, organizationId: string): Promise<ApiKey[]> {
  await getOrganization({ db }, organizationId);
  return db.rows<ApiKey>(sql`
    SELECT ${apiKeyColumns} FROM api_key k WHERE k.organization_id = ${organizationId} ORDER BY k.created_at, k.id`);
}

/**
 * Changes the name or the description of a key, which may be revoked or expired.
 *
 * @param input.name unchanged if undefined.
 * @param input.description unchanged if undefined; null removes it.
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `invalid_request`, `not_found`.
 */
export async function updateApiKey({ db }: Pick<Store, 'db'>, input: unknown, by: string): Promise<ApiKey> {
  const { id, name, description } = parseInput(apiKeyChanges, input);
  const [key] = await db.write<ApiKey>(sql`
    WITH k AS (
      UPDATE api_key SET name = coalesce(${name ?? null}, name),
        description = CASE WHEN ${description === undefined} THEN description ELSE ${description ?? null} END
      WHERE id = ${id} RETURNING *
    ), audited AS (${auditKeyChange(by, 'updateApiKey')})
    SELECT ${apiKeyColumns} FROM k`);
  if (!key) throw notFound('API key');
  return key;
}

/**
 * Revokes a key immediately and permanently; its history is kept. Revoking a revoked key changes nothing.
 *
 * @throws {ServiceError} `not_found`.
 */
export async function revokeApiKey({ db }: Pick<Store, 'db'>, id: string, by: string): Promise<ApiKey> {
  const [key] = await db.write<ApiKey>(sql`
    WITH k AS (
      UPDATE api_key SET revoked_at = coalesce(revoked_at, now()),
        revoked_by = CASE WHEN revoked_at IS NULL THEN ${by} ELSE revoked_by END
      WHERE id = ${id} RETURNING *
    ), audited AS (${auditKeyChange(by, 'revokeApiKey')})
    SELECT ${apiKeyColumns} FROM k`);
  if (!key) throw notFound('API key');
  return key;
}

/** Returns the history of a key in chronological order, by the database's clock. @throws {ServiceError} `not_found`. */
export async function getApiKeyHistory({ db }: Pick<Store, 'db'>, id: string): Promise<ApiKeyEvent[]> {
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

/** Parses a comma-separated list of scopes, or `all`. @throws {ServiceError} `invalid_request`. */
export function parseScopes(text: string): Scope[] {
  const names = text
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
