import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { CHANGE_PASSWORD, HOME, pathOf, SIGN_OUT } from '../paths.ts';
import type { OrganizationVisit, Visit } from '../visit.ts';
import { csrfField } from './form.ts';

/** A page of the developer pages. */
export interface DeveloperPage extends Page {
  /** Whether it uses the script of the developer pages; most pages load less without it. */
  readonly scripted?: boolean;
}

type PageContent = Pick<DeveloperPage, 'title' | 'main' | 'scripted'>;

/** A page for signed-in users. */
export function signedInPage(visit: Visit, page: PageContent): DeveloperPage {
  const { account } = visit;
  const name = account.kind === 'operator' ? 'Operator' : (account.name ?? account.email);
  return {
    ...page,
    account: html`
      <form class="account" method="post" action="${SIGN_OUT}">
        ${csrfField(visit)}
        <a class="muted" href="${CHANGE_PASSWORD}" title="Change your password">${name}</a>
        <button class="button small">Sign out</button>
      </form>`,
  };
}

/** The sections of an organization: the name of each, by the segment of its path. */
const TABS = { '': 'Keys', history: 'History', administrators: 'Administrators', settings: 'Settings' } as const;

/** A page of an organization, with links to its sections. */
export function organizationPage(visit: OrganizationVisit, page: PageContent): DeveloperPage {
  const { organization, account, c } = visit;
  const section = c.req.path.slice(pathOf(organization.id).length).split('/')[1] ?? '';
  const current = section in TABS ? section : '';
  const navigation = html`
      <nav class="tabs" aria-label="Organization">
        ${account.kind === 'operator' && html`<a href="${HOME}">Organizations</a> <span aria-hidden="true">/</span> `}<strong>${organization.name}</strong>
        <ul>${Object.entries(TABS).map(
          ([segment, name]) =>
            html`<li><a href="${pathOf(organization.id, ...(segment ? [segment] : []))}"${
              segment === current && html` aria-current="true"`
            }>${name}</a></li>`,
        )}</ul>
      </nav>`;
  return signedInPage(visit, { ...page, main: html`${navigation}${page.main}` });
}

/**
 * A page of an organization with a message and a link.
 *
 * @param heading default: the title.
 */
export function outcomePage(
  visit: OrganizationVisit,
  title: string,
  message: string | Html,
  { path, label, heading }: { readonly path: string; readonly label: string; readonly heading?: Html },
): Page {
  return organizationPage(visit, {
    title,
    main: html`
      <h1>${heading ?? title}</h1>
      <p class="lead">${message}</p>
      <p><a class="button" href="${path}">${label}</a></p>`,
  });
}

/** The message after an action, which redirects to the page with this query parameter. */
export function doneNotice({ c }: Pick<Visit, 'c'>, parameter: string, message: string): Html | false {
  return c.req.query(parameter) !== undefined && html`<p class="notice" role="status">${message}</p>`;
}

/** The error message above a form. */
export function problemNotice(problem: string | undefined): Html | false {
  return problem !== undefined && html`<p class="notice danger" role="alert">${problem}</p>`;
}

/** The stylesheet of the developer pages, and their script for a page that uses it. */
export function pageFiles(version: string, { scripted = false }: DeveloperPage): Html {
  const folder = `${HOME}/assets/${version}`;
  return html`
  <link rel="stylesheet" href="${folder}/developer.css">
  ${scripted && html`<script src="${folder}/developer.js" defer></script>`}`;
}
