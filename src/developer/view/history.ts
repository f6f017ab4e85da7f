import type { Administrator } from '../../domain/accounts/administrator.ts';
import type { AuditEntry } from '../../domain/admin/audit-log.ts';
import { DEVELOPER_ACTOR } from '../../domain/core/audit.ts';
import { formatTime } from '../../pages/dates.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../paths.ts';
import type { OrganizationVisit } from '../visit.ts';
import { organizationPage } from './frame.ts';

interface HistoryPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** The query parameter of the page with older entries; undefined if there are none. */
  readonly older: string | undefined;
  readonly administrators: readonly Administrator[];
  /** The names of keys by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** The audit log of an organization's keys. */
export function historyPage(visit: OrganizationVisit, { entries, older, administrators, names }: HistoryPage): Page {
  const id = visit.organization.id;
  return organizationPage(visit, {
    title: `History of ${visit.organization.name}`,
    main: html`
      <h1>History</h1>
      <p class="lead">Who created, edited, rotated and revoked keys, newest first. Entries cannot be changed.</p>
      ${
        entries.length === 0
          ? html`<p class="empty">There are no further entries.</p>`
          : html`<ol class="rows">${entries.map((entry) => row(id, entry, administrators, names))}</ol>`
      }
      ${older && html`<p class="after"><a href="${pathOf(id, 'history')}?before=${older}">Older</a></p>`}`,
  });
}

/** The operations on keys in the audit log, and how the history names them. */
export const KEY_OPERATIONS: Readonly<Record<string, string>> = {
  createApiKey: 'Created',
  updateApiKey: 'Edited',
  rotateApiKey: 'Rotated',
  revokeApiKey: 'Revoked',
};

function row(
  organizationId: string,
  { at, operation, record_id, actor }: AuditEntry,
  administrators: HistoryPage['administrators'],
  names: HistoryPage['names'],
): Html {
  return html`<li><strong>${KEY_OPERATIONS[operation]}</strong> ${
    record_id && html`<a href="${pathOf(organizationId, 'keys', record_id)}">${names.get(record_id) ?? record_id}</a>`
  } <span class="muted">${formatTime(at)} by ${formatActor(actor, administrators)}</span></li>`;
}

/** The name of an actor; an id or user name if the administrator no longer exists. */
export function formatActor(by: string | null, administrators: readonly Administrator[]): string {
  if (by === null) return '';
  if (!by.startsWith(DEVELOPER_ACTOR)) return by.replace(/^cli:(.+)$/, '$1, on the command line');
  const id = by.slice(DEVELOPER_ACTOR.length);
  const administrator = administrators.find((one) => one.id === id);
  return administrator ? (administrator.name ?? administrator.email) : id;
}
