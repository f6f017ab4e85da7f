import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { getOrganization, type Organization } from '../domain/admin/organization.ts';
import { findSession, type SignedIn } from '../domain/admin/sign-in-session.ts';
import { DEVELOPER_ACTOR } from '../domain/core/audit.ts';
import { notFound } from '../domain/core/errors.ts';
import type { RequestEnv } from '../http/request-env.ts';
import { type Form, PROOF, readForm, requireProof } from './form.ts';
import { takeOne, writtenSeconds } from './limit.ts';
import { type Parts, SIGN_IN } from './parts.ts';
import { sentToken } from './session-cookie.ts';
import { messagePage } from './view/message.ts';

/** How often a session may change something in a minute: more than anybody does by hand. */
const CHANGES_PER_MINUTE = 30;

/** A request of somebody who is signed in. */
export interface Visit {
  readonly c: Context<RequestEnv>;
  readonly token: string;
  readonly who: SignedIn;
  /** The same for histories and the audit. */
  readonly by: string;
}

/** The same, for one organization that they may see. */
export interface OrganizationVisit extends Visit {
  readonly organization: Organization;
}

type Answer = Response | Promise<Response>;
export type Handler = (c: Context<RequestEnv>) => Promise<Response>;

/** Handlers for those only who are signed in; all others are led to the sign-in. */
export function createVisits({ site, store, rateLimiter, operatorPassword }: Parts) {
  const signedIn =
    (handler: (visit: Visit) => Answer): Handler =>
    async (c) => {
      const token = sentToken(c, { site, store });
      const who = token === undefined ? undefined : await findSession({ db: store.db, operatorPassword }, token);
      if (token === undefined || !who) return c.redirect(token === undefined ? SIGN_IN : `${SIGN_IN}?ended`, 303);
      const by = DEVELOPER_ACTOR + (who.kind === 'operator' ? 'operator' : who.id);
      return handler({ c, token, who, by });
    };

  /** Counts a change of this session. @returns after how many seconds to try again; undefined when it is allowed. */
  const takeChange = ({ token }: Visit) =>
    takeOne(rateLimiter, `pages:${createHash('sha256').update(token).digest('base64url')}`, CHANGES_PER_MINUTE);

  /** Another organization's administrator is answered as if there were no such organization. */
  const inOrganization = (handler: (visit: OrganizationVisit) => Answer): Handler =>
    signedIn(async (visit) => {
      const id = visit.c.req.param('organization') ?? '';
      if (visit.who.kind === 'administrator' && visit.who.organization_id !== id) throw notFound('Organization');
      const retryAfter = visit.c.req.method === 'POST' ? await takeChange(visit) : undefined;
      if (retryAfter !== undefined) {
        visit.c.header('Retry-After', String(retryAfter));
        const right = `Nothing was changed. Try again in ${writtenSeconds(retryAfter)}.`;
        return site.respond(visit.c, messagePage('Too many changes', right), 429);
      }
      return handler({ ...visit, organization: await getOrganization(store, id) });
    });

  return { signedIn, inOrganization };
}

/** The form that a page of this session sent. @throws {Refusal} */
export async function readFormOf({ c, token }: Visit): Promise<Form> {
  const form = await readForm(c);
  requireProof(token, PROOF, form.one(PROOF));
  return form;
}
