import { invalidRequest, type ServiceError } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { lockAccounts, openSessionIfPasswordMatches, replacePassword } from './account-password.ts';
import { checkAdministratorPassword, parametersFor } from './administrator.ts';
import { checkOperatorPassword } from './operator.ts';
import { hashPassword, newPassword } from './password.ts';
import { findAccountIds, type Sessions, type SignedIn } from './sign-in-session.ts';

/**
 * Changes the password of an account in all organizations that its session opens, deletes its links and sessions, and
 * begins a session. Must not be called for the operator if `OPERATOR_PASSWORD` is set, because the new password would have
 * no effect.
 *
 * @param token of the session.
 * @returns the token of the new session.
 * @throws {ServiceError} `invalid_request` for the field `current` or the new password; `unavailable` if too many
 *   are waiting.
 */
export async function changePassword(
  sessions: Sessions,
  token: string,
  account: SignedIn,
  passwords: { readonly current: string; readonly next: string },
): Promise<string> {
  const isOperator = account.kind === 'operator';
  const name = isOperator ? 'operator' : account.email;
  const ids = isOperator ? undefined : await findAccountIds(sessions, token, account);
  const { isCorrect, hash } = isOperator
    ? await checkOperatorPassword(sessions, passwords.current, { isKnown: true })
    : await checkAdministratorPassword(sessions, name, passwords.current, { id: account.id, isKnown: true });
  if (!isCorrect) throw wrongPassword();
  const next = parseInput(newPassword, passwords.next);
  const parameters = isOperator ? undefined : await parametersFor(sessions.prisma, name, account.id);
  const newHash = await hashPassword(name, next, parameters);
  const { session, currentHash } = await sessions.prisma.$transaction(async (tx) => {
    // The password may have been changed since it was checked.
    const current = await lockAccounts(tx, ids, 'change');
    return current.hash === hash
      ? { session: await replacePassword(tx, sessions, current.ids, newHash), currentHash: newHash }
      : { session: undefined, currentHash: current.hash };
  });
  const attempt = { name, password: next, hash: currentHash };
  const opened = session ?? (await openSessionIfPasswordMatches(sessions, ids, attempt));
  if (opened === undefined) throw wrongPassword();
  return opened;
}

function wrongPassword(): ServiceError {
  return invalidRequest({ field: 'current', message: 'The current password is incorrect' });
}
