import { hash } from 'node:crypto';
import type { Context } from 'hono';
import { findSession, type OpenSession, type Sessions, type SignedIn } from '../domain/accounts/sign-in-session.ts';
import { type ApiKey, getApiKey } from '../domain/admin/api-key.ts';
import type { Organization } from '../domain/admin/organization.ts';
import { DEVELOPER_ACTOR } from '../domain/core/audit.ts';
import { notFound } from '../domain/core/errors.ts';
import { quantity } from '../domain/values/words.ts';
import { getWebhook, type Webhook } from '../domain/webhooks/webhook.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import type { Site } from '../pages/site.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Store } from '../store/store.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';
import { readSessionToken } from './cookies.ts';
import { CSRF_FIELD, PageError, readForm, requireSignature, type SubmittedForm } from './form-data.ts';
import { pathOf, signInPath } from './paths.ts';

/** The dependencies and settings of the developer pages. */
export interface DeveloperContext {
  readonly site: Pick<Site, 'respond' | 'baseAddress' | 'navigation'>;
  readonly store: Pick<Store, 'db' | 'prisma' | 'appSecret' | 'assertSupported'>;
  readonly rateLimiter: RateLimiter;
  /** Sign-ins, with the setting `OPERATOR_PASSWORD`. */
  readonly sessions: Sessions;
  /** The maximum number of active keys per organization; default: `DEFAULT_MAX_ACTIVE_KEYS`. */
  readonly maxActiveKeys?: number | undefined;
  readonly webhooks: Pick<Deliveries, 'allowsPrivate' | 'sendTest'>;
}

/** Maximum requests per session and minute, which end before the database is read. */
const REQUESTS_PER_MINUTE = 120;

/** Maximum POST requests per session and minute to the pages of an organization; more than a person needs. */
const CHANGES_PER_MINUTE = 30;

/** Maximum new keys per organization and minute: keys are never deleted. */
const NEW_KEYS_PER_MINUTE = 10;

/** A request of a signed-in user. */
export interface Visit extends OpenSession {
  readonly c: Context<RequestEnv>;
  /** The token of the session. */
  readonly token: string;
  /** The account in the histories of keys and in the audit log. */
  readonly actor: string;
}

/** A request for an organization that the user has access to. */
export interface OrganizationVisit extends Visit {
  readonly organization: Organization;
}

type HandlerResult = Response | Promise<Response>;
export type Handler = (c: Context<RequestEnv>) => Promise<Response>;

/** The handlers of pages, by path below `/developer` and method. */
export type Routes = Readonly<Record<string, Partial<Record<'GET' | 'POST', Handler>>>>;

