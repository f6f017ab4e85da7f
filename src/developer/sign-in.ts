import { checkAdministratorPassword } from '../domain/admin/administrator.ts';
import { closeSession, isOperatorPassword, openSession } from '../domain/admin/sign-in-session.ts';
import { auditSignIn, type SignInEntry } from '../domain/core/audit.ts';
import { giveDevice, isKnownDevice } from './device-cookie.ts';
import { readForm } from './form.ts';
import { writtenSeconds } from './limit.ts';
import { HOME, type Parts, SIGN_IN } from './parts.ts';
import { giveToken, sentToken, takeToken } from './session-cookie.ts';
import { accountOf, takeTry } from './sign-in-limit.ts';
import { OPERATOR_NAME, signInPage } from './view/sign-in.ts';
import { createVisits, type Handler, readFormOf } from './visit.ts';

/** What a sign-in came to. */
interface Account extends Pick<SignInEntry, 'organizationId' | 'account' | 'accepted'> {
  /** Undefined: the operator's account, or nobody's. */
  readonly administratorId: string | undefined;
}

/** Signing in and out. */
export function createSignIn(parts: Parts): Record<'show' | 'signIn' | 'signOut', Handler> {
  const { site, store, rateLimiter, operatorPassword } = parts;
  const sessions = { db: store.db, operatorPassword };
  const { signedIn } = createVisits(parts);
  const operator = operatorPassword !== undefined;

  /** Whose account a name means, and whether the password is right. */
  const check = async (name: string, password: string): Promise<Account> => {
    if (name.trim().toLowerCase() === OPERATOR_NAME) {
      const accepted = isOperatorPassword(password, operatorPassword);
      return { account: OPERATOR_NAME, administratorId: undefined, organizationId: undefined, accepted };
    }
    const { administrator, isRight } = await checkAdministratorPassword(store, name, password);
    const { id, organization_id } = administrator ?? {};
    return { account: id, administratorId: id, organizationId: organization_id, accepted: isRight };
  };

  /** Notes a sign-in and begins its session, both or neither. @returns the session's token; undefined if refused. */
  const begin = (c: Parameters<Handler>[0], { administratorId, ...account }: Account): Promise<string | undefined> =>
    store.db.transaction(async (db) => {
      await db.rows(auditSignIn({ ...account, clientAddress: c.get('clientAddress'), requestId: c.get('requestId') }));
      return account.accepted ? openSession({ db, operatorPassword }, administratorId) : undefined;
    });

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
        const problem = `Too many tries. Try again in ${writtenSeconds(retryAfter)}.`;
        return site.respond(c, signInPage({ operator, name, problem }), 429);
      }
      const token = await begin(c, await check(name, password));
      if (token === undefined) {
        const problem = 'This address and password do not belong together.';
        return site.respond(c, signInPage({ operator, name, problem }), 422);
      }
      // A new token each time: one that somebody else put into this browser is worth nothing.
      const before = sentToken(c, parts);
      if (before !== undefined) await closeSession(sessions, before);
      giveToken(c, parts, token);
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
