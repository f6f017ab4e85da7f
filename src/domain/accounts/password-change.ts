import { invalidRequest, type ServiceError } from '../core/errors.ts';
import { parseInput } from '../core/parse-input.ts';
import { lockAccount, openSessionIfPasswordMatches, replacePassword } from './account-password.ts';
import { checkAdministratorPassword } from './administrator.ts';
import { checkOperatorPassword } from './operator.ts';
import { newPassword } from './password.ts';
import { hashPassword } from './password-hash.ts';
import type { Sessions, SignedIn } from './sign-in-session.ts';

/**
 * Changes the password of an account, deletes its links and sessions, and begins a session. Must not be called for the
 * operator if `OPERATOR_PASSWORD` is set, because the new password would have no effect.
 *
 * @returns the token of the new session.
 * @throws {ServiceError} `invalid_request` for the field `current` or the new password; `unavailable` if too many
 *   checks are queued.
 */
export async function changePassword(
  sessions: Sessions,
  account: SignedIn,
  passwords: { readonly current: string; readonly next: string },
): Promise<string> {
  const id = account.kind === 'operator' ? undefined : account.id;
  const { isCorrect, hash } =
    account.kind === 'operator'
      ? await checkOperatorPassword(sessions, passwords.current)
      : await checkAdministratorPassword(sessions, account.email, passwords.current, id);
  if (!isCorrect) throw wrongPassword();
  const newHash = await hashPassword(parseInput(newPassword, passwords.next));
  const { session, currentHash } = await sessions.prisma.$transaction(async (tx) => {
    // The password may have been changed since it was checked.
    const currentHash = await lockAccount(tx, id, 'change');
    return currentHash === hash
      ? { session: await replacePassword(tx, sessions, id, newHash), currentHash: newHash }
      : { session: undefined, currentHash };
  });
  const opened = session ?? (await openSessionIfPasswordMatches(sessions, id, passwords.next, currentHash));
  if (opened === undefined) throw wrongPassword();
  return opened;
}

function wrongPassword(): ServiceError {
  return invalidRequest({ field: 'current', message: 'The current password is incorrect' });
}
