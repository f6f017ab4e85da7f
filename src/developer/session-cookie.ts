import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { LONGEST_HOURS } from '../domain/session.ts';
import type { GateEnv } from '../gate/gate.ts';
import type { Site } from '../pages/site.ts';
import { HOME } from './parts.ts';

const NAME = 'cms_session';

/**
 * Over https the browser itself holds that the cookie comes from this host over https (`__Host-`). Lax, so that a link
 * in a mail leads to a key's page; what changes something is a POST with a proof.
 */
function kindOf(c: Context<GateEnv>, site: Pick<Site, 'baseAddress'>) {
  return site.baseAddress(c).startsWith('https:')
    ? ({ prefix: 'host', secure: true, path: '/' } as const)
    : ({ prefix: undefined, secure: false, path: HOME } as const);
}

/** The token that a browser sent. */
export function sentToken(c: Context<GateEnv>, site: Pick<Site, 'baseAddress'>): string | undefined {
  const { prefix } = kindOf(c, site);
  return prefix ? getCookie(c, NAME, prefix) : getCookie(c, NAME);
}

/** Gives a browser its token; no script can read it. */
export function giveToken(c: Context<GateEnv>, site: Pick<Site, 'baseAddress'>, token: string): void {
  const { prefix, ...attributes } = kindOf(c, site);
  const options = { ...attributes, httpOnly: true, sameSite: 'Lax', maxAge: LONGEST_HOURS * 3_600 } as const;
  setCookie(c, NAME, token, prefix ? { ...options, prefix } : options);
}

/** Takes it away. */
export function takeToken(c: Context<GateEnv>, site: Pick<Site, 'baseAddress'>): void {
  const { prefix, ...attributes } = kindOf(c, site);
  deleteCookie(c, NAME, prefix ? { ...attributes, prefix } : attributes);
}
