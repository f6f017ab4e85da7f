import { listAdministrators } from '../domain/admin/administrator.ts';
import { listApiKeys } from '../domain/admin/api-key.ts';
import { listAudit } from '../domain/admin/audit-log.ts';
import { findOrganizations } from '../domain/admin/organization.ts';
import { type Parts, pathOf } from './parts.ts';
import { Refusal } from './refusal.ts';
import { historyPage } from './view/history.ts';
import { organizationsPage } from './view/organizations.ts';
import { createVisits, type Handler } from './visit.ts';

const SHOWN = 50;
const KEY_OPERATIONS = ['createApiKey', 'rotateApiKey', 'revokeApiKey'];

/** Choosing an organization, and what happened to its keys. */
export function createOrganizationPages(parts: Parts): Record<'choose' | 'history', Handler> {
  const { site, store } = parts;
  const { signedIn, inOrganization } = createVisits(parts);
  return {
    choose: signedIn(async (visit) => {
      const { c, who } = visit;
      if (who.kind === 'administrator') return c.redirect(pathOf(who.organization_id), 303);
      const q = c.req.query('q') ?? '';
      const found = await findOrganizations(store, { q, limit: SHOWN + 1 });
      const page = { q, organizations: found.slice(0, SHOWN), more: found.length > SHOWN };
      return site.respond(c, organizationsPage(visit, page));
    }),

    history: inOrganization(async (visit) => {
      const { c, organization } = visit;
      const before = beforeOf(c.req.query('before'));
      const query = { organization_id: organization.id, operations: KEY_OPERATIONS, before, limit: SHOWN + 1 };
      const entries = await listAudit(store, query);
      const administrators = await listAdministrators(store, organization.id);
      const names = new Map((await listApiKeys(store, organization.id)).map(({ id, name }) => [id, name]));
      const page = { entries: entries.slice(0, SHOWN), more: entries.length > SHOWN };
      return site.respond(c, historyPage(visit, { ...page, administrators, names }));
    }),
  };
}

function beforeOf(sent: string | undefined): number | undefined {
  if (sent === undefined) return undefined;
  const before = Number(sent);
  if (/^\d{1,15}$/.test(sent) && before > 0) return before;
  throw new Refusal(400, 'No such page', 'The history has pages by the number of an entry; follow its links.');
}
