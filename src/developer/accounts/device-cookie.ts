import type { Context } from 'hono';
import type { RequestEnv } from '../../http/request/request-env.ts';
import type { DeveloperContext } from '../context.ts';
import { isValidSignature, sign } from '../form.ts';
import { getPageCookie, setPageCookie } from '../session/cookie.ts';
import { OPERATOR_NAME } from '../view/accounts/sign-in.ts';
import { hashAccount } from './sign-in-attempts.ts';

const NAME = 'cms_device';
const HOURS = 90 * 24;

/**
 * Sets a cookie that marks a browser which signed in to an account (OWASP, "device cookies"), so that failed sign-ins
 * by others cannot lock it out of this account. The cookie does not authenticate.
 */
export function setDeviceCookie(c: Context<RequestEnv>, context: DeveloperContext, accountHash: string): void {
  const expires = String(Date.now() + HOURS * 3_600_000);
  // Signed with the cursor secret, which all instances share.
  const signature = sign(context.store.cursorSecret, signedContent(context, accountHash, expires));
  setPageCookie(c, context.site, NAME, `${expires}.${signature}`, HOURS);
}

/** Whether a browser signed in to this account within the last 90 days. */
export function isKnownDevice(c: Context<RequestEnv>, context: DeveloperContext, accountHash: string): boolean {
  const [expires = '', signature = ''] = getPageCookie(c, context.site, NAME)?.split('.') ?? [];
  if (!/^\d{13}$/.test(expires) || Number(expires) <= Date.now()) return false;
  return isValidSignature(context.store.cursorSecret, signedContent(context, accountHash, expires), signature);
}

/**
 * The content that is signed. It includes the operator password, so that changing the password invalidates the
 * operator's device cookies.
 */
function signedContent({ sessions }: DeveloperContext, accountHash: string, expires: string): string {
  const password = accountHash === hashAccount(OPERATOR_NAME) ? (sessions.operatorPassword ?? '') : '';
  return ['device', accountHash, expires, password].join(' ');
}
