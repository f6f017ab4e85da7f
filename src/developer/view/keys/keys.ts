import type { ApiKey } from '../../../domain/admin/api-key.ts';
import type { DailyUsage } from '../../../domain/admin/api-key-usage.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../../domain/core/limits.ts';
import { ALL_SCOPES } from '../../../domain/core/scopes.ts';
import { formatTime } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../visit.ts';
import { csrfField } from '../form.ts';
import { organizationPage } from '../frame.ts';
import { expiresSoonBadge, formatPrefix, isUsable, stateBadge } from './key-state.ts';
import { CHART_DAYS, formatCount, maximumOf, usageChart } from './usage-chart.ts';

interface KeysPage {
  /** Oldest first. */
  readonly keys: readonly ApiKey[];
  readonly usage: readonly DailyUsage[];
  /** The filter: text in the name, description or prefix of the listed keys; empty for all keys. */
  readonly q: string;
  /** The number of the page, from 1. */
  readonly page: number;
}

/** The keys on one page, so that its size does not depend on the number of keys. */
const PAGE_SIZE = 15;

/** A page of the keys of an organization: active ones first, each newest first. */
export function keysPage(visit: OrganizationVisit, { keys, usage, q, page }: KeysPage): Page {
  const { organization } = visit;
  const daysOf = new Map(usage.map(({ key_id, days }) => [key_id, days]));
  const newestFirst = keys.filter((key) => matches(key, q)).reverse();
  const usable = newestFirst.filter(isUsable);
  const maximum = maximumOf(usable.flatMap(({ id }) => daysOf.get(id) ?? []));
  const sorted = [...usable, ...newestFirst.filter((key) => !isUsable(key))];
  const start = PAGE_SIZE * Math.max(0, Math.min(page, Math.ceil(sorted.length / PAGE_SIZE)) - 1);
  const shown = sorted.slice(start, start + PAGE_SIZE);
  const [active, inactive] = [shown.filter(isUsable), shown.filter((key) => !isUsable(key))];
  const list = (listed: readonly ApiKey[]) => html`
      <ul class="keys">${listed.map((key) => row(organization.id, key, daysOf.get(key.id) ?? [], maximum))}</ul>`;
  return organizationPage(visit, {
    title: `API keys of ${organization.name}`,
    main: html`
      <div class="heading">
        <h1>API keys</h1>
        <a class="button primary" href="${pathOf(organization.id, 'new-key')}">Create a key</a>
      </div>
      <p class="lead">Each key gives access to the records of <bdi>${organization.name}</bdi>, as its scopes allow. Keep keys on
        your servers, not in web pages or apps.</p>
      ${keys.length > 0 && filter(visit, q)}
      ${active.length > 0 && html`<h2>Active</h2>${scale(maximum)}${list(active)}`}
      ${usable.length === 0 && html`<h2>Active</h2><p class="empty">${emptyText(q)}</p>`}
      ${inactive.length > 0 && html`<h2>Inactive</h2>${list(inactive)}`}
      ${sorted.length > PAGE_SIZE && pages(organization.id, q, start, sorted.length)}`,
  });
}

/** Whether the name, the description or the prefix of a key contains the text. */
function matches({ name, description, prefix }: ApiKey, q: string): boolean {
  return [name, description ?? '', prefix ?? ''].some((text) => text.toLowerCase().includes(q.toLowerCase()));
}

/** By POST, so that the text is not in the address of the page if it is a key. */
function filter(visit: OrganizationVisit, q: string): Html {
  const path = pathOf(visit.organization.id);
  return html`
      <form class="search" method="post" action="${path}" role="search">
        ${csrfField(visit)}
        <label for="q">Name, description, prefix or key</label>
        <input id="q" name="q" type="search" value="${q}" maxlength="${MAX_SHORT_TEXT_CHARACTERS}" autocomplete="off">
        <button class="button">Filter</button>
        ${q !== '' && html`<a href="${path}">Show all</a>`}
      </form>`;
}

/** Links to the previous and the next page. @param start the number of keys on the pages before this one. */
function pages(organizationId: string, q: string, start: number, total: number): Html {
  const end = Math.min(start + PAGE_SIZE, total);
  const link = (page: number, rel: 'prev' | 'next', label: string) => {
    const query = new URLSearchParams({ ...(q === '' ? {} : { q }), ...(page > 1 ? { page: String(page) } : {}) });
    return html`<a class="button small" rel="${rel}" href="${pathOf(organizationId)}?${query}">${label}</a>`;
  };
  const page = start / PAGE_SIZE + 1;
  return html`
      <nav class="actions pages" aria-label="Pages">
        ${start > 0 && link(page - 1, 'prev', 'Previous')}
        ${end < total && link(page + 1, 'next', 'Next')}
        <span class="muted">Keys ${start + 1} to ${end} of ${formatCount(total)}</span>
      </nav>`;
}

function emptyText(q: string): string {
  return q === ''
    ? 'There are no active keys.'
    : `There are no active keys with “${q}” in their name, description or prefix.`;
}

/** The scale of the charts. */
function scale(maximum: number): Html {
  return html`
      <p class="muted scale">The charts show points per day of the last ${CHART_DAYS} days (UTC)${
        maximum > 0 && html`, all on the same scale: the highest bar is ${formatCount(maximum)}`
      }.</p>`;
}

function row(organizationId: string, key: ApiKey, days: DailyUsage['days'], maximum: number): Html {
  const path = (...below: string[]) => pathOf(organizationId, 'keys', key.id, ...below);
  return html`
        <li class="key">
          <div class="about">
            <h3><a href="${path()}">${key.name}</a> ${stateBadge(key)}${expiresSoonBadge(key)}</h3>
            ${key.description !== null && html`<p>${key.description}</p>`}
            <p class="muted"><code>${formatPrefix(key)}</code> · ${formatScopes(key)}</p>
            <p class="muted">${key.last_used_at ? html`Last used ${formatTime(key.last_used_at)}` : 'Never used'}${
              key.state !== 'revoked' && html` · <span>${formatExpiry(key)}</span>`
            }</p>
          </div>
          ${
            isUsable(key) &&
            html`${usageChart(days, maximum)}
          <div class="actions">
            ${key.replaced_by === null && html`<a class="button small" href="${path('rotate')}">Rotate<span class="visually-hidden"> ${key.name}</span></a>`}
            <a class="button small danger" href="${path('revoke')}">Revoke<span class="visually-hidden"> ${key.name}</span></a>
          </div>`
          }
        </li>`;
}

function formatExpiry({ state, expires_at }: ApiKey): Html {
  if (expires_at === null) return html`Never expires`;
  return html`${state === 'expired' ? 'Expired' : 'Expires'} ${formatTime(expires_at)}`;
}

function formatScopes({ scopes }: ApiKey): string {
  if (ALL_SCOPES.every((scope) => scopes.includes(scope))) return 'all scopes';
  return ALL_SCOPES.filter((scope) => scopes.includes(scope)).join(', ');
}
