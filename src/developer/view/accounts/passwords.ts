import { MIN_PASSWORD_CHARACTERS } from '../../../domain/accounts/password.ts';
import type { SignedIn } from '../../../domain/accounts/sign-in-session.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/layout.ts';
import { CHANGE_PASSWORD, SET_PASSWORD } from '../../paths.ts';
import type { Visit } from '../../visit.ts';
import { field, panelForm, sessionForm } from '../form.ts';
import { doneNotice, problemNotice, signedInPage } from '../frame.ts';
import { OPERATOR_NAME } from './sign-in.ts';

/** The form that sets the password of the account of a link. */
export function setPasswordPage(token: string, account: SignedIn, problem?: string): Page {
  const name = account.kind === 'operator' ? OPERATOR_NAME : account.email;
  return {
    title: 'Set your password',
    main: html`
      <h1>Set your password</h1>
      <p class="lead">You then sign in as <strong>${name}</strong> with it.</p>
      ${problemNotice(problem)}
      ${panelForm(
        { path: SET_PASSWORD, submit: 'Set password and sign in' },
        html`<input type="hidden" name="token" value="${token}">${newPasswordField('Password', html` autofocus`)}`,
      )}`,
  };
}

/** The form that changes one's password. */
export function changePasswordPage(visit: Visit, problem?: string): Page {
  return signedInPage(visit, {
    title: 'Change your password',
    main: html`
      <h1>Change your password</h1>
      ${doneNotice(visit, 'changed', 'Your password was changed. All your other sessions have ended.')}
      ${problemNotice(problem)}
      ${sessionForm(
        visit,
        { path: CHANGE_PASSWORD, submit: 'Change password' },
        html`${field({
          id: 'current',
          label: 'Current password',
          attributes: html`type="password" autocomplete="current-password" required`,
        })}${newPasswordField('New password')}`,
      )}`,
  });
}

/** Without `maxlength`: browsers would truncate a longer password silently, and the account would have another one. */
function newPasswordField(label: string, focus?: Html): Html {
  return field({
    id: 'password',
    label,
    attributes: html`type="password" autocomplete="new-password" required minlength="${MIN_PASSWORD_CHARACTERS}"${focus}`,
    hint: `At least ${MIN_PASSWORD_CHARACTERS} characters.`,
  });
}
