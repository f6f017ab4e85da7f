import { z } from 'zod';
import { Prisma } from '../../store/generated/client.ts';
import { databaseTime, isoTimestamp, type Sql, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { auditAction } from '../core/audit.ts';
import { invalidRequest, notFound, ServiceError } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { ALL_SCOPES, type Scope } from '../core/scopes.ts';
import { isId, newId } from '../values/ids.ts';
import { optionalText, requiredText } from '../values/text.ts';
import { quote } from '../values/words.ts';
import { DEFAULT_MAX_ACTIVE_KEYS, KeyLimitReachedError, lockAndCountActiveKeys } from './active-keys.ts';
import { hashKey, keyIn, keyPrefix, newKey } from './api-key-secret.ts';
import { readOrganization } from './organization.ts';

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

/** The ids by which functions find a key: one of another organization is not found. */
export type KeyIds = Pick<ApiKey, 'organization_id' | 'id'>;

/** The lifetimes of keys to choose from, in days (specification, "Authentication"). */
export const EXPIRY_DAYS = [30, 90, 365] as const;

type Records = Pick<Store, 'prisma'>;

/** The columns of an {@link ApiKey}, from `api_key k`. */
export const KEY_COLUMNS = sql`
  k.id, k.organization_id, k.name, k.description, k.scopes, k.rate_limit, k.prefix,
  CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired' ELSE 'active' END AS state,
  ${isoTimestamp('k.created_at')} AS created_at, ${isoTimestamp('k.expires_at')} AS expires_at,
  ${isoTimestamp('k.last_used_at')} AS last_used_at,
  (SELECT successor.id FROM api_key successor WHERE successor.replaces_id = k.id) AS replaced_by`;

/**
 * Reads the keys that meet a condition on `api_key k`, oldest first. In SQL, because Prisma Client takes three statements
 * to read keys, their successors and the time.
 */
function readKeys(prisma: Prisma.TransactionClient, condition: Sql): Promise<ApiKey[]> {
  return prisma.$queryRaw(sql`SELECT ${KEY_COLUMNS} FROM api_key k WHERE ${condition} ORDER BY k.created_at, k.id`);
}

/** Reads the key that meets a condition on `api_key k`. @throws {ServiceError} `not_found`. */
async function readKey(prisma: Prisma.TransactionClient, condition: Sql): Promise<ApiKey> {
  const [key] = await readKeys(prisma, condition);
  if (!key) throw notFound('API key');
  return key;
}

/** Reads a key of an organization. @throws {ServiceError} `not_found`. */
export function readKeyOf(prisma: Prisma.TransactionClient, { organization_id, id }: KeyIds): Promise<ApiKey> {
  return readKey(prisma, sql`k.organization_id = ${organization_id} AND k.id = ${id}`);
}

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
  { prisma }: Records,
  input: unknown,
  by: string,
  { key = newKey(), id = newId('key'), maxActive = DEFAULT_MAX_ACTIVE_KEYS }: NewKeyOptions = {},
): Promise<ApiKey & { key: string }> {
  const { organization_id, name, description, scopes, expires_in_days, rate_limit } = parseInput(newApiKey, input);
  return prisma.$transaction(async (tx) => {
    const active = await lockAndCountActiveKeys(tx, organization_id);
    // SQL, because Prisma Client cannot compute the expiry from the time of the database.
    const [created] = await tx.$queryRaw<ApiKey[]>(sql`
      WITH k AS (
        INSERT INTO api_key (id, organization_id, name, description, hash, prefix, scopes, expires_at, rate_limit, created_by)
        VALUES (${id}, ${organization_id}, ${name}, ${description ?? null}, ${hashKey(key)}, ${keyPrefix(key)},
          ${[...new Set(scopes)]}, now() + ${expires_in_days}::int * interval '24 hours', ${rate_limit ?? null}, ${by})
        ON CONFLICT DO NOTHING RETURNING *
      )
      SELECT ${KEY_COLUMNS} FROM k`);
    // Before the limit, because a repeated request has already created the key.
    if (!created) throw new KeyAlreadyCreatedError();
    if (active >= maxActive) throw new KeyLimitReachedError(maxActive);
    await auditAction(tx, { by, operation: 'createApiKey', organizationId: organization_id, recordId: id });
    return { ...created, key };
  });
}

/** A key with this id already exists: the request was repeated. */
export class KeyAlreadyCreatedError extends ServiceError {
  constructor() {
    super('invalid_request', 'This API key was already created; a key is shown only once');
  }
}

/** Returns a key of an organization. @throws {ServiceError} `not_found`, also for keys of other organizations. */
export async function getApiKey({ prisma }: Records, { organization_id, id }: KeyIds): Promise<ApiKey> {
  if (!isId('key', id)) throw notFound('API key');
  return readKeyOf(prisma, { organization_id, id });
}

