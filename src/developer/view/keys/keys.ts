import { type ListedKey, MAX_SEARCHED_KEYS } from '../../../domain/admin/api-key-list.ts';
import { FAILED_REQUEST_DAYS } from '../../../domain/admin/failed-request.ts';
import type { Organization } from '../../../domain/admin/organization.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../../domain/values/limits.ts';
import { formatRelative } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { HtmlPage } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../session/visit.ts';
import { csrfField } from '../form.ts';
import { organizationPage } from '../frame.ts';
import { formatFailures } from './failed-requests.ts';
import { stateBadge } from './key-state.ts';
import { formatCount, SMALL_CHART_DAYS, usageChart } from './usage-chart.ts';

/** The list that a page shows. */
interface KeyList {
  /** Whether it lists active keys; otherwise revoked and expired ones. */
  readonly isActive: boolean;
  /** The filter: text in the name, description or prefix of the listed keys; empty for all keys. */
  readonly q: string;
  /** The id of the last key of the page before; undefined for the first page. */
  readonly before?: string | undefined;
}

interface KeysPage extends KeyList {
  readonly keys: readonly ListedKey[];
  readonly hasMore: boolean;
}

/** The keys on one page. */
export const PAGE_SIZE = 15;

/** The value of the parameter `list` for revoked and expired keys. */
export const INACTIVE = 'inactive';

/** The path of a page of keys. */
export function keysPath(organizationId: string, { isActive, q, before }: KeyList): string {
  const query = new URLSearchParams({
    ...(isActive ? {} : { list: INACTIVE }),
    ...(q === '' ? {} : { q }),
    ...(before === undefined ? {} : { before }),
  });
  return pathOf(organizationId) + (query.size > 0 ? `?${query}` : '');
}

/** A page of the active keys of an organization, or of those that are revoked or expired. */
export function keysPage(visit: OrganizationVisit, shown: KeysPage): HtmlPage {
  const { organization } = visit;
  const { keys, isActive, q, before, hasMore } = shown;
  const other = keysPath(organization.id, { isActive: !isActive, q });
  const title = isActive ? 'API keys' : 'Revoked and expired keys';
  const link = (label: string, at: string | undefined) =>
    html`<a class="button small" href="${keysPath(organization.id, { isActive, q, before: at })}">${label}</a>`;
  return organizationPage(visit, {
    title: `${title} of ${organization.name}`,
    main: html`
      <div class="heading">
        <h1 id="keys">${title}</h1>
        ${isActive && html`<a class="button primary" href="${pathOf(organization.id, 'new-key')}">Create a key</a>`}
      </div>
      ${
        isActive &&
        html`<p class="lead">Each key gives access to the records of <bdi>${organization.name}</bdi>, as its scopes allow. Keep keys on
        your servers, not in web pages or apps.</p>`
      }
      ${(keys.length > 0 || q !== '') && filter(visit, shown)}
      ${keys.length > 0 ? table(organization, shown) : html`<p class="empty">${emptyText(shown)}</p>`}
      <nav class="actions pages" aria-label="Pages">
        ${before !== undefined && link('First page', undefined)}
        ${hasMore && link('Next', keys.at(-1)?.id)}
        <a href="${other}">${isActive ? 'Revoked and expired keys' : 'Active keys'}</a>
      </nav>`,
  });
}

/** By POST, so that the text is not in the address of the page if it is a key. */
function filter(visit: OrganizationVisit, { isActive, q }: KeyList): Html {
  return html`
      <form class="search" method="post" action="${pathOf(visit.organization.id)}" role="search">
        ${csrfField(visit)}${!isActive && html`<input type="hidden" name="list" value="${INACTIVE}">`}
        <label for="q">Name, description, prefix or key</label>
        <input id="q" name="q" type="search" value="${q}" maxlength="${MAX_SHORT_TEXT_CHARACTERS}" autocomplete="off">
        <button class="button">Filter</button>
        ${q !== '' && html`<a href="${keysPath(visit.organization.id, { isActive, q: '' })}">Show all</a>`}
      </form>`;
}

function emptyText({ isActive, q, before }: KeyList): string {
  const kind = isActive ? 'active' : 'revoked or expired';
  if (q === '') return before === undefined ? `There are no ${kind} keys.` : `There are no further ${kind} keys.`;
  const searched = isActive ? '' : ` among the last ${formatCount(MAX_SEARCHED_KEYS)}`;
  return `There are no ${kind} keys with “${q}” in their name, description or prefix${searched}.`;
}

function table({ id: organizationId, time_zone }: Organization, { keys, isActive }: KeysPage): Html {
  const cells = (key: ListedKey): readonly (readonly [title: string, cell: Html | string])[] => [
    ['Last used', key.last_used_at ? formatRelative(key.last_used_at, time_zone) : 'Never'],
    ...(isActive
      ? ([
          [`Points in ${SMALL_CHART_DAYS} days`, usageChart(key.usage)],
          [`Failures in ${FAILED_REQUEST_DAYS} days`, failures(organizationId, key)],
        ] as const)
      : []),
    [isActive ? 'Expires' : 'Ended', key.end ? formatRelative(key.end, time_zone) : 'Never'],
  ];
  const titles = keys.slice(0, 1).flatMap((key) => cells(key).map(([title]) => title));
  return html`
      <table class="keys" aria-labelledby="keys">
        <thead><tr>${['Name', ...titles].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
        <tbody>${keys.map(
          (key) => html`
          <tr><th scope="row"><a href="${pathOf(organizationId, 'keys', key.id)}">${key.name}</a> ${stateBadge(key)}</th>${cells(
            key,
          ).map(([title, cell]) => html`<td data-title="${title}">${cell}</td>`)}</tr>`,
        )}</tbody>
      </table>`;
}

function failures(organizationId: string, { id, failures: count }: ListedKey): Html | string {
  if (count === 0) return '0';
  return html`<a href="${pathOf(organizationId, 'keys', id)}#requests">${formatFailures(count)}</a>`;
}
