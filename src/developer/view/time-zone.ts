import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../paths.ts';
import type { OrganizationVisit } from '../visit.ts';
import { field, sessionForm } from './form.ts';
import { organizationPage, problemNotice } from './frame.ts';

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];

/**
 * The form for the time zone of an organization.
 *
 * @param input what was entered before; the current time zone at first.
 */
export function timeZonePage(visit: OrganizationVisit, input: string, problem?: string): Page {
  const { organization } = visit;
  return organizationPage(visit, {
    title: `Time zone of ${organization.name}`,
    main: html`
      <h1>Time zone</h1>
      <p class="lead">It determines which day it is at <bdi>${organization.name}</bdi>. Dates and times of events and services are
        local, and do not change with it.</p>
      ${problemNotice(problem)}
      ${sessionForm(
        visit,
        { path: pathOf(organization.id, 'time-zone'), submit: 'Save', cancel: pathOf(organization.id) },
        html`${field({
          id: 'time-zone',
          name: 'time_zone',
          label: 'Time zone',
          attributes: html`value="${input}" list="time-zones" required maxlength="64" autocomplete="off"`,
          hint: 'An IANA name, for example America/New_York.',
        })}
        <datalist id="time-zones">${TIME_ZONES.map((name) => html`<option value="${name}">`)}</datalist>`,
      )}`,
  });
}
