import { MAX_SHORT_TEXT_CHARACTERS } from '../../../domain/values/limits.ts';
import { html } from '../../../pages/html.ts';
import type { HtmlPage } from '../../../pages/layout.ts';
import { SIGN_IN } from '../../paths.ts';
import { RETURN_FIELD } from '../../session/return-path.ts';
import { field, panelForm } from '../form.ts';
import { formPage, type Problem } from '../frame.ts';

/** The operator's sign-in name, in place of an email address. */
export const OPERATOR_NAME = 'operator';

interface SignInPage {
  /** The name of the previous attempt. */
  readonly name?: string;
  readonly notice?: string | undefined;
  readonly problems?: readonly Problem[];
  /** The path of the page that is shown after the sign-in; the start page if it is undefined. */
  readonly returnPath: string | undefined;
}

/** The sign-in form. */
export function signInPage({ name = '', notice, problems = [], returnPath }: SignInPage): HtmlPage {
  const page = {
    title: 'Sign in',
    main: html`
      <h1>Sign in to the developer pages</h1>
      <p class="lead">Create, monitor and revoke the API keys of your organization.</p>
      ${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
      ${panelForm(
        { path: SIGN_IN, submit: 'Sign in' },
        html`${
          returnPath !== undefined && html`<input type="hidden" name="${RETURN_FIELD}" value="${returnPath}">`
        }${field({
          id: 'name',
          label: 'Email address',
          attributes: html`value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="${MAX_SHORT_TEXT_CHARACTERS}"${name === '' && html` autofocus`}`,
          hint: html`As the operator, enter <code>${OPERATOR_NAME}</code>.`,
        })}${field({
          id: 'password',
          label: 'Password',
          attributes: html`type="password" autocomplete="current-password" required${name !== '' && html` autofocus`}`,
        })}`,
      )}
      <p class="muted">No account yet? Ask an administrator of your organization for an invitation. The operator sets a
        password with the link that the service prints when it starts, or that <code>./cms operator link</code> prints.</p>`,
  };
  return formPage(page, problems);
}
