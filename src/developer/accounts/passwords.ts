import type { Context } from 'hono';
import { changePassword } from '../../domain/accounts/password-change.ts';
import { findPasswordLink, signInByPasswordLink } from '../../domain/accounts/password-link.ts';
import type { SignedIn } from '../../domain/accounts/sign-in-session.ts';
import type { FieldError } from '../../domain/core/errors.ts';
import { isLocalClient } from '../../http/request/client-address.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import { chargeAttempt, requireAttempt } from '../attempts.ts';
import type { DeveloperContext } from '../context.ts';
import { invalidFieldsOf, readForm } from '../form.ts';
import { ACCOUNT, HOME } from '../paths.ts';
import { Refusal } from '../refusal.ts';
import { createVisits, type Routes, readSessionForm } from '../session/visit.ts';
import { accountName, accountPage, setPasswordPage } from '../view/accounts/passwords.ts';
import { startBrowserSession } from './sign-in.ts';
import { chargeSignIn, hashAccount } from './sign-in-attempts.ts';

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

/** @throws {Refusal} if the link is invalid, not for this browser, or if `OPERATOR_PASSWORD` replaces it. */
async function requireLink(context: DeveloperContext, c: Context<RequestEnv>, token: string): Promise<SignedIn> {
  const account = await findPasswordLink(context.store, token);
  if (!account) throw invalidLink();
  if (isPasswordConfigured(context, account)) throw setByEnvironment();
  const isLocal = isLocalClient(c.env?.incoming?.socket ?? {}, c.req.header('x-forwarded-for'));
  if (account.kind === 'operator' && !isLocal) {
    throw new Refusal(
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

function invalidLink(): Refusal {
  return new Refusal(
    404,
    'This link is no longer valid',
    'A link to set a password works once, for a limited time. If you have set your password already, sign in; otherwise, ask for another link.',
  );
}

function setByEnvironment(): Refusal {
  return new Refusal(
    409,
    'The operator’s password is set by OPERATOR_PASSWORD',
    'To change it, change this environment variable and restart the service.',
  );
}
