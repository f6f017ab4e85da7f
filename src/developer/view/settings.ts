import type { FieldError } from '../../domain/core/errors.ts';
import { type Html, html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/layout.ts';
import { HOME, NEW_ORGANIZATION, pathOf } from '../paths.ts';
import type { OrganizationVisit, Visit } from '../session/visit.ts';
import { field, newIdField, problemOf, sessionForm, textField } from './form.ts';
import { doneNotice, formPage, organizationPage } from './frame.ts';

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

/** The fields of an organization that its forms change. */
export interface OrganizationInput {
  readonly name: string;
  readonly country: string;
  readonly time_zone: string;
}

/** The form that changes an organization. @param input what was entered before; at first, what is stored. */
export function settingsPage(
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
export function newOrganizationPage(
  visit: Visit,
  input: OrganizationInput,
  problems: readonly FieldError[] = [],
): HtmlPage {
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
