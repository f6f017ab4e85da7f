import type { Context } from 'hono';
import { changePassword } from '../../domain/accounts/password-change.ts';
import { findPasswordLink, signInByPasswordLink } from '../../domain/accounts/password-link.ts';
import type { SignedIn } from '../../domain/accounts/sign-in-session.ts';
import type { FieldError } from '../../domain/core/errors.ts';
import { quantity } from '../../domain/values/words.ts';
import { isLocalClient } from '../../http/request/client-address.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import type { DeveloperContext } from '../context.ts';
import { invalidFieldsOf, readForm } from '../form.ts';
import { chargeAttempt } from '../limit.ts';
import { HOME } from '../paths.ts';
import { Refusal } from '../refusal.ts';
import { changePasswordPage, setPasswordPage } from '../view/accounts/passwords.ts';
import { OPERATOR_NAME } from '../view/accounts/sign-in.ts';
import { createVisits, type Routes, readSessionForm } from '../visit.ts';
import { startBrowserSession } from './sign-in.ts';
import { chargeSignIn, hashAccount } from './sign-in-limit.ts';

/** Maximum number of links that a client address opens, and of its attempts to set a password with one. */
const LINKS_PER_MINUTE = 10;

/** The pages for setting a password with a link, and for changing a password. */
export function createPasswordPages(context: DeveloperContext): Routes {
  const { site, store, rateLimiter, operatorPassword } = context;
  const sessions = { prisma: store.prisma, operatorPassword };
  const { signedIn } = createVisits(context);

  return {
    '/set-password': {
      async GET(c) {
        await chargeLink(context, c, 'open');
        const token = c.req.query('token') ?? '';
        return site.respond(c, setPasswordPage(token, await requireLink(context, c, token)));
      },
      async POST(c) {
        const form = await readForm(c);
        await chargeLink(context, c, 'use');
        const token = form.single('token');
        const account = await requireLink(context, c, token);
        try {
          const signedIn = await signInByPasswordLink(sessions, token, form.single('password'));
          if (!signedIn) throw invalidLink();
          await startBrowserSession(c, context, nameOf(account), signedIn.session);
          return c.redirect(HOME, 303);
        } catch (error) {
          return site.respond(c, setPasswordPage(token, account, problemOf(invalidFieldsOf(error))), 422);
        }
      },
    },
    '/password': {
      GET: signedIn(async (visit) => {
        if (visit.account.kind === 'operator' && operatorPassword !== undefined) throw setByEnvironment();
        return site.respond(visit.c, changePasswordPage(visit));
      }),
      POST: signedIn(async (visit) => {
        const { c, account } = visit;
        if (account.kind === 'operator' && operatorPassword !== undefined) throw setByEnvironment();
        const form = await readSessionForm(visit);
        const name = nameOf(account);
        const attempt = { address: c.get('clientAddress'), accountHash: hashAccount(name), isKnownDevice: true };
        const retryAfter = await chargeSignIn(rateLimiter, attempt);
        if (retryAfter !== undefined) throw tooManyAttempts(c, retryAfter);
        const passwords = { current: form.single('current'), next: form.single('password') };
        try {
          await startBrowserSession(c, context, name, await changePassword(sessions, account, passwords));
          return c.redirect(`${HOME}/password?changed`, 303);
        } catch (error) {
          return site.respond(c, changePasswordPage(visit, problemOf(invalidFieldsOf(error))), 422);
        }
      }),
    },
  };
}

/** @throws {Refusal} if the link is invalid, not for this browser, or if `OPERATOR_PASSWORD` replaces it. */
async function requireLink(
  { store, operatorPassword }: DeveloperContext,
  c: Context<RequestEnv>,
  token: string,
): Promise<SignedIn> {
  const account = await findPasswordLink(store, token);
  if (!account) throw invalidLink();
  if (account.kind === 'operator' && operatorPassword !== undefined) throw setByEnvironment();
  if (account.kind === 'operator' && !isLocal(c)) {
    throw new Refusal(
      403,
      'Open this link on the service’s own machine',
      'The operator’s link works only in a browser on the machine that runs the service. Elsewhere, set OPERATOR_PASSWORD.',
    );
  }
  return account;
}

/** @throws {Refusal} if the client address has opened or used too many links. */
async function chargeLink(
  { rateLimiter }: DeveloperContext,
  c: Context<RequestEnv>,
  action: 'open' | 'use',
): Promise<void> {
  const budget = `password-link:${action}:${c.get('clientAddress')}`;
  const retryAfter = await chargeAttempt(rateLimiter, budget, LINKS_PER_MINUTE);
  if (retryAfter !== undefined) throw tooManyAttempts(c, retryAfter);
}

function isLocal(c: Context<RequestEnv>): boolean {
  return isLocalClient(c.env?.incoming?.socket ?? {}, c.req.header('x-forwarded-for'));
}

function nameOf(account: SignedIn): string {
  return account.kind === 'operator' ? OPERATOR_NAME : account.email;
}

function problemOf(details: readonly FieldError[]): string {
  return details
    .map(({ field, message }) => (field === 'current' ? `${message}.` : `The new password ${message}.`))
    .join(' ');
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

function tooManyAttempts(c: Context<RequestEnv>, retryAfter: number): Refusal {
  c.header('Retry-After', String(retryAfter));
  return new Refusal(429, 'Too many attempts', `Nothing was changed. Try again in ${quantity(retryAfter, 'second')}.`);
}
