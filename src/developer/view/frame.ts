import type { FieldError } from '../../domain/core/errors.ts';
import { capitalize } from '../../domain/values/words.ts';
import { formatTime } from '../../pages/dates.ts';
import { type Html, html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/layout.ts';
import { HOME, ORGANIZATIONS, pathOf } from '../paths.ts';
import type { OrganizationVisit, Visit } from '../session/visit.ts';
import { inputId } from './form.ts';

/** The sections of an organization: the name of each, by the segment of its path. */
const TABS = {
  '': 'Keys',
  webhooks: 'Webhooks',
  history: 'History',
  administrators: 'Administrators',
  settings: 'Settings',
} as const;

/** The section of pages that are not below its path. */
const SECTIONS: Readonly<Record<string, string>> = { 'new-webhook': 'webhooks' };

/** A page of an organization, with links to its sections. */
export function organizationPage(visit: OrganizationVisit, page: HtmlPage): HtmlPage {
  const { organization, account, c } = visit;
  const section = c.req.path.slice(pathOf(organization.id).length).split('/')[1] ?? '';
  const current = SECTIONS[section] ?? (section in TABS ? section : '');
  const navigation = html`
      <nav class="tabs" aria-label="Organization">
        ${(account.kind === 'operator' || account.hasOthers) && html`<a href="${ORGANIZATIONS}">Organizations</a> <span aria-hidden="true">/</span> `}<strong>${organization.name}</strong>
        <ul>${Object.entries(TABS).map(
          ([segment, name]) =>
            html`<li><a href="${pathOf(organization.id, ...(segment ? [segment] : []))}"${
              segment === current && html` aria-current="true"`
            }>${name}</a></li>`,
        )}</ul>
      </nav>`;
  return { ...page, main: html`${navigation}${page.main}` };
}

/** A page of an organization with a message and a link. @param name with which its title begins. */
export function outcomePage(
  visit: OrganizationVisit,
  title: string,
  message: string | Html,
  { path, label, name }: { readonly path: string; readonly label: string; readonly name?: string },
): HtmlPage {
  return organizationPage(visit, {
    title: name === undefined ? title : `“${name}” ${title}`,
    main: html`
      <h1>${name !== undefined && html`“<bdi>${name}</bdi>” `}${title}</h1>
      <p class="lead">${message}</p>
      <p><a class="button" href="${path}">${label}</a></p>`,
  });
}

/** A page with a message. */
export function messagePage(title: string, message: string | Html): HtmlPage {
  return {
    title,
    main: html`
      <h1>${title}</h1>
      <p class="lead">${message}</p>
      <p><a href="${HOME}">Back to the developer pages</a></p>`,
  };
}

/** The page while the database cannot be reached. */
export function unreachablePage(since: Date): HtmlPage {
  const message = html`The service has not reached its database since ${formatTime(since.toISOString())}. A change
        that you sent may not be stored. Try again, and tell the operator if this lasts.`;
  return messagePage('The database cannot be reached', message);
}

/** The message after an action, which redirects to the page with this query parameter. */
export function doneNotice({ c }: Pick<Visit, 'c'>, parameter: string, message: string): Html | false {
  return c.req.query(parameter) !== undefined && html`<p class="notice" role="status">${message}</p>`;
}

/** A problem of a form. Without a field, it concerns the whole form. */
export type Problem = Omit<FieldError, 'field'> & { readonly field?: string };

/** The labels of fields that are not those of their names. */
const LABELS: Readonly<Record<string, string>> = {
  email: 'Email address',
  url: 'URL',
  expires_in_days: 'Expires',
};

/** The page of a form. If it was refused, it begins with its problems, which get the focus and link to the fields. */
export function formPage<P extends HtmlPage>(page: P, problems: readonly Problem[]): P {
  if (problems.length === 0) return page;
  const items = problems.map(({ field, message }) => {
    const [name = ''] = field?.split('.') ?? [];
    // Messages continue the label of their field, or are sentences of their own.
    const label = LABELS[name] ?? capitalize(name.replaceAll('_', ' '));
    const text = /^\p{Lu}/u.test(message) ? message : `${label} ${message}`;
    return html`<li>${field === undefined ? text : html`<a href="#${inputId(name)}">${text}</a>`}.</li>`;
  });
  const main = html`
      <div class="notice danger" role="alert" aria-labelledby="problems" tabindex="-1" autofocus>
        <h2 id="problems">Nothing was changed</h2>
        <ul>${items}</ul>
      </div>${page.main}`;
  return { ...page, title: `Error: ${page.title}`, main };
}

/** The stylesheet and the script of the developer pages. */
export function pageFiles(version: string): Html {
  const folder = `${HOME}/assets/${version}`;
  return html`<link rel="stylesheet" href="${folder}/developer.css">
  <script src="${folder}/developer.js" defer></script>`;
}
