import { listAdministrators } from '../domain/accounts/administrator.ts';
import { findOpenOrganizations } from '../domain/accounts/sign-in-session.ts';
import { findKeyNames } from '../domain/admin/api-key-list.ts';
import { listAudit } from '../domain/admin/audit-log.ts';
import { createOrganization, findOrganizations, updateOrganization } from '../domain/admin/organization.ts';
import { decodeCursor, encodeCursor, type ListIdentity } from '../domain/cursors/cursor.ts';
import { normalizeText } from '../domain/values/text.ts';
import type { DeveloperContext } from './context.ts';
import { type Form, invalidFieldsOf, readNewId } from './form.ts';
import { respondToKey } from './keys/find.ts';
import { HOME, pathOf } from './paths.ts';
import { Refusal } from './refusal.ts';
import { createVisits, type Routes, readSessionForm, type Visit } from './session/visit.ts';
import { historyPage, KEY_OPERATIONS } from './view/history.ts';
import { organizationsPage } from './view/organizations.ts';
import { newOrganizationPage, type OrganizationInput, settingsPage } from './view/settings.ts';

const PAGE_SIZE = 50;

/** The organizations, and the history and settings of each. */
export function createOrganizationPages(context: DeveloperContext): Routes {
  const { site, store, sessions } = context;
  const { signedIn, inOrganization } = createVisits(context);
  /** Wraps handlers of pages for the operator only; administrators are redirected to their organizations. */
  const asOperator = (handler: (visit: Visit) => Promise<Response>) =>
    signedIn(async (visit) => {
      return visit.account.kind === 'operator' ? handler(visit) : visit.c.redirect(HOME, 303);
    });
  return {
    '/': {
      GET: signedIn(async (visit) => {
        const { c, token, account } = visit;
        if (account.kind === 'administrator' && !account.hasOthers) {
          return c.redirect(pathOf(account.organization_id), 303);
        }
        const q = c.req.query('q');
        const search = { q: q ?? '', limit: PAGE_SIZE + 1 };
        const found = await (account.kind === 'operator'
          ? findOrganizations(store, search)
          : findOpenOrganizations(sessions, token, search));
        const [only] = found;
        if (only && found.length === 1 && q === undefined) return c.redirect(pathOf(only.id), 303);
        const page = { q: search.q, organizations: found.slice(0, PAGE_SIZE), more: found.length > PAGE_SIZE };
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
        const key = c.req.query('key')?.replaceAll('\0', '') || undefined;
        const list = { organizationId: organization.id, list: 'key_history', search: undefined };
        const before = decodeBefore(store.cursorSecret, list, c.req.query('before'));
        const query = {
          organization_id: organization.id,
          record_id: key,
          operations: Object.keys(KEY_OPERATIONS),
          before,
          limit: PAGE_SIZE + 1,
        };
        const entries = await listAudit(store, query);
        const administrators = await listAdministrators(store, organization.id);
        const ids = entries.flatMap(({ record_id, related_id }) =>
          [record_id ?? [], related_id ?? [], key ?? []].flat(),
        );
        const names = await findKeyNames(store, organization.id, ids);
        const last = entries.length > PAGE_SIZE ? entries[PAGE_SIZE - 1] : undefined;
        const older = last && encodeCursor(store.cursorSecret, list, BigInt(last.id));
        const page = { entries: entries.slice(0, PAGE_SIZE), older, administrators, names, key };
        return site.respond(c, historyPage(visit, page));
      }),
    },
    '/new-organization': {
      GET: asOperator((visit) =>
        site.respond(visit.c, newOrganizationPage(visit, { name: '', country: '', time_zone: 'UTC' })),
      ),
      POST: asOperator(async (visit) => {
        const form = await readSessionForm(visit);
        const input = readOrganization(form);
        const id = readNewId(visit.token, 'org', form);
        try {
          const { name } = await createOrganization(store, input, visit.actor, id);
          if (name !== normalizeText(input.name)) throw alreadyCreated(name);
          return visit.c.redirect(pathOf(id), 303);
        } catch (error) {
          return site.respond(visit.c, newOrganizationPage(visit, input, invalidFieldsOf(error)), 422);
        }
      }),
    },
    '/organizations/:organization/settings': {
      GET: inOrganization((visit) => site.respond(visit.c, settingsPage(visit, visit.organization))),
      POST: inOrganization(async (visit) => {
        const input = readOrganization(await readSessionForm(visit));
        try {
          const { id } = await updateOrganization(store, { id: visit.organization.id, ...input }, visit.actor);
          return visit.c.redirect(`${pathOf(id, 'settings')}?saved`, 303);
        } catch (error) {
          return site.respond(visit.c, settingsPage(visit, input, invalidFieldsOf(error)), 422);
        }
      }),
    },
  };
}

/** The refusal of a form that was sent again, after going back to it, with another name. */
function alreadyCreated(name: string): Refusal {
  return new Refusal(
    409,
    `“${name}” already exists`,
    'This form has created it. Open the form again to create another organization.',
  );
}

function readOrganization(form: Form): OrganizationInput {
  return { name: form.single('name'), country: form.single('country'), time_zone: form.single('time_zone') };
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
