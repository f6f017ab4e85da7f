import type { ApiKey } from '../../domain/admin/api-key.ts';
import type { DailyUsage } from '../../domain/admin/api-key-usage.ts';
import { ALL_SCOPES } from '../../domain/core/scopes.ts';
import { type Html, html, nothing } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../parts.ts';
import type { OrganizationVisit } from '../visit.ts';
import { organizationPage } from './frame.ts';
import { prefixOf, stateBadge, works } from './key-state.ts';
import { moment } from './moment.ts';
import { usageChart } from './usage-chart.ts';

/** The keys of an organization: those that work first, the newest first. */
export function keysPage(visit: OrganizationVisit, keys: readonly ApiKey[], usage: readonly DailyUsage[]): Page {
  const { organization } = visit;
  const daysOf = new Map(usage.map(({ key_id, days }) => [key_id, days]));
  const newest = [...keys].reverse();
  const list = (some: readonly ApiKey[]) => html`
      <ul class="keys">${some.map((key) => row(organization.id, key, daysOf.get(key.id) ?? []))}</ul>`;
  const [working, ended] = [newest.filter(works), newest.filter((key) => !works(key))];
  return organizationPage(visit, {
    title: `API keys of ${organization.name}`,
    main: html`
      <div class="heading">
        <h1>API keys</h1>
        <a class="button primary" href="${pathOf(organization.id, 'new-key')}">Create a key</a>
      </div>
      <p class="lead">Each key opens the records of ${organization.name} alone, as far as its scopes say. Keep keys on
        your servers: not in web pages, not in apps.</p>
      ${working.length > 0 ? list(working) : html`<p class="empty">No key works at the moment.</p>`}
      ${ended.length > 0 ? html`<h2>Ended</h2>${list(ended)}` : nothing}
      <p class="after"><a href="${pathOf(organization.id, 'history')}">History of all keys</a></p>`,
  });
}

function row(organizationId: string, key: ApiKey, days: DailyUsage['days']): Html {
  const path = (...below: string[]) => pathOf(organizationId, 'keys', key.id, ...below);
  return html`
        <li class="key">
          <div class="about">
            <h3><a href="${path()}">${key.name}</a> ${stateBadge(key)}</h3>
            <p class="muted"><code>${prefixOf(key)}</code> · ${writtenScopes(key)}</p>
            <p class="muted">Last used ${key.last_used_at ? moment(key.last_used_at) : 'never'}${
              key.state === 'revoked' ? nothing : html` · ${ending(key)}`
            }</p>
          </div>
          ${works(key) ? usageChart(days) : nothing}
          ${
            works(key)
              ? html`<div class="actions">
            ${
              key.replaced_by === null
                ? html`<a class="button small" href="${path('rotate')}">Rotate<span class="visually-hidden"> ${key.name}</span></a>`
                : nothing
            }
            <a class="button small danger" href="${path('revoke')}">Revoke<span class="visually-hidden"> ${key.name}</span></a>
          </div>`
              : nothing
          }
        </li>`;
}

/** When a key ends, or ended. */
export function ending({ state, expires_at }: ApiKey): Html {
  if (state === 'revoked') return html`revoked`;
  if (expires_at === null) return html`never ends`;
  return html`${state === 'expired' ? 'ended' : 'ends'} ${moment(expires_at)}`;
}

function writtenScopes({ scopes }: ApiKey): string {
  if (ALL_SCOPES.every((scope) => scopes.includes(scope))) return 'all scopes';
  return ALL_SCOPES.filter((scope) => scopes.includes(scope)).join(', ');
}
