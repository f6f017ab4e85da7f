import type { Organization } from '../../domain/admin/organization.ts';
import { type Html, html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/layout.ts';
import { HOME, NEW_ORGANIZATION, pathOf } from '../paths.ts';
import type { Visit } from '../session/visit.ts';
import { csrfField } from './form.ts';

interface Found {
  readonly q: string;
  readonly organizations: readonly Pick<Organization, 'id' | 'name' | 'country'>[];
  /** Whether there are more than these. */
  readonly more: boolean;
}

/** The list of organizations: all of them for the operator, for administrators those that their password opens. */
export function organizationsPage(visit: Visit, { q, organizations, more }: Found): HtmlPage {
  return {
    title: 'Organizations',
    main: html`
      <div class="heading">
        <h1>Organizations</h1>
        ${visit.account.kind === 'operator' && html`<a class="button primary" href="${NEW_ORGANIZATION}">Create an organization</a>`}
      </div>
      <form class="search" method="post" action="${HOME}" role="search">
        ${csrfField(visit)}
        <label for="q">Name, id or API key</label>
        <input id="q" name="q" type="search" value="${q}" maxlength="255" autocomplete="off">
        <button class="button">Search</button>
      </form>
      ${organizations.length === 0 ? emptyText(q) : html`<ul class="rows">${organizations.map(row)}</ul>`}
      ${more && html`<p class="muted">More organizations match. Search for a longer part of the name.</p>`}`,
  };
}

function row({ id, name, country }: Found['organizations'][number]): Html {
  return html`
        <li><a href="${pathOf(id)}">${name}</a> <span class="muted">${country} · <code>${id}</code></span></li>`;
}

function emptyText(q: string): Html {
  return html`<p class="empty">${q === '' ? 'There are no organizations yet.' : `No organization has “${q}” in its name.`}</p>`;
}
