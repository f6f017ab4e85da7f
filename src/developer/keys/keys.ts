import { findSession } from '../../domain/accounts/sign-in-session.ts';
import { findApiKey } from '../../domain/admin/api-key.ts';
import { type ListedKey, listKeysOfPage, MAX_SEARCHED_KEYS } from '../../domain/admin/api-key-list.ts';
import { containsKey } from '../../domain/admin/api-key-secret.ts';
import { FAILED_REQUEST_DAYS } from '../../domain/admin/failed-request.ts';
import type { Organization } from '../../domain/admin/organization.ts';
import { notFound, ServiceError } from '../../domain/core/errors.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../domain/values/limits.ts';
import { formatRelative } from '../../pages/dates.ts';
import { type Html, html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/site.ts';
import { csrfField, formatCount, messagePage, organizationPage } from '../page.ts';
import { pathOf } from '../paths.ts';
import {
  createVisits,
  type DeveloperContext,
  type OrganizationVisit,
  type Routes,
  readSessionForm,
  type Visit,
} from '../visit.ts';
import { formatFailures, stateBadge } from './key.ts';
import { SMALL_CHART_DAYS, usageChart } from './usage-chart.ts';

/** The list of an organization's keys, and the search for one. */
export function createKeyListPages(context: DeveloperContext): Routes {
  const { site, store } = context;
  const { inOrganization } = createVisits(context);

  return {
    '/organizations/:organization': {
      GET: inOrganization(async (visit) => {
        const { list, before, q: text = '' } = visit.c.req.query();
        const q = text.slice(0, MAX_SHORT_TEXT_CHARACTERS).replaceAll('\0', '').trim();
        const selection = {
          isActive: list !== INACTIVE,
          before: before?.replaceAll('\0', ''),
          q,
        };
        const found = await listKeysOfPage(store, {
          organizationId: visit.organization.id,
          ...selection,
          limit: PAGE_SIZE + 1,
          usageDays: selection.isActive ? SMALL_CHART_DAYS : 0,
        });
        const shown = { ...selection, keys: found.slice(0, PAGE_SIZE), hasMore: found.length > PAGE_SIZE };
        return site.respond(visit.c, keysPage(visit, shown));
      }),
      POST: inOrganization(async (visit) => {
        const form = await readSessionForm(visit);
        const q = form.single('q');
        const path = keysPath(visit.organization.id, {
          isActive: form.all('list')[0] !== INACTIVE,
          q,
        });
        return (await respondToKey(context, visit, q)) ?? visit.c.redirect(path, 303);
      }),
    },
  };
}

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
const PAGE_SIZE = 15;

/** The value of the parameter `list` for revoked and expired keys. */
const INACTIVE = 'inactive';

/** The path of a page of keys. */
function keysPath(organizationId: string, { isActive, q, before }: KeyList): string {
  const query = new URLSearchParams({
    ...(isActive ? {} : { list: INACTIVE }),
    ...(q === '' ? {} : { q }),
    ...(before === undefined ? {} : { before }),
  });
  return pathOf(organizationId) + (query.size > 0 ? `?${query}` : '');
}

/** A page of the active keys of an organization, or of those that are revoked or expired. */
function keysPage(visit: OrganizationVisit, shown: KeysPage): HtmlPage {
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
  const among = isActive ? '' : ` among the last ${formatCount(MAX_SEARCHED_KEYS)}`;
  return `There are no ${kind} keys with “${q}” in their name, description or prefix${among}.`;
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

/**
 * Responds to a search for a key itself, which is in no URL because searches are POST requests. It is found in all
 * organizations that the user has access to.
 *
 * @returns undefined if the text contains no key.
 */
export async function respondToKey(
  context: DeveloperContext,
  visit: Visit,
  text: string,
): Promise<Response | undefined> {
  if (!containsKey(text)) return undefined;
  const { c } = visit;
  try {
    const { organization_id, id } = await findApiKey(context.store, text);
    const session = await findSession(context.sessions, visit.token, organization_id);
    if (!session?.organization) throw notFound('API key');
    return c.redirect(`${pathOf(organization_id, 'keys', id)}?found`, 303);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    return context.site.respond(c, messagePage('API key not found', NOT_FOUND), 404);
  }
}

const NOT_FOUND =
  'No key that you have access to is equal to the one that you entered. Check that you copied all of it.';
