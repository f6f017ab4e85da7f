import type { SignedIn } from '../../../domain/accounts/sign-in-session.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/layout.ts';
import { CHANGE_PASSWORD, SET_PASSWORD } from '../../parts.ts';
import type { Visit } from '../../visit.ts';
import { csrfField, doneNotice, problemNotice, signedInPage } from '../frame.ts';
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
      <form class="panel narrow" method="post" action="${SET_PASSWORD}">
        <input type="hidden" name="token" value="${token}">
        ${newPasswordField('Password')}
        <button class="button primary">Set password and sign in</button>
      </form>`,
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
      <form class="panel narrow" method="post" action="${CHANGE_PASSWORD}">
        ${csrfField(visit)}
        <div class="field">
          <label for="current">Current password</label>
          <input id="current" name="current" type="password" autocomplete="current-password" required>
        </div>
        ${newPasswordField('New password')}
        <button class="button primary">Change password</button>
      </form>`,
  });
}

function newPasswordField(label: string): Html {
  return html`
        <div class="field">
          <label for="password">${label}</label>
          <input id="password" name="password" type="password" autocomplete="new-password" required minlength="12"
            maxlength="256" aria-describedby="password-hint">
          <p class="hint" id="password-hint">At least 12 characters.</p>
        </div>`;
}
