import type { Context } from 'hono';
import { MIN_PASSWORD_CHARACTERS } from '../../domain/accounts/password.ts';
import { changePassword } from '../../domain/accounts/password-change.ts';
import { findPasswordLink, signInByPasswordLink } from '../../domain/accounts/password-link.ts';
import type { SignedIn } from '../../domain/accounts/sign-in-session.ts';
import type { FieldError } from '../../domain/core/errors.ts';
import { isLocalClient } from '../../http/request/client-address.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import { type Html, html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/site.ts';
import { invalidFieldsOf, PageError, readForm } from '../form-data.ts';
import { csrfField, doneNotice, field, formPage, panelForm, problemOf, sessionForm } from '../page.ts';
import { ACCOUNT, HOME, SET_PASSWORD, SIGN_OUT } from '../paths.ts';
import {
  chargeAttempt,
  createVisits,
  type DeveloperContext,
  type Routes,
  readSessionForm,
  requireAttempt,
  type Visit,
} from '../visit.ts';
import { chargeSignIn, hashAccount, OPERATOR_NAME, startBrowserSession } from './sign-in.ts';

/** Maximum number of links that a client address opens, and of its attempts to set a password with one. */
const LINKS_PER_MINUTE = 10;

/** The page for setting a password with a link, and the page of the user's account. */
export function createPasswordPages(context: DeveloperContext): Routes {
  const { site, rateLimiter, sessions } = context;
  const { signedIn } = createVisits(context);
  const chargeLink = async (c: Context<RequestEnv>, action: 'open' | 'use') => {
    const budget = `password-link:${action}:${c.get('clientAddress')}`;
    requireAttempt(c, await chargeAttempt(rateLimiter, budget, LINKS_PER_MINUTE));
  };

  return {
    '/set-password': {
      async GET(c) {
        await chargeLink(c, 'open');
        const token = c.req.query('token') ?? '';
        return site.respond(c, setPasswordPage(token, await requireLink(context, c, token)));
      },
      async POST(c) {
        const form = await readForm(c);
        await chargeLink(c, 'use');
        const token = form.single('token');
        const account = await requireLink(context, c, token);
        try {
          const signedIn = await signInByPasswordLink(sessions, token, form.single('password'));
          if (!signedIn) throw invalidLink();
          await startBrowserSession(c, context, accountName(account), signedIn.session);
          return c.redirect(HOME, 303);
        } catch (error) {
          return site.respond(c, setPasswordPage(token, account, problemsOf(error)), 422);
        }
      },
    },
    '/account': {
      GET: signedIn(async (visit) =>
        site.respond(visit.c, accountPage(visit, isPasswordConfigured(context, visit.account))),
      ),
      POST: signedIn(async (visit) => {
        const { c, account } = visit;
        if (isPasswordConfigured(context, account)) throw setByEnvironment();
        const form = await readSessionForm(visit);
        const name = accountName(account);
        const attempt = { address: c.get('clientAddress'), accountHash: hashAccount(name), isKnownDevice: true };
        requireAttempt(c, await chargeSignIn(rateLimiter, attempt));
        const passwords = { current: form.single('current'), next: form.single('password') };
        try {
          await startBrowserSession(c, context, name, await changePassword(sessions, visit.token, account, passwords));
          return c.redirect(`${ACCOUNT}?changed`, 303);
        } catch (error) {
          return site.respond(c, accountPage(visit, false, problemsOf(error)), 422);
        }
      }),
    },
  };
}

/** @throws {PageError} if the link is invalid, not for this browser, or if `OPERATOR_PASSWORD` replaces it. */
async function requireLink(context: DeveloperContext, c: Context<RequestEnv>, token: string): Promise<SignedIn> {
  const account = await findPasswordLink(context.store, token);
  if (!account) throw invalidLink();
  if (isPasswordConfigured(context, account)) throw setByEnvironment();
  const isLocal = isLocalClient(c.env?.incoming?.socket ?? {}, c.req.header('x-forwarded-for'));
  if (account.kind === 'operator' && !isLocal) {
    throw new PageError(
      403,
      'Open this link on the service’s own machine',
      'The operator’s link works only in a browser on the machine that runs the service. Elsewhere, set OPERATOR_PASSWORD.',
    );
  }
  return account;
}

/** Whether a setting determines the password of an account, so that the pages cannot change it. */
function isPasswordConfigured({ sessions }: DeveloperContext, { kind }: SignedIn): boolean {
  return kind === 'operator' && sessions.operatorPassword !== undefined;
}

function problemsOf(error: unknown): readonly FieldError[] {
  return invalidFieldsOf(error).map(({ field, message }) =>
    field === 'current' ? { field, message } : { field: 'password', message: `The new password ${message}` },
  );
}

function invalidLink(): PageError {
  return new PageError(
    404,
    'This link is no longer valid',
    'A link to set a password works once, for a limited time. If you have set your password already, sign in; otherwise, ask for another link.',
  );
}

function setByEnvironment(): PageError {
  return new PageError(
    409,
    'The operator’s password is set by OPERATOR_PASSWORD',
    'To change it, change this environment variable and restart the service.',
  );
}

/** The form that sets the password of the account of a link. */
function setPasswordPage(token: string, account: SignedIn, problems: readonly FieldError[] = []): HtmlPage {
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
function accountPage(visit: Visit, isPasswordConfigured: boolean, problems: readonly FieldError[] = []): HtmlPage {
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
function accountName(account: SignedIn): string {
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
