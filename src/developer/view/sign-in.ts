import { html, nothing } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { SIGN_IN } from '../parts.ts';
import { problemNotice } from './frame.ts';

/** What the operator, who has no address, writes in its place. */
export const OPERATOR_NAME = 'operator';

interface SignInPage {
  /** Whether the operator can sign in. */
  readonly operator: boolean;
  /** What was written before. */
  readonly name?: string;
  readonly notice?: string;
  readonly problem?: string;
}

/** Where everybody signs in. */
export function signInPage({ operator, name = '', notice, problem }: SignInPage): Page {
  return {
    title: 'Sign in',
    main: html`
      <h1>Sign in to the developer page</h1>
      <p class="lead">Create, watch and revoke the API keys of your organization.</p>
      ${notice === undefined ? nothing : html`<p class="notice" role="status">${notice}</p>`}
      ${problemNotice(problem)}
      <form class="panel narrow" method="post" action="${SIGN_IN}">
        <div class="field">
          <label for="name">Email address</label>
          <input id="name" name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false"
            required maxlength="255" aria-describedby="name-hint">
          <p class="hint" id="name-hint">${
            operator
              ? html`As the operator, write <code>${OPERATOR_NAME}</code>.`
              : html`The operator cannot sign in: the setting <code>OPERATOR_PASSWORD</code> is not set.`
          }</p>
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required>
        </div>
        <button class="button primary">Sign in</button>
      </form>
      <p class="muted">No account yet? Whoever runs this service makes administrators on its command line:
        <code>cms admin create</code>.</p>`,
  };
}
