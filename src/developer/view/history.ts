import type { Administrator } from '../../domain/accounts/administrator.ts';
import type { AuditEntry } from '../../domain/admin/audit-log.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../paths.ts';
import type { OrganizationVisit } from '../visit.ts';
import { formatActor } from './actor.ts';
import { organizationPage } from './frame.ts';
import { formatTime } from './moment.ts';

interface HistoryPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Whether there are older ones. */
  readonly more: boolean;
  readonly administrators: readonly Administrator[];
  /** The names of keys by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** The audit of an organization's keys. */
export function historyPage(visit: OrganizationVisit, { entries, more, administrators, names }: HistoryPage): Page {
  const id = visit.organization.id;
  const oldest = entries.at(-1)?.id;
  return organizationPage(visit, {
    title: 'History of API keys',
    main: html`
      <h1>History of API keys</h1>
      <p class="lead">Who created, edited, rotated and revoked keys, newest first. Entries cannot be changed.</p>
      ${
        entries.length === 0
          ? html`<p class="empty">There are no further entries.</p>`
          : html`<ol class="rows">${entries.map((entry) => row(id, entry, administrators, names))}</ol>`
      }
      ${more && html`<p class="after"><a href="${pathOf(id, 'history')}?before=${oldest}">Older</a></p>`}`,
  });
}

const ACTIONS: Record<string, string> = {
  createApiKey: 'Created',
  createRehearsalKey: 'Created for rehearsal',
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
  return html`<li><strong>${ACTIONS[operation]}</strong> ${
    record_id && html`<a href="${pathOf(organizationId, 'keys', record_id)}">${names.get(record_id) ?? record_id}</a>`
  } <span class="muted">${formatTime(at)} by ${formatActor(actor, administrators)}</span></li>`;
}
