import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Prisma } from '../../store/generated/client.ts';
import { databaseTime, isoTimestamp, type Sql, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import type { Organization } from '../admin/organization.ts';
import { escapeLikePattern } from '../lists/search.ts';
import { isId } from '../values/ids.ts';
import { HOUR_MS } from '../values/time-zone.ts';
import type { Administrator } from './administrator.ts';

/** The account that is signed in to the developer pages. */
export type SignedIn = { readonly kind: 'operator' } | SignedInAdministrator;

interface SignedInAdministrator extends Pick<Administrator, 'id' | 'organization_id' | 'email' | 'name'> {
  readonly kind: 'administrator';
  /** Whether the sign-in was that of several accounts. */
  readonly hasOthers: boolean;
}

/**
 * The administrators with one address that a session opens, by id: those whose password was that of the sign-in. The first
 * one has the session. Undefined: the operator.
 */
export type AccountIds = readonly [string, ...string[]] | undefined;

/** The store of sessions, and the setting that they depend on. */
export interface Sessions extends Pick<Store, 'prisma'> {
  /** The setting `OPERATOR_PASSWORD`. If undefined, the operator has the password that was set with a link. */
  readonly operatorPassword: string | undefined;
}

/** {@link Sessions} that may be those of a transaction. */
export interface SessionsInTransaction extends Omit<Sessions, 'prisma'> {
  readonly prisma: Prisma.TransactionClient;
}

/** A session ends after this time, even if it is used. */
export const MAX_SESSION_HOURS = 12;
/** A session that is not used ends after this time. */
export const IDLE_MINUTES = 30;

/** The latest sessions of an administrator that remain; each has its own limit of requests. */
const MAX_SESSIONS = 10;

/** The first character of a token, by the kind of its account. */
const KINDS = { operator: 'o', administrator: 'a' } as const;
const TOKEN = /^[oa][\w-]{43}$/;

/**
 * Begins a session. Also deletes sessions that have ended, and the oldest of the administrator beyond {@link MAX_SESSIONS}.
 *
 * @returns its token, for the browser's cookie; only a hash of it is stored.
 */
export async function openSession(
  { prisma, operatorPassword }: SessionsInTransaction,
  ids: AccountIds,
): Promise<string> {
  const [administratorId = null, ...others] = ids ?? [];
  const token = (ids === undefined ? KINDS.operator : KINDS.administrator) + randomBytes(32).toString('base64url');
  const now = (await databaseTime(prisma)).getTime();
  // SQL, because Prisma Client cannot skip rows that another transaction is deleting, which could be a deadlock.
  await prisma.$executeRaw`
    DELETE FROM session WHERE token_hash IN (
      SELECT token_hash FROM session
      WHERE expires_at <= now() OR seen_at <= now() - ${IDLE_MINUTES}::int * interval '1 minute'
        OR token_hash IN (
          SELECT token_hash FROM session WHERE administrator_id = ${administratorId}
          ORDER BY created_at DESC OFFSET ${MAX_SESSIONS - 1})
      FOR UPDATE SKIP LOCKED
    )`;
  await prisma.session.create({
    data: {
      tokenHash: hashOfToken(token, operatorPassword),
      administratorId,
      otherAdministratorIds: others,
      expiresAt: new Date(now + MAX_SESSION_HOURS * HOUR_MS),
    },
  });
  return token;
}

/** Returns the account of a link: that of its administrator; without one, the operator's. */
export function accountOf({ administrator }: { administrator: Prisma.AdministratorModel | null }): SignedIn {
  if (administrator === null) return { kind: 'operator' };
  const { id, organizationId: organization_id, email, name } = administrator;
  return { kind: 'administrator', id, organization_id, email, name, hasOthers: false };
}

/** The condition that `session s` of `administrator own` opens `administrator a`, who still has the password of the sign-in. */
const IS_OPENED_BY_SESSION = sql`
  a.id = ANY(own.id || s.other_administrator_ids) AND a.revoked_at IS NULL
  AND (a.id = own.id OR a.password_hash = own.password_hash)`;

/** What a session opens. */
export interface OpenSession {
  /** The account in the organization; without an organization that the session opens, the account that signed in. */
  readonly account: SignedIn;
  /** The organization, if one was given and the session opens it. */
  readonly organization: Organization | undefined;
}

/** A session as {@link findSession} reads it. */
interface SessionRow extends Omit<SignedInAdministrator, 'kind'> {
  readonly isOperator: boolean;
  readonly isStale: boolean;
  readonly organization: Organization | null;
}

/**
 * Returns what a session opens; undefined if the session has ended or never existed, by the database's clock. Also records
 * the time of use, at most once a minute. One statement in SQL, because every request of the pages needs it.
 *
 * @param organizationId the organization that the request is for.
 */
export async function findSession(
  { prisma, operatorPassword }: Sessions,
  token: string,
  organizationId?: string,
): Promise<OpenSession | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const tokenHash = hashOfToken(token, operatorPassword);
  const requested = organizationId !== undefined && isId('org', organizationId) ? organizationId : null;
  const [session] = await prisma.$queryRaw<SessionRow[]>(sql`
    SELECT s.administrator_id IS NULL AS "isOperator", s.seen_at < now() - interval '1 minute' AS "isStale",
      cardinality(s.other_administrator_ids) > 0 AS "hasOthers", a.id, a.organization_id, a.email, a.name,
      CASE WHEN o.id IS NOT NULL THEN json_build_object('id', o.id, 'name', o.name, 'country', o.country,
        'time_zone', o.time_zone, 'created_at', ${isoTimestamp('o.created_at')}) END AS organization
    FROM session s
    LEFT JOIN administrator own ON own.id = s.administrator_id
    LEFT JOIN LATERAL (
      SELECT a.* FROM administrator a WHERE ${IS_OPENED_BY_SESSION} AND (a.id = own.id OR a.organization_id = ${requested})
      ORDER BY a.organization_id IS NOT DISTINCT FROM ${requested} DESC LIMIT 1
    ) a ON true
    LEFT JOIN organization o ON o.id = ${requested} AND (s.administrator_id IS NULL OR o.id = a.organization_id)
    WHERE s.token_hash = ${tokenHash} AND s.expires_at > now() AND own.revoked_at IS NULL
      AND s.seen_at > now() - ${IDLE_MINUTES}::int * interval '1 minute'`);
  if (!session) return undefined;
  const { isOperator, isStale, organization, ...account } = session;
  if (isStale) await prisma.$executeRaw`UPDATE session SET seen_at = now() WHERE token_hash = ${tokenHash}`;
  return {
    account: isOperator ? { kind: 'operator' } : { kind: 'administrator', ...account },
    organization: organization ?? undefined,
  };
}