/** Returns the ids of a key of any organization, for operators. @throws {ServiceError} `not_found`. */
export async function findKeyIds({ prisma }: Records, id: string): Promise<KeyIds> {
  const key = await prisma.apiKey.findUnique({ where: { id }, select: { organizationId: true } });
  if (!key) throw notFound('API key');
  return { organization_id: key.organizationId, id };
}

/**
 * Finds the key that a text contains, such as one that leaked; its state does not matter.
 *
 * @throws {ServiceError} `not_found`.
 */
export async function findApiKey({ prisma }: Records, text: string): Promise<ApiKey> {
  return readKey(prisma, sql`k.hash = ${hashKey(keyIn(text))}`);
}

/** Lists the keys of an organization, oldest first. @throws {ServiceError} `not_found` for the organization. */
export async function listApiKeys({ prisma }: Records, organizationId: string): Promise<ApiKey[]> {
  await readOrganization({ prisma }, organizationId);
  return readKeys(prisma, sql`k.organization_id = ${organizationId}`);
}

/** The input of {@link updateApiKey}. */
const apiKeyChanges = z
  .strictObject({
    organization_id: z.string(),
    id: z.string(),
    name: requiredText().optional(),
    description: optionalText(),
  })
  .refine(({ name, description }) => name !== undefined || description !== undefined, {
    error: 'required, or a description',
    path: ['name'],
  });

/**
 * Changes the name or the description of a key, which may be revoked or expired.
 *
 * @param input.name unchanged if undefined.
 * @param input.description unchanged if undefined; null removes it.
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `invalid_request`, `not_found`.
 */
export async function updateApiKey({ prisma }: Records, input: unknown, by: string): Promise<ApiKey> {
  const { organization_id: organizationId, id, ...changes } = parseInput(apiKeyChanges, input);
  const { name = Prisma.skip, description = Prisma.skip } = changes;
  return prisma.$transaction(async (tx) => {
    await tx.apiKey.updateMany({ where: { organizationId, id }, data: { name, description } });
    const key = await readKeyOf(tx, { organization_id: organizationId, id });
    await auditAction(tx, { by, operation: 'updateApiKey', organizationId, recordId: id });
    return key;
  });
}

/**
 * Revokes a key immediately and permanently; its history is kept. Revoking a revoked key changes nothing.
 *
 * @throws {ServiceError} `not_found`.
 */
export async function revokeApiKey(
  { prisma }: Records,
  { organization_id: organizationId, id }: KeyIds,
  by: string,
): Promise<ApiKey> {
  return prisma.$transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE api_key SET revoked_at = now(), revoked_by = ${by}
      WHERE organization_id = ${organizationId} AND id = ${id} AND revoked_at IS NULL`;
    const key = await readKeyOf(tx, { organization_id: organizationId, id });
    await auditAction(tx, { by, operation: 'revokeApiKey', organizationId, recordId: id });
    return key;
  });
}

/** An event in the history of a key, and the actor, if any. */
export interface ApiKeyEvent {
  readonly event: 'created' | 'first_used' | 'last_used' | 'rotated' | 'expired' | 'revoked';
  readonly at: string;
  readonly by: string | null;
  /** For `rotated`, the key that replaces this one; for `created`, the key that this one replaces. */
  readonly key_id?: string;
}

/** Returns the history of a key in chronological order, by the database's clock. @throws {ServiceError} `not_found`. */
export async function getApiKeyHistory(
  { prisma }: Records,
  { organization_id: organizationId, id }: KeyIds,
): Promise<ApiKeyEvent[]> {
  const key = await prisma.apiKey.findUnique({ where: { organizationId, id } });
  if (!key) throw notFound('API key');
  const successor = await prisma.apiKey.findUnique({ where: { organizationId, replacesId: id } });
  const isExpired = key.expiresAt !== null && key.expiresAt <= (await databaseTime(prisma));
  const events: readonly [ApiKeyEvent['event'], Date | null | undefined, string | null, string | null][] = [
    ['created', key.createdAt, key.createdBy, key.replacesId],
    ['first_used', key.firstUsedAt, null, null],
    ['last_used', key.lastUsedAt, null, null],
    ['rotated', successor?.createdAt, successor?.createdBy ?? null, successor?.id ?? null],
    ['expired', isExpired ? key.expiresAt : null, null, null],
    ['revoked', key.revokedAt, key.revokedBy, null],
  ];
  return events
    .flatMap(([event, time, by, key_id]) => {
      if (!time) return [];
      return [{ event, at: time.toISOString(), by, ...(key_id === null ? {} : { key_id }) }];
    })
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
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
