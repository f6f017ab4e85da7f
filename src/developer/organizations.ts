import { findOpenOrganizations } from '../domain/accounts/sign-in-session.ts';
import {
  createOrganization,
  findOrganizations,
  type Organization,
  updateOrganization,
} from '../domain/admin/organization.ts';
import type { FieldError } from '../domain/core/errors.ts';
import { normalizeText } from '../domain/values/text.ts';
import { type Html, html } from '../pages/html.ts';
import type { HtmlPage } from '../pages/site.ts';
import { invalidFieldsOf, PageError, readNewId, type SubmittedForm } from './form-data.ts';
import { respondToKey } from './keys/keys.ts';
import {
  csrfField,
  doneNotice,
  field,
  formPage,
  newIdField,
  organizationPage,
  problemOf,
  sessionForm,
  textField,
} from './page.ts';
import { HOME, NEW_ORGANIZATION, pathOf } from './paths.ts';
import {
  createVisits,
  type DeveloperContext,
  type OrganizationVisit,
  type Routes,
  readSessionForm,
  type Visit,
} from './visit.ts';

const PAGE_SIZE = 50;

/** The organizations, and the history and settings of each. */
export function createOrganizationPages(context: DeveloperContext): Routes {
  const { site, store, sessions } = context;
  const { signedIn, inOrganization } = createVisits(context);
  /** Wraps handlers of pages for the operator only; administrators are redirected to their organizations. */
  const asOperator = (handler: (visit: Visit) => Promise<Response>) =>
    signedIn(async (visit) => {
      return visit.account.kind === 'operator' ? handler(visit) : visit.c.redirect(HOME, 303);
    });
  return {
    '/': {
      GET: signedIn(async (visit) => {
        const { c, token, account } = visit;
        if (account.kind === 'administrator' && !account.hasOthers) {
          return c.redirect(pathOf(account.organization_id), 303);
        }
        const q = c.req.query('q');
        const search = { q: q ?? '', limit: PAGE_SIZE + 1 };
        const found = await (account.kind === 'operator'
          ? findOrganizations(store, search)
          : findOpenOrganizations(sessions, token, search));
        const [only] = found;
        if (only && found.length === 1 && q === undefined) return c.redirect(pathOf(only.id), 303);
        const page = { q: search.q, organizations: found.slice(0, PAGE_SIZE), more: found.length > PAGE_SIZE };
        return site.respond(c, organizationsPage(visit, page));
      }),
      POST: signedIn(async (visit) => {
        const q = (await readSessionForm(visit)).single('q');
        const path = `${HOME}?${new URLSearchParams({ q })}`;
        return (await respondToKey(context, visit, q)) ?? visit.c.redirect(path, 303);
      }),
    },
    '/new-organization': {
      GET: asOperator((visit) =>
        site.respond(visit.c, newOrganizationPage(visit, { name: '', country: '', time_zone: 'UTC' })),
      ),
      POST: asOperator(async (visit) => {
        const form = await readSessionForm(visit);
        const input = readOrganization(form);
        const id = readNewId(visit.token, 'org', form);
        try {
          const { name } = await createOrganization(store, input, visit.actor, id);
          if (name !== normalizeText(input.name)) throw alreadyCreated(name);
          return visit.c.redirect(pathOf(id), 303);
        } catch (error) {
          return site.respond(visit.c, newOrganizationPage(visit, input, invalidFieldsOf(error)), 422);
        }
      }),
    },
    '/organizations/:organization/settings': {
      GET: inOrganization((visit) => site.respond(visit.c, settingsPage(visit, visit.organization))),
      POST: inOrganization(async (visit) => {
        const input = readOrganization(await readSessionForm(visit));
        try {
          const { id } = await updateOrganization(store, { id: visit.organization.id, ...input }, visit.actor);
          return visit.c.redirect(`${pathOf(id, 'settings')}?saved`, 303);
        } catch (error) {
          return site.respond(visit.c, settingsPage(visit, input, invalidFieldsOf(error)), 422);
        }
      }),
    },
  };
}

/** The refusal of a form that was sent again, after going back to it, with another name. */
function alreadyCreated(name: string): PageError {
  return new PageError(
    409,
    `“${name}” already exists`,
    'This form has created it. Open the form again to create another organization.',
  );
}

function readOrganization(form: SubmittedForm): OrganizationInput {
  return { name: form.single('name'), country: form.single('country'), time_zone: form.single('time_zone') };
}

interface Found {
  readonly q: string;
  readonly organizations: readonly Pick<Organization, 'id' | 'name' | 'country'>[];
  /** Whether there are more than these. */
  readonly more: boolean;
}

/** The list of organizations: all of them for the operator, for administrators those that their password opens. */
function organizationsPage(visit: Visit, { q, organizations, more }: Found): HtmlPage {
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

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

/** The fields of an organization that its forms change. */
interface OrganizationInput {
  readonly name: string;
  readonly country: string;
  readonly time_zone: string;
}

/** The form that changes an organization. @param input what was entered before; at first, what is stored. */
function settingsPage(
  visit: OrganizationVisit,
  input: OrganizationInput,
  problems: readonly FieldError[] = [],
): HtmlPage {
  const path = pathOf(visit.organization.id, 'settings');
  const page = {
    title: `Settings of ${visit.organization.name}`,
    main: html`
      <h1>Settings</h1>
      ${doneNotice(visit, 'saved', 'The settings were saved.')}
      ${sessionForm(visit, { path, submit: 'Save' }, organizationFields(input, problems))}`,
  };
  return organizationPage(visit, formPage(page, problems));
}

/** The form for a new organization, for the operator. */
function newOrganizationPage(visit: Visit, input: OrganizationInput, problems: readonly FieldError[] = []): HtmlPage {
  const page = {
    title: 'Create an organization',
    main: html`
      <h1>Create an organization</h1>
      ${sessionForm(
        visit,
        { path: NEW_ORGANIZATION, submit: 'Create', cancel: HOME },
        html`${newIdField(visit, 'org')}${organizationFields(input, problems)}`,
      )}`,
  };
  return formPage(page, problems);
}

function organizationFields(input: OrganizationInput, problems: readonly FieldError[]): Html {
  const problem = (name: string) => problemOf(problems, name);
  return html`${textField({ id: 'name', label: 'Name', value: input.name, isRequired: true, problems })}${field({
    id: 'country',
    label: 'Country',
    problem: problem('country'),
    attributes: html`value="${input.country}" required maxlength="2" autocomplete="off"`,
    hint: 'Two letters (ISO 3166-1), for example US. Phone numbers without a country code are read as numbers of this country.',
  })}${field({
    id: 'time-zone',
    name: 'time_zone',
    label: 'Time zone',
    problem: problem('time_zone'),
    attributes: html`value="${input.time_zone}" list="time-zones" required maxlength="64" autocomplete="off"`,
    hint: 'An IANA name, for example America/New_York. It determines which day it is; dates and times of events and services do not change with it.',
  })}<datalist id="time-zones">${TIME_ZONES.map((name) => html`<option value="${name}">`)}</datalist>`;
}
