import { createHmac, hash, randomBytes } from 'node:crypto';
import { databaseTime } from '../../store/database-time.ts';
import type { Prisma } from '../../store/generated/client.ts';
import type { Store } from '../../store/store.ts';
import { HOUR_MS, MINUTE_MS } from '../values/time-zone.ts';
import type { Administrator } from './administrator.ts';

/** The account that is signed in to the developer pages. */
export type SignedIn =
  | { readonly kind: 'operator' }
  | ({ readonly kind: 'administrator' } & Pick<Administrator, 'id' | 'organization_id' | 'email' | 'name'>);

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

/** The first character of a token, by the kind of its account. */
const KINDS = { operator: 'o', administrator: 'a' } as const;
const TOKEN = /^[oa][\w-]{43}$/;

/**
 * Begins a session. Also deletes sessions that have ended.
 *
 * @param administratorId undefined: the operator's session.
 * @returns its token, for the browser's cookie; only a hash of it is stored.
 */
export async function openSession(
  { prisma, operatorPassword }: SessionsInTransaction,
  administratorId: string | undefined,
): Promise<string> {
  const kind = administratorId === undefined ? KINDS.operator : KINDS.administrator;
  const token = kind + randomBytes(32).toString('base64url');
  const now = (await databaseTime(prisma)).getTime();
  // SQL, because Prisma Client cannot skip rows that another transaction is deleting, which could be a deadlock.
  await prisma.$executeRaw`
    DELETE FROM session WHERE token_hash IN (
      SELECT token_hash FROM session
      WHERE expires_at <= now() OR seen_at <= now() - ${IDLE_MINUTES}::int * interval '1 minute'
      FOR UPDATE SKIP LOCKED
    )`;
  await prisma.session.create({
    data: {
      tokenHash: hashOfToken(token, operatorPassword),
      administratorId: administratorId ?? null,
      expiresAt: new Date(now + MAX_SESSION_HOURS * HOUR_MS),
    },
  });
  return token;
}

/** Returns the account of a session or link: that of its administrator; without one, the operator's. */
export function accountOf({ administrator }: { administrator: Prisma.AdministratorModel | null }): SignedIn {
  if (administrator === null) return { kind: 'operator' };
  const { id, organizationId: organization_id, email, name } = administrator;
  return { kind: 'administrator', id, organization_id, email, name };
}

/**
 * Returns the account of a session; undefined if the session has ended or never existed, by the database's clock. Also
 * records the time of use, at most once a minute.
 */
export async function findSession(
  { prisma, operatorPassword }: Sessions,
  token: string,
): Promise<SignedIn | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const now = await databaseTime(prisma);
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
  const tokenHash = hashOfToken(token, operatorPassword);
  const session = await prisma.session.findUnique({
    where: { tokenHash, expiresAt: { gt: now }, seenAt: { gt: ago(IDLE_MINUTES) } },
    include: { administrator: true },
  });
  if (!session || session.administrator?.revokedAt) return undefined;
  if (session.seenAt < ago(1)) await prisma.session.updateMany({ where: { tokenHash }, data: { seenAt: now } });
  return accountOf(session);
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
