import type { Prisma } from '../../store/generated/client.ts';
import { databaseTime, sql } from '../../store/sql.ts';
import { auditAccount, auditSignIn, type SignInRequest } from '../core/audit.ts';
import type { Administrator } from './administrator.ts';
import { type PasswordCheck, verifyPassword } from './password.ts';
import { type AccountIds, openSession, type Sessions } from './sign-in-session.ts';

/*
 * Transactions that depend on the password of an account lock the account first, then its links, then its sessions.
 * They all use this order to prevent deadlocks.
 */

/**
 * Locks accounts until the transaction ends; in SQL, because Prisma Client takes no locks.
 *
 * @param mode `change` to change the password; `read` to prevent others from changing it.
 * @returns the current hash of the first one's password; undefined if it has none, or the administrator was revoked; and
 *   those of the accounts that have this password, the first one first.
 */
export async function lockAccounts(
  tx: Prisma.TransactionClient,
  ids: AccountIds,
  mode: 'read' | 'change',
): Promise<{ readonly hash: string | undefined; readonly ids: AccountIds }> {
  const lock = mode === 'change' ? sql`FOR NO KEY UPDATE` : sql`FOR SHARE`;
  if (ids === undefined) {
    // Before the first password is set, the operator has no row to lock.
    if (mode === 'change') await tx.$executeRaw`LOCK TABLE operator IN SHARE ROW EXCLUSIVE MODE`;
    const [operator] = await tx.$queryRaw<{ password_hash: string }[]>(sql`SELECT password_hash FROM operator ${lock}`);
    return { hash: operator?.password_hash, ids };
  }
  const accounts = await tx.$queryRaw<{ id: string; password_hash: string | null }[]>(sql`
    SELECT id, password_hash FROM administrator WHERE id = ANY(${ids}::text[]) AND revoked_at IS NULL
    ORDER BY id ${lock}`);
  const hashOf = new Map(accounts.map(({ id, password_hash }) => [id, password_hash]));
  const [first, ...others] = ids;
  const hash = hashOf.get(first) ?? undefined;
  return { hash, ids: [first, ...others.filter((id) => hashOf.get(id) === hash)] };
}

/**
 * Sets the password of accounts, deletes their links and sessions, and begins a session. The accounts must be locked with
 * {@link lockAccounts} in the mode `change`.
 *
 * @returns the token of the new session.
 */
export async function replacePassword(
  tx: Prisma.TransactionClient,
  sessions: Sessions,
  ids: AccountIds,
  passwordHash: string,
): Promise<string> {
  const ofAccounts = { where: { administratorId: ids ? { in: [...ids] } : null } };
  if (ids === undefined) {
    const updatedAt = await databaseTime(tx);
    const create = { passwordHash, updatedAt };
    await tx.operator.upsert({ where: { id: 1 }, create, update: create });
  } else {
    await tx.administrator.updateMany({ where: { id: { in: [...ids] } }, data: { passwordHash } });
  }
  await tx.passwordLink.deleteMany(ofAccounts);
  await tx.session.deleteMany(ofAccounts);
  await auditAccount(tx, 'setPassword', ids);
  return openSession({ ...sessions, prisma: tx }, ids);
}

/**
 * Begins a session if the accounts already have this password. If a form is submitted twice at once, the first request
 * sets the password, and the second one finds it set.
 *
 * @param attempt.name the sign-in name.
 * @param attempt.hash the hash of the current password, see {@link lockAccounts}.
 * @returns the token of the session; undefined if the account has another password.
 * @throws {ServiceError} `unavailable` if the wait for the turn is too long.
 */
export async function openSessionIfPasswordMatches(
  sessions: Sessions,
  ids: AccountIds,
  attempt: { readonly name: string; readonly password: string; readonly hash: string | undefined },
): Promise<string | undefined> {
  const { name, password, hash } = attempt;
  if (hash === undefined || !(await verifyPassword(name, password, hash))) return undefined;
  return sessions.prisma.$transaction(async (tx) => {
    const current = await lockAccounts(tx, ids, 'read');
    return current.hash === hash ? openSession({ ...sessions, prisma: tx }, current.ids) : undefined;
  });
}

/** A sign-in whose password was checked. */
export interface CheckedSignIn extends SignInRequest, PasswordCheck {
  readonly isOperator: boolean;
  /**
   * Those with the password; if it is wrong, the first one with the address. Empty for the operator and for unknown
   * addresses.
   */
  readonly administrators: readonly Pick<Administrator, 'id' | 'organization_id'>[];
}

/**
 * Adds a sign-in to the audit log of each organization that it opens, and begins its session if the password is correct, in
 * one transaction.
 *
 * @returns the token of the session; undefined if the password is wrong, or was changed since it was checked.
 */
export function signIn(sessions: Sessions, checked: CheckedSignIn): Promise<string | undefined> {
  const { isOperator, administrators, isCorrect, hash } = checked;
  return sessions.prisma.$transaction(async (tx) => {
    const ids = isOperator ? undefined : (administrators.map(({ id }) => id) as unknown as AccountIds);
    const isConfigured = isOperator && sessions.operatorPassword !== undefined;
    const locked = isCorrect && !isConfigured ? await lockAccounts(tx, ids, 'read') : { hash, ids };
    const accepted = isCorrect && locked.hash === hash;
    const opened = accepted ? administrators.filter(({ id }) => locked.ids?.includes(id)) : administrators.slice(0, 1);
    await auditSignIn(tx, { ...checked, administrators: opened, accepted });
    return accepted ? openSession({ ...sessions, prisma: tx }, locked.ids) : undefined;
  });
}
