import { auditSignIn, type SignInOrigin } from '../core/audit.ts';
import { lockAccounts } from './account-password.ts';
import type { Administrator } from './administrator.ts';
import type { PasswordCheck } from './password-hash.ts';
import { type AccountIds, openSession, type Sessions } from './sign-in-session.ts';

/** A sign-in whose password was checked. */
export interface CheckedSignIn extends SignInOrigin, PasswordCheck {
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
