import { emptyHtml, html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/layout.ts';
import { SIGN_IN } from '../../parts.ts';
import { problemNotice } from '../frame.ts';

/** The operator's sign-in name, in place of an email address. */
export const OPERATOR_NAME = 'operator';

interface SignInPage {
  /** The name of the previous attempt. */
  readonly name?: string;
  readonly notice?: string | undefined;
  readonly problem?: string;
}

/** The sign-in form. */
export function signInPage({ name = '', notice, problem }: SignInPage): Page {
  return {
    title: 'Sign in',
    main: html`
      <h1>Sign in to the developer pages</h1>
      <p class="lead">Create, monitor and revoke the API keys of your organization.</p>
      ${notice === undefined ? emptyHtml : html`<p class="notice" role="status">${notice}</p>`}
      ${problemNotice(problem)}
      <form class="panel narrow" method="post" action="${SIGN_IN}">
        <div class="field">
          <label for="name">Email address</label>
          <input id="name" name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false"
            required maxlength="255" aria-describedby="name-hint">
          <p class="hint" id="name-hint">As the operator, enter <code>${OPERATOR_NAME}</code>.</p>
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required>
        </div>
        <button class="button primary">Sign in</button>
      </form>
      <p class="muted">No account yet? Ask an administrator of your organization for an invitation. The operator sets a
        password with the link that the service prints when it starts, or that <code>cms operator link</code> prints.</p>`,
  };
}
