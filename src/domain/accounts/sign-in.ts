import { auditSignIn, type SignInEntry } from '../core/audit.ts';
import { lockAccount } from './account-password.ts';
import type { PasswordCheck } from './password-hash.ts';
import { openSession, type Sessions, type SessionsInTransaction } from './sign-in-session.ts';

/** A sign-in whose password was checked. */
export interface CheckedSignIn extends Omit<SignInEntry, 'accepted'>, PasswordCheck {
  /** Undefined for the operator and for unknown accounts. */
  readonly administratorId: string | undefined;
}

/**
 * Adds a sign-in to the audit log, and begins its session if the password is correct, in one transaction.
 *
 * @returns the token of the session; undefined if the password is wrong, or was changed since it was checked.
 */
export function signIn(
  sessions: Sessions,
  { administratorId, isCorrect, hash, ...entry }: CheckedSignIn,
): Promise<string | undefined> {
  return sessions.prisma.$transaction(async (tx) => {
    const inTransaction = { ...sessions, prisma: tx };
    const accepted = isCorrect && (await isCurrent(inTransaction, administratorId, hash));
    await auditSignIn(tx, { ...entry, accepted });
    return accepted ? openSession(inTransaction, administratorId) : undefined;
  });
}

/** Whether the account still has the password that was checked. Prevents changes of it until the transaction ends. */
async function isCurrent(
  { prisma, operatorPassword }: SessionsInTransaction,
  administratorId: string | undefined,
  hash: string | undefined,
): Promise<boolean> {
  if (administratorId === undefined && operatorPassword !== undefined) return true;
  return (await lockAccount(prisma, administratorId, 'read')) === hash;
}