/** Creates the functions that wrap handlers, which then get the user, organization and key of the request. */
export function createVisits({ site, store, rateLimiter, sessions }: DeveloperContext) {
  const charge = async (c: Context<RequestEnv>, budget: string, perMinute: number, title: string) =>
    requireAttempt(c, await chargeAttempt(rateLimiter, budget, perMinute), title);

  /** Charges a request of a session. @throws {PageError} */
  const chargeSession = (c: Context<RequestEnv>, what: 'requests' | 'changes', token: string, perMinute: number) =>
    charge(c, `${what}:${hash('sha256', token, 'base64url')}`, perMinute, `Too many ${what}`);

  /** Charges a new key or a rotation. @throws {PageError} */
  const chargeNewKey = ({ c, organization }: OrganizationVisit) =>
    charge(c, `new-keys:${organization.id}`, NEW_KEYS_PER_MINUTE, 'Too many new keys');

  /** Wraps handlers for signed-in users; others are redirected to the sign-in, which returns to the page. */
  const signedIn =
    (handler: (visit: Visit) => HandlerResult): Handler =>
    async (c) => {
      // A form can take seconds to arrive. Its session is checked afterwards, because it can end in the meantime.
      if (c.req.method === 'POST') await c.req.text();
      const token = readSessionToken(c, { site, store });
      if (token === undefined) return c.redirect(signInPath(c.req, false), 303);
      await chargeSession(c, 'requests', token, REQUESTS_PER_MINUTE);
      const session = await findSession(sessions, token, c.req.param('organization'));
      if (!session) return c.redirect(signInPath(c.req, true), 303);
      return handler({ c, token, ...session, actor: actorOf(session.account) });
    };

  /** Searches are POST requests too, so that a key that is searched for is in no URL. */
  const isSearch = ({ c, organization }: OrganizationVisit) => c.req.path === pathOf(organization.id);

  /** Wraps handlers for an organization, which is not found for administrators of another one. */
  const inOrganization = (handler: (visit: OrganizationVisit) => HandlerResult): Handler =>
    signedIn(async (visit) => {
      const { organization } = visit;
      if (!organization) throw notFound('Organization');
      const organizationVisit = { ...visit, organization };
      if (visit.c.req.method === 'POST' && !isSearch(organizationVisit)) {
        await chargeSession(visit.c, 'changes', visit.token, CHANGES_PER_MINUTE);
      }
      return handler(organizationVisit);
    });

  /** Wraps handlers for a key of the organization; keys never move to another one. */
  const inKey = (handler: (visit: OrganizationVisit, key: ApiKey) => HandlerResult): Handler =>
    inOrganization(async (visit) => {
      const ids = { organization_id: visit.organization.id, id: visit.c.req.param('key') ?? '' };
      return handler(visit, await getApiKey(store, ids));
    });

  /** Wraps handlers for a webhook of the organization. */
  const inWebhook = (handler: (visit: OrganizationVisit, webhook: Webhook) => HandlerResult): Handler =>
    inOrganization(async (visit) => {
      const ids = { organization_id: visit.organization.id, id: visit.c.req.param('webhook') ?? '' };
      return handler(visit, await getWebhook(store, ids));
    });

  return { signedIn, inOrganization, inKey, inWebhook, chargeNewKey };
}

function actorOf(account: SignedIn): string {
  return DEVELOPER_ACTOR + (account.kind === 'operator' ? 'operator' : account.id);
}

/** Parses a form and checks its CSRF token. @throws {PageError} */
export async function readSessionForm({ c, token }: Visit): Promise<SubmittedForm> {
  const form = await readForm(c);
  requireSignature(token, CSRF_FIELD, form.single(CSRF_FIELD));
  return form;
}

/** Rejections are at least this far apart, so that a client which ignores them does not occupy the process with them. */
const REJECTION_GAP_MS = 10;

/** The maximum time that a rejection waits; while more of them wait, they are sent together. */
const MAX_REJECTION_WAIT_MS = 1_000;

let nextRejectionAt = 0;

/** Waits until the next rejection is due. */
async function rejectionTurn(): Promise<void> {
  const now = performance.now();
  nextRejectionAt = Math.min(Math.max(nextRejectionAt + REJECTION_GAP_MS, now), now + MAX_REJECTION_WAIT_MS);
  await new Promise((resolve) => setTimeout(resolve, nextRejectionAt - now));
}

/**
 * Charges an attempt to a budget of `perMinute` attempts, which all instances share; a refused one waits for its turn.
 *
 * @returns the seconds until the next attempt is allowed; undefined if this one is.
 */
export async function chargeAttempt(
  limiter: RateLimiter,
  budget: string,
  perMinute: number,
): Promise<number | undefined> {
  const charge = await limiter.charge(budget, 1, perMinute);
  if (charge.allowed) return undefined;
  await rejectionTurn();
  return Math.max(1, Math.ceil(charge.resetInMs / 1_000));
}

/** Rejects an attempt with a {@link PageError} if `retryAfter`, the result of {@link chargeAttempt}, is defined. */
export function requireAttempt(
  c: Context<RequestEnv>,
  retryAfter: number | undefined,
  title = 'Too many attempts',
): void {
  if (retryAfter === undefined) return;
  c.header('Retry-After', String(retryAfter));
  throw new PageError(429, title, `Nothing was changed. Try again in ${quantity(retryAfter, 'second')}.`);
}
