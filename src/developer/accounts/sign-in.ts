import type { Context } from 'hono';
import { type CheckedSignIn, signIn } from '../../domain/accounts/account-password.ts';
import { checkAdministratorPassword } from '../../domain/accounts/administrator.ts';
import { checkOperatorPassword } from '../../domain/accounts/operator.ts';
import type { CheckOptions } from '../../domain/accounts/password.ts';
import { closeSession } from '../../domain/accounts/sign-in-session.ts';
import { quantity } from '../../domain/values/words.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import type { DeveloperContext } from '../context.ts';
import { readForm } from '../form.ts';
import { HOME, SIGN_IN } from '../paths.ts';
import { parseReturnPath, RETURN_FIELD } from '../session/return-path.ts';
import { clearSessionCookie, readSessionToken, setSessionCookie } from '../session/session-cookie.ts';
import { createVisits, type Routes, readSessionForm } from '../session/visit.ts';
import { OPERATOR_NAME, signInPage } from '../view/accounts/sign-in.ts';
import { isKnownDevice, setDeviceCookie } from './device-cookie.ts';
import { chargeSignIn, hashAccount } from './sign-in-attempts.ts';

/** The result of checking credentials. */
type Checked = Omit<CheckedSignIn, 'clientAddress' | 'requestId'>;

/** Notices above the form, by query parameter. */
const NOTICES = [
  ['ended', 'Your session has ended. Sign in again.'],
  ['signed-out', 'You have signed out.'],
] as const;

/** The pages for signing in and out. */
export function createSignIn(context: DeveloperContext): Routes {
  const { site, store, rateLimiter, sessions } = context;
  const { signedIn } = createVisits(context);

  /** Finds the account of a name and checks the password. */
  const check = async (name: string, password: string, options: CheckOptions): Promise<Checked> => {
    if (name.trim().toLowerCase() === OPERATOR_NAME) {
      return { isOperator: true, administrators: [], ...(await checkOperatorPassword(sessions, password, options)) };
    }
    return { isOperator: false, ...(await checkAdministratorPassword(store, name, password, options)) };
  };

  return {
    '/sign-in': {
      async GET(c) {
        const notice = NOTICES.find(([flag]) => c.req.query(flag) !== undefined)?.[1];
        return site.respond(c, signInPage({ notice, returnPath: parseReturnPath(c.req.query(RETURN_FIELD)) }));
      },
      async POST(c) {
        const form = await readForm(c);
        const [name, password] = [form.single('name'), form.single('password')];
        const returnPath = parseReturnPath(form.all(RETURN_FIELD)[0]);
        const accountHash = hashAccount(name);
        const isKnown = isKnownDevice(c, context, accountHash);
        const attempt = { address: c.get('clientAddress'), accountHash, isKnownDevice: isKnown };
        const retryAfter = await chargeSignIn(rateLimiter, attempt);
        if (retryAfter !== undefined) {
          c.header('Retry-After', String(retryAfter));
          const message = `Too many attempts. Try again in ${quantity(retryAfter, 'second')}`;
          return site.respond(c, signInPage({ name, problems: [{ message }], returnPath }), 429);
        }
        const origin = { clientAddress: c.get('clientAddress'), requestId: c.get('requestId') };
        const token = await signIn(sessions, { ...(await check(name, password, { isKnown })), ...origin });
        if (token === undefined) {
          const problems = [{ field: 'name', message: 'Email or password is incorrect' }];
          return site.respond(c, signInPage({ name, problems, returnPath }), 422);
        }
        await startBrowserSession(c, context, name, token);
        return c.redirect(returnPath ?? HOME, 303);
      },
    },
    '/sign-out': {
      POST: signedIn(async (visit) => {
        await readSessionForm(visit);
        await closeSession(sessions, visit.token);
        clearSessionCookie(visit.c, site);
        return visit.c.redirect(`${SIGN_IN}?signed-out`, 303);
      }),
    },
  };
}

/**
 * Sets the session and device cookies after a sign-in, and ends the browser's previous session. Each sign-in has a new
 * token, which prevents session fixation.
 */
export async function startBrowserSession(
  c: Context<RequestEnv>,
  context: DeveloperContext,
  name: string,
  token: string,
): Promise<void> {
  const previousToken = readSessionToken(c, context);
  if (previousToken !== undefined) await closeSession(context.sessions, previousToken);
  setSessionCookie(c, context, token);
  setDeviceCookie(c, context, hashAccount(name));
}
