import { hash } from 'node:crypto';
import type { Context } from 'hono';
import { type CheckedSignIn, signIn } from '../../domain/accounts/account-password.ts';
import { checkAdministratorPassword } from '../../domain/accounts/administrator.ts';
import { checkOperatorPassword } from '../../domain/accounts/operator.ts';
import type { CheckOptions } from '../../domain/accounts/password.ts';
import { closeSession } from '../../domain/accounts/sign-in-session.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../domain/values/limits.ts';
import { couldFit } from '../../domain/values/text.ts';
import { quantity } from '../../domain/values/words.ts';
import { networkPrefix } from '../../http/request/client-address.ts';
import type { RequestEnv } from '../../http/request/request-env.ts';
import { html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/site.ts';
import type { RateLimiter } from '../../rate-limit/rate-limiter.ts';
import { clearSessionCookie, getPageCookie, readSessionToken, setPageCookie, setSessionCookie } from '../cookies.ts';
import { isValidSignature, readForm, sign } from '../form-data.ts';
import { field, formPage, type Problem, panelForm } from '../page.ts';
import { HOME, parseReturnPath, RETURN_FIELD, SIGN_IN } from '../paths.ts';
import { chargeAttempt, createVisits, type DeveloperContext, type Routes, readSessionForm } from '../visit.ts';

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
        clearSessionCookie(visit.c, context);
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
function signInPage({ name = '', notice, problems = [], returnPath }: SignInPage): HtmlPage {
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

/** Allowed sign-in attempts per minute. An account has those of a known browser, or of a network, and those of all networks. */
const ATTEMPTS_PER_MINUTE = { address: 10, network: 20, account: 5, accountInAll: 20 } as const;

export interface SignInAttempt {
  readonly address: string;
  readonly accountHash: string;
  /** Whether the browser signed in to this account before, see {@link isKnownDevice}. */
  readonly isKnownDevice: boolean;
}

/**
 * Returns a hash of the normalized sign-in name of an account, for budgets and device cookies. Names that are too long
 * belong to no account and are not normalized.
 */
export function hashAccount(name: string): string {
  const account = couldFit(MAX_SHORT_TEXT_CHARACTERS, name) ? name.normalize('NFKC').trim().toLowerCase() : name;
  return hash('sha256', account, 'base64url');
}

/**
 * Charges a sign-in attempt, before the password is checked, by client address, network and account: that of the network
 * before that of all networks, so that one network cannot use up an account's attempts from elsewhere. Attempts of known
 * browsers are counted separately and by account only, so that failed sign-ins by others cannot lock them out.
 *
 * @returns the seconds until the next attempt is allowed; undefined if this one is.
 */
export async function chargeSignIn(
  limiter: RateLimiter,
  { address, accountHash, isKnownDevice }: SignInAttempt,
): Promise<number | undefined> {
  const network = networkPrefix(address);
  const budgets = isKnownDevice
    ? [{ budget: `known:${accountHash}`, perMinute: ATTEMPTS_PER_MINUTE.account }]
    : [
        { budget: `address:${address}`, perMinute: ATTEMPTS_PER_MINUTE.address },
        { budget: `network:${network}`, perMinute: ATTEMPTS_PER_MINUTE.network },
        { budget: `account:${accountHash}:${network}`, perMinute: ATTEMPTS_PER_MINUTE.account },
        { budget: `account:${accountHash}`, perMinute: ATTEMPTS_PER_MINUTE.accountInAll },
      ];
  for (const { budget, perMinute } of budgets) {
    const retryAfter = await chargeAttempt(limiter, `sign-in:${budget}`, perMinute);
    if (retryAfter !== undefined) return retryAfter;
  }
  return undefined;
}

const DEVICE_COOKIE = 'cms_device';
const DEVICE_COOKIE_HOURS = 90 * 24;

/**
 * Sets a cookie that marks a browser which signed in to an account (OWASP, "device cookies"), so that failed sign-ins
 * by others cannot lock it out of this account. The cookie does not authenticate.
 */
function setDeviceCookie(c: Context<RequestEnv>, context: DeveloperContext, accountHash: string): void {
  const expires = String(Date.now() + DEVICE_COOKIE_HOURS * 3_600_000);
  // Signed with the cursor secret, which all instances share.
  const signature = sign(context.store.appSecret, deviceContent(context, accountHash, expires));
  setPageCookie(c, context, DEVICE_COOKIE, `${expires}.${signature}`, DEVICE_COOKIE_HOURS);
}

/** Whether a browser signed in to this account within the last 90 days. */
function isKnownDevice(c: Context<RequestEnv>, context: DeveloperContext, accountHash: string): boolean {
  const [expires = '', signature = ''] = getPageCookie(c, context, DEVICE_COOKIE)?.split('.') ?? [];
  if (!/^\d{13}$/.test(expires) || Number(expires) <= Date.now()) return false;
  return isValidSignature(context.store.appSecret, deviceContent(context, accountHash, expires), signature);
}

/**
 * The content that is signed. It includes the operator password, so that changing the password invalidates the
 * operator's device cookies.
 */
function deviceContent({ sessions }: DeveloperContext, accountHash: string, expires: string): string {
  const password = accountHash === hashAccount(OPERATOR_NAME) ? (sessions.operatorPassword ?? '') : '';
  return ['device', accountHash, expires, password].join(' ');
}
