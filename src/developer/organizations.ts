import { listAdministrators } from '../domain/accounts/administrator.ts';
import { listApiKeys } from '../domain/admin/api-key.ts';
import { listAudit } from '../domain/admin/audit-log.ts';
import { findOrganizations, updateOrganization } from '../domain/admin/organization.ts';
import { decodeCursor, encodeCursor, type ListIdentity } from '../domain/cursors/cursor.ts';
import type { DeveloperContext } from './context.ts';
import { invalidFieldsOf } from './form.ts';
import { respondToKey } from './keys/find.ts';
import { HOME, pathOf } from './paths.ts';
import { Refusal } from './refusal.ts';
import { historyPage, KEY_OPERATIONS } from './view/history.ts';
import { organizationsPage } from './view/organizations.ts';
import { timeZonePage } from './view/time-zone.ts';
import { createVisits, type Routes, readSessionForm } from './visit.ts';

const PAGE_SIZE = 50;

/** The list of organizations, the history of an organization's keys, and its time zone. */
export function createOrganizationPages(context: DeveloperContext): Routes {
  const { site, store } = context;
  const { signedIn, inOrganization } = createVisits(context);
  return {
    '/': {
      GET: signedIn(async (visit) => {
        const { c, account } = visit;
        if (account.kind === 'administrator') return c.redirect(pathOf(account.organization_id), 303);
        const q = c.req.query('q') ?? '';
        const found = await findOrganizations(store, { q, limit: PAGE_SIZE + 1 });
        const page = { q, organizations: found.slice(0, PAGE_SIZE), more: found.length > PAGE_SIZE };
        return site.respond(c, organizationsPage(visit, page));
      }),
      POST: signedIn(async (visit) => {
        const q = (await readSessionForm(visit)).single('q');
        const path = `${HOME}?${new URLSearchParams({ q })}`;
        return (await respondToKey(context, visit, q)) ?? visit.c.redirect(path, 303);
      }),
    },
    '/organizations/:organization/history': {
      GET: inOrganization(async (visit) => {
        const { c, organization } = visit;
        const list = { organizationId: organization.id, list: 'key_history', search: undefined };
        const before = decodeBefore(store.cursorSecret, list, c.req.query('before'));
        const query = {
          organization_id: organization.id,
          operations: Object.keys(KEY_OPERATIONS),
          before,
          limit: PAGE_SIZE + 1,
        };
        const entries = await listAudit(store, query);
        const administrators = await listAdministrators(store, organization.id);
        const names = new Map((await listApiKeys(store, organization.id)).map(({ id, name }) => [id, name]));
        const last = entries.length > PAGE_SIZE ? entries[PAGE_SIZE - 1] : undefined;
        const older = last && encodeCursor(store.cursorSecret, list, BigInt(last.id));
        const page = { entries: entries.slice(0, PAGE_SIZE), older, administrators, names };
        return site.respond(c, historyPage(visit, page));
      }),
    },
    '/organizations/:organization/time-zone': {
      GET: inOrganization(async (visit) => site.respond(visit.c, timeZonePage(visit, visit.organization.time_zone))),
      POST: inOrganization(async (visit) => {
        const form = await readSessionForm(visit);
        const { id } = visit.organization;
        const time_zone = form.single('time_zone');
        try {
          await updateOrganization(store, { id, time_zone }, visit.actor);
        } catch (error) {
          const [invalid] = invalidFieldsOf(error);
          const problem = `The time zone ${invalid?.message}.`;
          return site.respond(visit.c, timeZonePage(visit, time_zone, problem), 422);
        }
        return visit.c.redirect(`${pathOf(id)}?time-zone`, 303);
      }),
    },
  };
}

/**
 * Decrypts the id of an entry, which is encrypted because ids count the entries of all organizations.
 *
 * @throws {Refusal} if it is invalid.
 */
function decodeBefore(secret: Buffer, list: ListIdentity, cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  try {
    return Number(decodeCursor(secret, list, cursor).position);
  } catch {
    throw new Refusal(400, 'No such page', 'The parameter “before” is invalid; use the links of the history.');
  }
}
