import { type Administrator, listAdministrators } from '../domain/accounts/administrator.ts';
import { findKeyNames } from '../domain/admin/api-key-list.ts';
import { type AuditEntry, listAudit } from '../domain/admin/audit-log.ts';
import { DEVELOPER_ACTOR } from '../domain/core/audit.ts';
import { decodeCursor, encodeCursor, type ListIdentity } from '../domain/cursors/cursor.ts';
import { formatRelative } from '../pages/dates.ts';
import { type Html, html } from '../pages/html.ts';
import type { HtmlPage } from '../pages/site.ts';
import { PageError } from './form-data.ts';
import { organizationPage } from './page.ts';
import { pathOf } from './paths.ts';
import { createVisits, type DeveloperContext, type OrganizationVisit, type Routes } from './visit.ts';

const PAGE_SIZE = 50;

/** The history of an organization's keys. */
export function createHistoryPages(context: DeveloperContext): Routes {
  const { site, store } = context;
  const { inOrganization } = createVisits(context);

  return {
    '/organizations/:organization/history': {
      GET: inOrganization(async (visit) => {
        const { c, organization } = visit;
        const key = c.req.query('key')?.replaceAll('\0', '') || undefined;
        const list = { organizationId: organization.id, list: 'key_history', search: undefined };
        const before = decodeBefore(store.appSecret, list, c.req.query('before'));
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
        const older = last && encodeCursor(store.appSecret, list, BigInt(last.id));
        const page = { entries: entries.slice(0, PAGE_SIZE), older, administrators, names, key };
        return site.respond(c, historyPage(visit, page));
      }),
    },
  };
}

/**
 * Decrypts the id of an entry, which is encrypted because ids count the entries of all organizations.
 *
 * @throws {PageError} if it is invalid.
 */
function decodeBefore(secret: Buffer, list: ListIdentity, cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  try {
    return Number(decodeCursor(secret, list, cursor).position);
  } catch {
    throw new PageError(400, 'No such page', 'The parameter “before” is invalid; use the links of the history.');
  }
}

interface HistoryPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** The query parameter of the page with older entries; undefined if there are none. */
  readonly older: string | undefined;
  readonly administrators: readonly Administrator[];
  /** The names of keys by id. */
  readonly names: ReadonlyMap<string, string>;
  /** The id of the key whose entries are shown; undefined for all keys. */
  readonly key: string | undefined;
}

/** The audit log of an organization's keys. */
function historyPage(visit: OrganizationVisit, page: HistoryPage): HtmlPage {
  const { entries, older, names, key } = page;
  const { id } = visit.organization;
  const olderQuery = new URLSearchParams({ ...(key && { key }), before: older ?? '' });
  return organizationPage(visit, {
    title: `History of ${visit.organization.name}`,
    main: html`
      <h1>History</h1>
      ${key && html`<p class="notice">Only of <a href="${pathOf(id, 'keys', key)}">${names.get(key) ?? key}</a>. <a href="${pathOf(id, 'history')}">Show all keys</a></p>`}
      <p class="lead">Who created, edited, rotated and revoked keys, newest first. Entries cannot be changed.</p>
      ${
        entries.length === 0
          ? html`<p class="empty">There are no further entries.</p>`
          : html`<ol class="rows">${entries.map((entry) => row(visit, entry, page))}</ol>`
      }
      ${older && html`<p class="after"><a href="${pathOf(id, 'history')}?${olderQuery}">Older</a></p>`}`,
  });
}

/** The operations on keys in the audit log, and how the history names them. */
const KEY_OPERATIONS: Readonly<Record<string, string>> = {
  createApiKey: 'Created',
  updateApiKey: 'Edited',
  rotateApiKey: 'Rotated',
  revokeApiKey: 'Revoked',
};

function row(
  { organization }: OrganizationVisit,
  { at, operation, record_id, related_id, actor }: AuditEntry,
  { administrators, names }: HistoryPage,
): Html {
  const link = (id: string) => html`<a href="${pathOf(organization.id, 'keys', id)}">${names.get(id) ?? id}</a>`;
  return html`<li><strong>${KEY_OPERATIONS[operation]}</strong> ${record_id && link(record_id)}${
    related_id && html` to ${link(related_id)}`
  } <span class="muted">${formatRelative(at, organization.time_zone)} by ${formatActor(actor, administrators)}</span></li>`;
}

/** The name of an actor; an id or user name if the administrator no longer exists. */
function formatActor(by: string | null, administrators: readonly Administrator[]): string {
  if (by === null) return '';
  if (!by.startsWith(DEVELOPER_ACTOR)) return by.replace(/^cli:(.+)$/, '$1, on the command line');
  const id = by.slice(DEVELOPER_ACTOR.length);
  const administrator = administrators.find((one) => one.id === id);
  return administrator ? (administrator.name ?? administrator.email) : id;
}
