import type { Administrator } from '../../domain/admin/administrator.ts';
import type { ApiKey, ApiKeyEvent } from '../../domain/admin/api-key.ts';
import type { DailyUsage } from '../../domain/admin/api-key-usage.ts';
import { ALL_SCOPES, SCOPES } from '../../domain/core/scopes.ts';
import { type Html, html, nothing } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../parts.ts';
import type { OrganizationVisit } from '../visit.ts';
import { writtenActor } from './actor.ts';
import { organizationPage } from './frame.ts';
import { prefixOf, stateBadge, works } from './key-state.ts';
import { ending } from './keys.ts';
import { moment } from './moment.ts';
import { usageChart } from './usage-chart.ts';

interface KeyPage {
  readonly key: ApiKey;
  readonly history: readonly ApiKeyEvent[];
  readonly days: DailyUsage['days'];
  readonly administrators: readonly Administrator[];
}

/** All about one key, but the key itself. */
export function keyPage(visit: OrganizationVisit, { key, history, days, administrators }: KeyPage): Page {
  const path = (...below: string[]) => pathOf(visit.organization.id, 'keys', key.id, ...below);
  const open = ALL_SCOPES.filter((scope) => key.scopes.includes(scope));
  return organizationPage(visit, {
    title: key.name,
    main: html`
      <div class="heading">
        <h1>${key.name} ${stateBadge(key)}</h1>
        ${
          works(key)
            ? html`<div class="actions">
          ${key.replaced_by === null ? html`<a class="button" href="${path('rotate')}">Rotate</a>` : nothing}
          <a class="button danger" href="${path('revoke')}">Revoke</a>
        </div>`
            : nothing
        }
      </div>
      ${
        key.replaced_by === null
          ? nothing
          : html`<p class="notice">It was rotated: <a href="${pathOf(visit.organization.id, 'keys', key.replaced_by)}">another
        key</a> replaces it.</p>`
      }
      <dl class="facts">
        <div><dt>Begins with</dt><dd><code>${prefixOf(key)}</code></dd></div>
        <div><dt>Id</dt><dd><code>${key.id}</code></dd></div>
        <div><dt>Created</dt><dd>${moment(key.created_at)}</dd></div>
        <div><dt>Last used</dt><dd>${key.last_used_at ? moment(key.last_used_at) : 'never'}</dd></div>
        <div><dt>Validity</dt><dd>${ending(key)}</dd></div>
        <div><dt>Use, last ${days.length} days</dt><dd>${usageChart(days)}</dd></div>
      </dl>
      <h2>Scopes</h2>
      <ul class="rows">${open.map(
        (scope) => html`<li><code>${scope}</code> <span class="muted">${SCOPES[scope]}</span></li>`,
      )}</ul>
      <h2>History</h2>
      <ol class="rows">${history.map((event) => eventRow(visit, event, administrators))}</ol>`,
  });
}

const EVENTS: Record<ApiKeyEvent['event'], string> = {
  created: 'Created',
  first_used: 'First used',
  last_used: 'Last used',
  rotated: 'Rotated',
  expired: 'Expired',
  revoked: 'Revoked',
};

function eventRow(visit: OrganizationVisit, event: ApiKeyEvent, administrators: readonly Administrator[]): Html {
  const other = event.key_id && pathOf(visit.organization.id, 'keys', event.key_id);
  const relation = event.event === 'rotated' ? 'replaced by' : 'replacing';
  return html`<li><strong>${EVENTS[event.event]}</strong> ${moment(event.at)}${
    event.by === null ? nothing : html` <span class="muted">by ${writtenActor(event.by, administrators)}</span>`
  }${other ? html` <span class="muted">${relation} <a href="${other}">another key</a></span>` : nothing}</li>`;
}
