import { invalidRequest } from '../core/errors.ts';
import { checkAdministratorPassword } from './administrator.ts';
import { checkOperatorPassword } from './operator.ts';
import { createPasswordLink, usePasswordLink } from './password-link.ts';
import type { Sessions, SignedIn } from './sign-in-session.ts';

/** The link is used at once. */
const LINK_HOURS = 1;

/**
 * Changes the password of an account, and deletes its sessions.
 *
 * @throws {ServiceError} `invalid_request` for the field `current` or the new password; `unavailable` if too many
 *   passwords are being checked.
 */
export async function changePassword(
  sessions: Sessions,
  account: SignedIn,
  passwords: { readonly current: string; readonly next: string },
): Promise<void> {
  const id = account.kind === 'operator' ? undefined : account.id;
  // Before the check: whoever sets the password meanwhile deletes the link, and the checked password is no longer the current one.
  const token = await createPasswordLink(sessions, id, LINK_HOURS);
  const isRight =
    account.kind === 'operator'
      ? await checkOperatorPassword(sessions, passwords.current)
      : (await checkAdministratorPassword(sessions, account.email, passwords.current)).isRight;
  if (!isRight || !(await usePasswordLink(sessions, token, passwords.next))) {
    throw invalidRequest({ field: 'current', message: 'The current password is incorrect' });
  }
}
