import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { GateEnv } from '../gate/gate.ts';
import type { Site } from '../pages/site.ts';
import { HOME } from './parts.ts';

type Addressed = Pick<Site, 'baseAddress'>;

/**
 * Over https the browser itself holds that the cookie comes from this host over https (`__Host-`). Lax, so that a link
 * in a mail leads to a key's page; what changes something is a POST with a proof.
 */
function kindOf(c: Context<GateEnv>, site: Addressed) {
  return site.baseAddress(c).startsWith('https:')
    ? ({ prefix: 'host', secure: true, path: '/' } as const)
    : ({ prefix: undefined, secure: false, path: HOME } as const);
}

/** What a browser sent as a cookie of the developer page. */
export function sentCookie(c: Context<GateEnv>, site: Addressed, name: string): string | undefined {
  const { prefix } = kindOf(c, site);
  return prefix ? getCookie(c, name, prefix) : getCookie(c, name);
}

/** Gives a browser a cookie, for so many hours; no script can read it. */
export function giveCookie(c: Context<GateEnv>, site: Addressed, name: string, value: string, hours: number): void {
  const { prefix, ...attributes } = kindOf(c, site);
  const options = { ...attributes, httpOnly: true, sameSite: 'Lax', maxAge: hours * 3_600 } as const;
  setCookie(c, name, value, prefix ? { ...options, prefix } : options);
}

/** Takes a cookie away. */
export function takeCookie(c: Context<GateEnv>, site: Addressed, name: string): void {
  const { prefix, ...attributes } = kindOf(c, site);
  deleteCookie(c, name, prefix ? { ...attributes, prefix } : attributes);
}
