import type { Context } from 'hono';
import type { RequestEnv } from '../http/request-env.ts';
import { getPageCookie, setPageCookie } from './cookie.ts';
import { isProof, proofOf } from './form.ts';
import type { Parts } from './parts.ts';
import { accountOf } from './sign-in-limit.ts';
import { OPERATOR_NAME } from './view/sign-in.ts';

const NAME = 'cms_device';
const HOURS = 90 * 24;

/**
 * Marks a browser as one in which somebody signed in to an account (OWASP, "device cookies"): what strangers try
 * does not keep it from signing in to this account again. It lets nobody in.
 */
export function giveDevice(c: Context<RequestEnv>, parts: Parts, account: string): void {
  const expires = String(Date.now() + HOURS * 3_600_000);
  // The secret of cursors is what all instances have in common and nobody else knows.
  const proof = proofOf(parts.store.cursorSecret, toProve(parts, account, expires));
  setPageCookie(c, parts.site, NAME, `${expires}.${proof}`, HOURS);
}

/** Whether a browser is one in which somebody signed in to this account. */
export function isKnownDevice(c: Context<RequestEnv>, parts: Parts, account: string): boolean {
  const [expires = '', proof = ''] = getPageCookie(c, parts.site, NAME)?.split('.') ?? [];
  if (!/^\d{13}$/.test(expires) || Number(expires) <= Date.now()) return false;
  return isProof(parts.store.cursorSecret, toProve(parts, account, expires), proof);
}

/** With another operator password, no browser is known as the operator's. */
function toProve({ operatorPassword }: Parts, account: string, expires: string): string {
  const password = account === accountOf(OPERATOR_NAME) ? (operatorPassword ?? '') : '';
  return ['device', account, expires, password].join(' ');
}
