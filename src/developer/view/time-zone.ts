import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../parts.ts';
import type { OrganizationVisit } from '../visit.ts';
import { csrfField, organizationPage, problemNotice } from './frame.ts';

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
      <p class="lead">It determines which day it is at ${organization.name}. Dates and times of events and services are
        local, and do not change with it.</p>
      ${problemNotice(problem)}
      <form class="panel narrow" method="post" action="${pathOf(organization.id, 'time-zone')}">
        ${csrfField(visit)}
        <div class="field">
          <label for="time-zone">Time zone</label>
          <input id="time-zone" name="time_zone" value="${input}" list="time-zones" required maxlength="64"
            autocomplete="off" aria-describedby="time-zone-hint">
          <datalist id="time-zones">${TIME_ZONES.map((name) => html`<option value="${name}">`)}</datalist>
          <p class="hint" id="time-zone-hint">An IANA name, for example America/New_York.</p>
        </div>
        <div class="actions">
          <button class="button primary">Save</button>
          <a class="button" href="${pathOf(organization.id)}">Cancel</a>
        </div>
      </form>`,
  });
}
