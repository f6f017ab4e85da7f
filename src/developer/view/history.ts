import type { Administrator } from '../../domain/admin/administrator.ts';
import type { AuditEntry } from '../../domain/admin/audit-log.ts';
import { type Html, html, nothing } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../parts.ts';
import type { OrganizationVisit } from '../visit.ts';
import { writtenActor } from './actor.ts';
import { organizationPage } from './frame.ts';
import { moment } from './moment.ts';

interface HistoryPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Whether there are older ones. */
  readonly more: boolean;
  readonly administrators: readonly Administrator[];
  /** The names of keys by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

/** What was done to the keys of an organization, and by whom. */
export function historyPage(visit: OrganizationVisit, { entries, more, administrators, names }: HistoryPage): Page {
  const id = visit.organization.id;
  const oldest = entries.at(-1)?.id;
  return organizationPage(visit, {
    title: 'History of API keys',
    main: html`
      <h1>History of API keys</h1>
      <p class="lead">Who created, rotated and revoked keys, the latest first. Entries cannot be changed.</p>
      ${
        entries.length === 0
          ? html`<p class="empty">Nothing more happened.</p>`
          : html`<ol class="rows">${entries.map((entry) => row(id, entry, administrators, names))}</ol>`
      }
      ${more ? html`<p class="after"><a href="${pathOf(id, 'history')}?before=${oldest}">Older</a></p>` : nothing}`,
  });
}

const DONE: Record<string, string> = { createApiKey: 'Created', rotateApiKey: 'Rotated', revokeApiKey: 'Revoked' };

function row(
  organizationId: string,
  { at, operation, record_id, actor }: AuditEntry,
  administrators: HistoryPage['administrators'],
  names: HistoryPage['names'],
): Html {
  return html`<li><strong>${DONE[operation]}</strong> ${
    record_id && html`<a href="${pathOf(organizationId, 'keys', record_id)}">${names.get(record_id) ?? record_id}</a>`
  } <span class="muted">${moment(at)} by ${writtenActor(actor, administrators)}</span></li>`;
}
