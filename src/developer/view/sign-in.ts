import { emptyHtml, html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { SIGN_IN } from '../parts.ts';
import { problemNotice } from './frame.ts';

/** The operator's sign-in name, in place of an email address. */
export const OPERATOR_NAME = 'operator';

interface SignInPage {
  /** Whether the operator's sign-in is enabled. */
  readonly operator: boolean;
  /** The name of the previous attempt. */
  readonly name?: string;
  readonly notice?: string;
  readonly problem?: string;
}

/** The sign-in form. */
export function signInPage({ operator, name = '', notice, problem }: SignInPage): Page {
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
          <p class="hint" id="name-hint">${
            operator
              ? html`As the operator, enter <code>${OPERATOR_NAME}</code>.`
              : html`The operator cannot sign in, because <code>OPERATOR_PASSWORD</code> is not set.`
          }</p>
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required>
        </div>
        <button class="button primary">Sign in</button>
      </form>
      <p class="muted">No account yet? The operator of this service creates administrators on the command line:
        <code>cms admin create</code>.</p>`,
  };
}
