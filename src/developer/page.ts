import type { FieldError } from '../domain/core/errors.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../domain/values/limits.ts';
import { capitalize } from '../domain/values/words.ts';
import { formatTime } from '../pages/dates.ts';
import { type Html, html } from '../pages/html.ts';
import type { HtmlPage } from '../pages/site.ts';
import { CSRF_FIELD, NEW_ID_FIELD, newSignedId, sign } from './form-data.ts';
import { HOME, ORGANIZATIONS, pathOf } from './paths.ts';
import type { OrganizationVisit, Visit } from './visit.ts';

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
const LABELS: Readonly<Record<string, string>> = { email: 'Email address', url: 'URL', expires_in_days: 'Expires' };

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

/** The CSRF token of a form. */
export function csrfField({ token }: Visit): Html {
  return html`<input type="hidden" name="${CSRF_FIELD}" value="${sign(token, CSRF_FIELD)}">`;
}

/** The id of the record that a form creates, see {@link newSignedId}. @param prefix the prefix of its ids. */
export function newIdField({ token }: Visit, prefix: string): Html {
  return html`<input type="hidden" name="${NEW_ID_FIELD}" value="${newSignedId(token, prefix)}">`;
}

interface FormOptions {
  readonly path: string;
  /** The label of the button. */
  readonly submit: string;
  /** The page to return to, without changes. */
  readonly cancel?: string;
  readonly wide?: boolean;
}

/** A form with its fields and buttons. */
export function panelForm({ path, submit, cancel, wide }: FormOptions, fields: Html): Html {
  return html`
      <form class="${wide ? 'panel' : 'panel narrow'}" method="post" action="${path}">
        ${fields}
        <div class="actions">
          <button class="button primary">${submit}</button>
          ${cancel && html`<a class="button" href="${cancel}">Cancel</a>`}
        </div>
      </form>`;
}

/** A form of a signed-in user, with its CSRF token. */
export function sessionForm(visit: Visit, options: FormOptions, fields: Html): Html {
  return panelForm(options, html`${csrfField(visit)}${fields}`);
}

/** The form that confirms an action which cannot be undone. */
export function confirmation(visit: Visit, { path, submit, cancel }: FormOptions & { readonly cancel: string }): Html {
  return html`
      <form class="actions" method="post" action="${path}">
        ${csrfField(visit)}
        <button class="button primary danger">${submit}</button>
        <a class="button" href="${cancel}">Cancel</a>
      </form>`;
}

/** The id of the input of a field: the first one, if it has several. */
function inputId(field: string): string {
  return field.replaceAll('_', '-');
}

interface Field {
  readonly id: string;
  /** Default: the id. */
  readonly name?: string;
  readonly label: string;
  /** The other attributes of the input. */
  readonly attributes: Html;
  readonly hint?: string | Html;
  readonly problem?: string | undefined;
}

/** An input with its label, hint and error message. */
export function field({ id, name = id, label, attributes, hint, problem }: Field): Html {
  const descriptions = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return html`
        <div class="field">
          <label for="${id}">${label}</label>
          <input id="${id}" name="${name}" ${attributes}${
            descriptions && html` aria-describedby="${descriptions}"`
          }${problem && html` aria-invalid="true"`}>
          ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
          ${fieldProblem(id, problem)}
        </div>`;
}

interface TextField extends Omit<Field, 'attributes' | 'problem'> {
  readonly value: string;
  readonly isRequired?: boolean;
  readonly problems: readonly FieldError[];
}

/** An input for a short text, with the problem of the field of this name. */
export function textField({ value, isRequired, problems, ...options }: TextField): Html {
  const attributes = html`value="${value}" maxlength="${MAX_SHORT_TEXT_CHARACTERS}" autocomplete="off"${isRequired && html` required`}`;
  return field({ ...options, attributes, problem: problemOf(problems, options.name ?? options.id) });
}

/** Radio buttons with their labels. @param id of the first one. */
export function radioButtons(
  name: string,
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
  id: string,
): Html {
  return html`
          <div class="choices">${options.map(
            ([value, label], index) => html`
            <label class="choice">
              <input type="radio" name="${name}" value="${value}"${index === 0 && html` id="${id}"`}${value === chosen && html` checked`}>
              <span>${label}</span>
            </label>`,
          )}
          </div>`;
}

/** The message below a field, to which its `aria-describedby` refers as `ID-problem`. */
export function fieldProblem(id: string, problem: string | undefined): Html | undefined {
  return problem === undefined ? undefined : html`<p class="problem" id="${id}-problem">${capitalize(problem)}.</p>`;
}

/** The message of the first problem of a field of a form, or of one of its items. */
export function problemOf(problems: readonly FieldError[], field: string): string | undefined {
  return problems.find((problem) => problem.field.split('.')[0] === field)?.message;
}

const countFormat = new Intl.NumberFormat('en');

/** `1,240` */
export function formatCount(count: number): string {
  return countFormat.format(count);
}

/** `1 point`, `1,240 points` */
export function formatPoints(points: number): string {
  return `${formatCount(points)} ${points === 1 ? 'point' : 'points'}`;
}
