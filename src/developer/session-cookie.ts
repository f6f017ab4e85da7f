import type { Context } from 'hono';
import { LONGEST_HOURS } from '../domain/session.ts';
import type { GateEnv } from '../gate/gate.ts';
import type { Site } from '../pages/site.ts';
import { giveCookie, sentCookie, takeCookie } from './cookie.ts';

const NAME = 'cms_session';

/** The token that a browser sent. */
export function sentToken(c: Context<GateEnv>, site: Pick<Site, 'baseAddress'>): string | undefined {
  return sentCookie(c, site, NAME);
}

/** Gives a browser its token. */
export function giveToken(c: Context<GateEnv>, site: Pick<Site, 'baseAddress'>, token: string): void {
  giveCookie(c, site, NAME, token, LONGEST_HOURS);
}

/** Takes it away. */
export function takeToken(c: Context<GateEnv>, site: Pick<Site, 'baseAddress'>): void {
  takeCookie(c, site, NAME);
}
