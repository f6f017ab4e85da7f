import type { Context } from 'hono';
import { LONGEST_HOURS } from '../domain/session.ts';
import type { GateEnv } from '../gate/gate.ts';
import type { Site } from '../pages/site.ts';
import { giveCookie, sentCookie, takeCookie } from './cookie.ts';
import { isProof, proofOf } from './form.ts';
import type { Parts } from './parts.ts';

const NAME = 'cms_session';

type CookieParts = Pick<Parts, 'site' | 'store'>;

/**
 * The token that a browser sent, if this service gave it: what others make up is not looked up, because that costs a
 * statement and needs no account.
 */
export function sentToken(c: Context<GateEnv>, { site, store }: CookieParts): string | undefined {
  const [token = '', proof = ''] = sentCookie(c, site, NAME)?.split('.') ?? [];
  return isProof(store.cursorSecret, toProve(token), proof) ? token : undefined;
}

/** Gives a browser its token. */
export function giveToken(c: Context<GateEnv>, { site, store }: CookieParts, token: string): void {
  giveCookie(c, site, NAME, sessionCookie(store.cursorSecret, token), LONGEST_HOURS);
}

/** The value of the cookie: the token, and the proof that the service gave it. */
export function sessionCookie(cursorSecret: Buffer, token: string): string {
  return `${token}.${proofOf(cursorSecret, toProve(token))}`;
}

function toProve(token: string): string {
  return `session ${token}`;
}

/** Takes it away. */
export function takeToken(c: Context<GateEnv>, site: Pick<Site, 'baseAddress'>): void {
  takeCookie(c, site, NAME);
}
