import { findAdministratorByPassword } from '../domain/administrator.ts';
import { closeSession, isOperatorPassword, openSession } from '../domain/session.ts';
import { giveDevice, isKnownDevice } from './device-cookie.ts';
import { readForm } from './form.ts';
import { HOME, type Parts, SIGN_IN } from './parts.ts';
import { giveToken, sentToken, takeToken } from './session-cookie.ts';
import { accountOf, takeTry } from './sign-in-limit.ts';
import { OPERATOR_NAME, signInPage } from './view/sign-in.ts';
import { createVisits, type Handler, readFormOf } from './visit.ts';

/** Signing in and out. */
export function createSignIn(parts: Parts): Record<'show' | 'signIn' | 'signOut', Handler> {
  const { site, store, rateLimiter, operatorPassword } = parts;
  const sessions = { db: store.db, operatorPassword };
  const { signedIn } = createVisits(parts);
  const operator = operatorPassword !== undefined;

  /** Who has this name and password: an administrator's id, or undefined as the id of the operator. */
  const find = async (name: string, password: string): Promise<{ id: string | undefined } | undefined> => {
    if (name.trim().toLowerCase() !== OPERATOR_NAME) return findAdministratorByPassword(store, name, password);
    return isOperatorPassword(password, operatorPassword) ? { id: undefined } : undefined;
  };

  return {
    async show(c) {
      const ended = c.req.query('ended') !== undefined;
      return site.respond(
        c,
        signInPage({ operator, ...(ended ? { notice: 'Your session has ended. Sign in again.' } : {}) }),
      );
    },

    async signIn(c) {
      const form = await readForm(c);
      const [name, password] = [form.one('name'), form.one('password')];
      const account = accountOf(name);
      const known = isKnownDevice(c, parts, account);
      const retryAfter = await takeTry(rateLimiter, { address: c.get('clientAddress'), account, known });
      if (retryAfter !== undefined) {
        c.header('Retry-After', String(retryAfter));
        const problem = `Too many tries. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`;
        return site.respond(c, signInPage({ operator, name, problem }), 429);
      }
      const found = await find(name, password);
      if (!found) {
        const problem = 'This address and password do not belong together.';
        return site.respond(c, signInPage({ operator, name, problem }), 422);
      }
      // A new token each time: one that somebody else put into this browser is worth nothing.
      const before = sentToken(c, site);
      if (before !== undefined) await closeSession(sessions, before);
      giveToken(c, site, await openSession(sessions, found.id));
      giveDevice(c, parts, account);
      return c.redirect(HOME, 303);
    },

    signOut: signedIn(async (visit) => {
      await readFormOf(visit);
      await closeSession(sessions, visit.token);
      takeToken(visit.c, site);
      return visit.c.redirect(SIGN_IN, 303);
    }),
  };
}
