import type { ApiKey } from '../../domain/admin/api-key.ts';
import type { DailyUsage } from '../../domain/admin/api-key-usage.ts';
import { ALL_SCOPES } from '../../domain/core/scopes.ts';
import { emptyHtml, type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../parts.ts';
import type { OrganizationVisit } from '../visit.ts';
import { organizationPage } from './frame.ts';
import { formatPrefix, isUsable, stateBadge } from './key-state.ts';
import { formatTime } from './moment.ts';
import { usageChart } from './usage-chart.ts';

/** The keys of an organization: active ones first, each newest first. */
export function keysPage(visit: OrganizationVisit, keys: readonly ApiKey[], usage: readonly DailyUsage[]): Page {
  const { organization } = visit;
  const daysOf = new Map(usage.map(({ key_id, days }) => [key_id, days]));
  const newest = [...keys].reverse();
  const list = (listed: readonly ApiKey[]) => html`
      <ul class="keys">${listed.map((key) => row(organization.id, key, daysOf.get(key.id) ?? []))}</ul>`;
  const [working, ended] = [newest.filter(isUsable), newest.filter((key) => !isUsable(key))];
  return organizationPage(visit, {
    title: `API keys of ${organization.name}`,
    main: html`
      <div class="heading">
        <h1>API keys</h1>
        <a class="button primary" href="${pathOf(organization.id, 'new-key')}">Create a key</a>
      </div>
      <p class="lead">Each key gives access to the records of ${organization.name}, as its scopes allow. Keep keys on
        your servers, not in web pages or apps.</p>
      ${working.length > 0 ? list(working) : html`<p class="empty">There are no active keys.</p>`}
      ${ended.length > 0 ? html`<h2>Inactive</h2>${list(ended)}` : emptyHtml}
      <p class="after"><a href="${pathOf(organization.id, 'history')}">History of all keys</a> ·
        <a href="${pathOf(organization.id, 'administrators')}">Administrators</a> ·
        <a href="${pathOf(organization.id, 'time-zone')}">Time zone</a>: ${organization.time_zone}</p>`,
  });
}

function row(organizationId: string, key: ApiKey, days: DailyUsage['days']): Html {
  const path = (...below: string[]) => pathOf(organizationId, 'keys', key.id, ...below);
  return html`
        <li class="key">
          <div class="about">
            <h3><a href="${path()}">${key.name}</a> ${stateBadge(key)}</h3>
            <p class="muted"><code>${formatPrefix(key)}</code> · ${formatScopes(key)}</p>
            <p class="muted">Last used ${key.last_used_at ? formatTime(key.last_used_at) : 'never'}${
              key.state === 'revoked' ? emptyHtml : html` · ${formatExpiry(key)}`
            }</p>
          </div>
          ${isUsable(key) ? usageChart(days) : emptyHtml}
          ${
            isUsable(key)
              ? html`<div class="actions">
            ${
              key.replaced_by === null
                ? html`<a class="button small" href="${path('rotate')}">Rotate<span class="visually-hidden"> ${key.name}</span></a>`
                : emptyHtml
            }
            <a class="button small danger" href="${path('revoke')}">Revoke<span class="visually-hidden"> ${key.name}</span></a>
          </div>`
              : emptyHtml
          }
        </li>`;
}

/** The expiry of a key. */
export function formatExpiry({ state, expires_at }: ApiKey): Html {
  if (state === 'revoked') return html`revoked`;
  if (expires_at === null) return html`never expires`;
  return html`${state === 'expired' ? 'expired' : 'expires'} ${formatTime(expires_at)}`;
}

function formatScopes({ scopes }: ApiKey): string {
  if (ALL_SCOPES.every((scope) => scopes.includes(scope))) return 'all scopes';
  return ALL_SCOPES.filter((scope) => scopes.includes(scope)).join(', ');
}
