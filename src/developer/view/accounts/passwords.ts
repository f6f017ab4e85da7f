import { MIN_PASSWORD_CHARACTERS } from '../../../domain/accounts/password.ts';
import type { SignedIn } from '../../../domain/accounts/sign-in-session.ts';
import type { FieldError } from '../../../domain/core/errors.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { HtmlPage } from '../../../pages/layout.ts';
import { ACCOUNT, SET_PASSWORD, SIGN_OUT } from '../../paths.ts';
import type { Visit } from '../../session/visit.ts';
import { csrfField, field, panelForm, problemOf, sessionForm } from '../form.ts';
import { doneNotice, formPage } from '../frame.ts';
import { OPERATOR_NAME } from './sign-in.ts';

/** The form that sets the password of the account of a link. */
export function setPasswordPage(token: string, account: SignedIn, problems: readonly FieldError[] = []): HtmlPage {
  const page = {
    title: 'Set your password',
    main: html`
      <h1>Set your password</h1>
      <p class="lead">You then sign in as <strong>${accountName(account)}</strong> with it.</p>
      ${panelForm(
        { path: SET_PASSWORD, submit: 'Set password and sign in' },
        html`<input type="hidden" name="token" value="${token}">${newPasswordField('Password', problems, html` autofocus`)}`,
      )}`,
  };
  return formPage(page, problems);
}

/** The account of the user: its name, the sign-out, and the form that changes the password, unless a setting has it. */
export function accountPage(
  visit: Visit,
  isPasswordConfigured: boolean,
  problems: readonly FieldError[] = [],
): HtmlPage {
  const page = {
    title: 'Your account',
    current: ACCOUNT,
    main: html`
      <h1>Your account</h1>
      <p class="lead">You are signed in as <strong>${accountName(visit.account)}</strong>.</p>
      <form class="actions" method="post" action="${SIGN_OUT}">${csrfField(visit)}<button class="button">Sign out</button></form>
      <h2>Change your password</h2>
      ${doneNotice(visit, 'changed', 'Your password was changed. All your other sessions have ended.')}
      ${
        isPasswordConfigured
          ? html`<p>The environment variable <code>OPERATOR_PASSWORD</code> is the operator’s password. To change it, change this
        variable and restart the service.</p>`
          : sessionForm(
              visit,
              { path: ACCOUNT, submit: 'Change password' },
              html`${field({
                id: 'current',
                label: 'Current password',
                attributes: html`type="password" autocomplete="current-password" required`,
                problem: problemOf(problems, 'current'),
              })}${newPasswordField('New password', problems)}`,
            )
      }`,
  };
  return formPage(page, problems);
}

/** The name with which an account signs in. */
export function accountName(account: SignedIn): string {
  return account.kind === 'operator' ? OPERATOR_NAME : account.email;
}

/** Without `maxlength`: browsers would truncate a longer password silently, and the account would have another one. */
function newPasswordField(label: string, problems: readonly FieldError[], focus?: Html): Html {
  return field({
    id: 'password',
    label,
    attributes: html`type="password" autocomplete="new-password" required minlength="${MIN_PASSWORD_CHARACTERS}"${focus}`,
    problem: problemOf(problems, 'password'),
    hint: `At least ${MIN_PASSWORD_CHARACTERS} characters.`,
  });
}