/**
 * The administrators that a session of an administrator opens, without those whose password was changed since.
 *
 * @param token of a session that {@link findSession} returned.
 */
function openAdministrators(token: string): Sql {
  return sql`
    SELECT a.* FROM session s JOIN administrator own ON own.id = s.administrator_id JOIN administrator a ON ${IS_OPENED_BY_SESSION}
    WHERE s.token_hash = ${hashOfToken(token, undefined)}`;
}

/** Returns the ids of the administrators that a session opens, that of its own first. */
export async function findAccountIds(
  { prisma }: Pick<Sessions, 'prisma'>,
  token: string,
  { id }: Pick<Administrator, 'id'>,
): Promise<AccountIds> {
  const found = await prisma.$queryRaw<{ id: string }[]>(openAdministrators(token));
  return [id, ...found.flatMap((one) => (one.id === id ? [] : [one.id]))];
}

/** Finds the organizations that a session opens and whose name contains `q`, or with this id, sorted by name. */
export async function findOpenOrganizations(
  { prisma }: Pick<Sessions, 'prisma'>,
  token: string,
  { q, limit }: { readonly q: string; readonly limit: number },
): Promise<Pick<Organization, 'id' | 'name' | 'country'>[]> {
  return prisma.$queryRaw(sql`
    SELECT o.id, o.name, o.country FROM (${openAdministrators(token)}) AS a JOIN organization o ON o.id = a.organization_id
    WHERE o.name ILIKE ${`%${escapeLikePattern(q)}%`} OR o.id = ${q} ORDER BY o.name, o.id LIMIT ${limit}`);
}

/** Ends a session; does nothing if it has ended already. */
export async function closeSession({ prisma, operatorPassword }: Sessions, token: string): Promise<void> {
  if (TOKEN.test(token)) {
    await prisma.session.deleteMany({ where: { tokenHash: hashOfToken(token, operatorPassword) } });
  }
}

/**
 * 256 random bits need no salt. The hash of an operator's token includes the setting `OPERATOR_PASSWORD`, so that changing
 * it ends the operator's sessions.
 */
function hashOfToken(token: string, operatorPassword: string | undefined): Buffer<ArrayBuffer> {
  if (!token.startsWith(KINDS.operator)) return hash('sha256', token, 'buffer');
  return createHmac('sha256', operatorPassword ?? '')
    .update(token)
    .digest();
}
