import { databaseTime } from '../../store/database-time.ts';
import type { Prisma } from '../../store/generated/client.ts';
import { sql } from '../../store/sql.ts';
import { auditAccount } from '../core/audit.ts';
import { verifyPassword } from './password-hash.ts';
import { openSession, type Sessions } from './sign-in-session.ts';

/*
 * Transactions that depend on the password of an account lock the account first, then its links, then its sessions.
 * They all use this order to prevent deadlocks.
 */

/**
 * Locks an account until the transaction ends; in SQL, because Prisma Client takes no locks.
 *
 * @param administratorId undefined: the operator.
 * @param mode `change` to change the password; `read` to prevent others from changing it.
 * @returns the current hash of its password; undefined if it has none, or the administrator was revoked.
 */
export async function lockAccount(
  tx: Prisma.TransactionClient,
  administratorId: string | undefined,
  mode: 'read' | 'change',
): Promise<string | undefined> {
  // Before the first password is set, the operator has no row to lock.
  if (administratorId === undefined && mode === 'change') {
    await tx.$executeRaw`LOCK TABLE operator IN SHARE ROW EXCLUSIVE MODE`;
  }
  const lock = mode === 'change' ? sql`FOR NO KEY UPDATE` : sql`FOR SHARE`;
  const [account] = await tx.$queryRaw<{ password_hash: string | null }[]>(
    administratorId === undefined
      ? sql`SELECT password_hash FROM operator ${lock}`
      : sql`SELECT password_hash FROM administrator WHERE id = ${administratorId} AND revoked_at IS NULL ${lock}`,
  );
  return account?.password_hash ?? undefined;
}

/**
 * Sets the password of an account, deletes its links and sessions, and begins a session. The account must be locked with
 * {@link lockAccount} in the mode `change`.
 *
 * @returns the token of the new session.
 */
export async function replacePassword(
  tx: Prisma.TransactionClient,
  sessions: Sessions,
  administratorId: string | undefined,
  passwordHash: string,
): Promise<string> {
  const ofAccount = { where: { administratorId: administratorId ?? null } };
  if (administratorId === undefined) {
    const updatedAt = await databaseTime(tx);
    const create = { passwordHash, updatedAt };
    await tx.operator.upsert({ where: { id: 1 }, create, update: create });
  } else {
    await tx.administrator.update({ where: { id: administratorId }, data: { passwordHash } });
  }
  await tx.passwordLink.deleteMany(ofAccount);
  await tx.session.deleteMany(ofAccount);
  await auditAccount(tx, 'setPassword', administratorId);
  return openSession({ ...sessions, prisma: tx }, administratorId);
}

/**
 * Begins a session if the account already has this password. If a form is submitted twice at once, the first request
 * sets the password, and the second one finds it set.
 *
 * @param hash the hash of the account's current password, see {@link lockAccount}.
 * @returns the token of the session; undefined if the account has another password.
 * @throws {ServiceError} `unavailable` if too many checks are queued.
 */
export async function openSessionIfPasswordMatches(
  sessions: Sessions,
  administratorId: string | undefined,
  password: string,
  hash: string | undefined,
): Promise<string | undefined> {
  if (hash === undefined || !(await verifyPassword(password, hash))) return undefined;
  return sessions.prisma.$transaction(async (tx) => {
    const isCurrent = (await lockAccount(tx, administratorId, 'read')) === hash;
    return isCurrent ? openSession({ ...sessions, prisma: tx }, administratorId) : undefined;
  });
}
